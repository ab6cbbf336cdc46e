"""The tables inside the package."""

from collections.abc import Mapping
from importlib.resources import files

import pandas as pd


def bundled_frame(name: str, *, orders: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    """The table of that name: yes and no as booleans, and an ordered category for each of ``orders``."""
    with (files("counterflownet.datasets") / "files" / f"{name}.csv").open(encoding="utf-8") as file:
        # "none" is a value of its own in these tables, not a missing one
        frame = pd.read_csv(file, keep_default_na=False, true_values=["yes"], false_values=["no"])
    return frame.astype({column: pd.CategoricalDtype(list(order), ordered=True) for column, order in orders.items()})

"""The tables inside the package."""

from collections.abc import Mapping
from importlib.resources import as_file, files

import pandas as pd


def bundled_table(file: str, *, booleans: bool = False) -> pd.DataFrame:
    """The rows of one bundled file as pandas reads them; with ``booleans``, yes and no become true and false."""
    with as_file(files("counterflownet.datasets") / "files" / file) as path:
        return pd.read_csv(
            path,
            keep_default_na=False,  # "none" is a value of its own in these tables, not a missing one
            true_values=["yes"] if booleans else None,
            false_values=["no"] if booleans else None,
        )


def with_orders(frame: pd.DataFrame, orders: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    """The same rows, with an ordered category for each of ``orders``."""
    return frame.astype({column: pd.CategoricalDtype(list(order), ordered=True) for column, order in orders.items()})

"""The tables inside this package."""

from importlib.resources import as_file, files

import pandas as pd


def bundled_table(file: str) -> pd.DataFrame:
    """The rows of one bundled file as pandas reads them."""
    with as_file(files("counterflownet_bench.datasets") / "files" / file) as path:
        return pd.read_csv(path, keep_default_na=False)  # "none" is a value in these tables, not a missing one

"""German Credit with readable labels: a thousand applicants of a bank, each a good or a bad risk."""

from dataclasses import dataclass, field
from importlib.resources import as_file, files

import pandas as pd

ORDERS = {
    "employment_since": ["unemployed", "< 1 year", "1-4 years", "4-7 years", ">= 7 years"],
    "job": ["unemployed or unskilled non-resident", "unskilled resident", "skilled", "management or highly qualified"],
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: == on frames has no single truth value
class Dataset:
    """Features ``X``, labels ``y``, and the card that goes with them."""

    name: str
    title: str
    X: pd.DataFrame = field(repr=False)
    y: pd.Series = field(repr=False)
    target: str
    desirable: str
    immutable: tuple[str, ...]
    """Features that nobody can act upon, or that would make it another question."""
    increasing: tuple[str, ...]
    """Features that only time changes."""
    licence: str
    citation: str = field(repr=False)
    source: str = field(repr=False)


def german_credit() -> Dataset:
    """1,000 rows with 20 features, in the order of the original file; 700 are "good", 300 "bad"."""
    with as_file(files("counterflownet.datasets") / "files" / "german_credit.csv") as path:
        # "none" is a value of its own in this table, not a missing one
        frame = pd.read_csv(path, keep_default_na=False, true_values=["yes"], false_values=["no"])
    ordered = {column: pd.CategoricalDtype(order, ordered=True) for column, order in ORDERS.items()}
    frame = frame.astype(ordered)
    return Dataset(
        name="german_credit",
        title="German Credit (Statlog)",
        X=frame.drop(columns="risk"),
        y=frame["risk"],
        target="risk",
        desirable="good",
        immutable=("sex", "foreign_worker", "dependents", "purpose"),
        increasing=("age", "employment_since", "residence_since"),
        licence="CC BY 4.0",
        citation=(
            "Hofmann, H. (1994). Statlog (German Credit Data) [Dataset]. UCI Machine Learning Repository. "
            "https://doi.org/10.24432/C5NC77"
        ),
        source="https://archive.ics.uci.edu/dataset/144/statlog+german+credit+data",
    )

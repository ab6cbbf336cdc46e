"""Three real tables with a column of numbers to predict, a forest for each, and rows with a question each."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder
from vega_datasets import data as vega

from counterflownet import AtLeast, AtMost, Between
from counterflownet.datasets import german_credit

ROWS = 40
Interval = AtLeast | AtMost | Between


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A model, the rows it was trained on, and rows it has not seen with where their predictions should lie.

    Only the columns that are ``open`` may change.
    """

    name: str
    model: Pipeline
    train: pd.DataFrame
    rows: pd.DataFrame
    intervals: list[Interval]
    open: list[str]

    @property
    def numeric(self) -> list[str]:
        return [name for name in self.train if pd.api.types.is_numeric_dtype(self.train[name].dtype)]

    def inside(self, rows: pd.DataFrame, of: np.ndarray) -> np.ndarray:
        """Which rows have a prediction where the row of that number asks for it."""
        low, high = (np.array([getattr(interval, end) for interval in self.intervals])[of] for end in ("low", "high"))
        predictions = self.model.predict(rows) if len(rows) else np.empty(0)
        return (predictions >= low) & (predictions <= high)


def diabetes() -> tuple[pd.DataFrame, pd.Series]:
    """Patients of scikit-learn's table: how far the disease is after a year."""
    return load_diabetes(return_X_y=True, as_frame=True, scaled=False)


def cars() -> tuple[pd.DataFrame, pd.Series]:
    """Cars of the package vega_datasets: miles per gallon."""
    table = vega.cars().dropna().reset_index(drop=True)
    table["Year"] = table["Year"].dt.year
    return table.drop(columns=["Name", "Miles_per_Gallon"]), table["Miles_per_Gallon"]


def german() -> tuple[pd.DataFrame, pd.Series]:
    """Applicants of German Credit, bundled with the library: the amount of the credit."""
    table = german_credit().X
    words = table.select_dtypes(["category", "bool"]).columns  # dice-ml knows no flags
    table = table.astype(dict.fromkeys(words, str))
    return table.drop(columns="credit_amount"), table["credit_amount"]


TABLES = {"diabetes": diabetes, "cars": cars, "german_credit_amount": german}


def asked(name: str, *, few: bool) -> Asked:
    """The table of that name with its questions, the same every time; with ``few``, every third column is open."""
    X, y = TABLES[name]()
    train, held, y_train, _ = train_test_split(X, y, test_size=0.3, random_state=0)
    words = [column for column in X if not pd.api.types.is_numeric_dtype(X[column].dtype)]
    encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), words), remainder="passthrough")
    forest = RandomForestRegressor(20, min_samples_leaf=3, random_state=0, n_jobs=1)
    model = make_pipeline(encoder, forest).fit(train, y_train)
    rows = held.head(ROWS).reset_index(drop=True)
    intervals = list(map(_interval, range(len(rows)), model.predict(rows), [model.predict(train)] * len(rows)))
    return Asked(name, model, train.reset_index(drop=True), rows, intervals, list(X.columns[:: 3 if few else 1]))


def _interval(number: int, own: float, predictions: np.ndarray) -> Interval:
    """In turn the highest tenth of training rows, the lowest, and the middle 4 %; nothing that the row has already."""
    low, high, *middle = (float(at) for at in np.quantile(predictions, [0.1, 0.9, 0.48, 0.52]))
    kinds = [AtLeast(high), AtMost(low), Between(*middle)]
    open_ = [kind for kind in kinds if not kind.low <= own <= kind.high]
    return kinds[number % 3] if kinds[number % 3] in open_ else open_[number % len(open_)]

"""One mixed table, one pipeline on its raw columns and one fitted explainer, shared by all tests of this folder."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from counterflownet import CounterFlowNet

NUMBERS = ["age", "income", "member", "since", "visits", "share"]
WORDS = ["city", "grade", "job"]


@pytest.fixture(scope="session")
def tiny() -> dict[str, int]:
    """Training settings that take a moment."""
    return {"steps": 20, "batch_rows": 48, "width": 24}


@pytest.fixture(scope="session", name="people")
def mixed_table() -> pd.DataFrame:
    """Whole numbers, numbers, flags, text, an order, dates, missing values, and an index of names."""
    draw = np.random.default_rng(0)
    count = 120
    days = pd.to_timedelta(draw.integers(0, 1500, count), unit="D")
    grades = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame(
        {
            "age": draw.integers(18, 80, count),
            "income": draw.normal(40, 12, count),
            "member": draw.random(count) < 0.5,
            "city": draw.choice(["rome", "oslo", "lima"], count),
            "grade": pd.Series(draw.choice(grades.categories, count)).astype(grades),
            "job": pd.Series(draw.choice(["cook", "clerk", "pilot"], count), dtype=object),
            "since": pd.Timestamp("2020-01-01") + days,
            "visits": pd.array(draw.integers(0, 9, count), dtype="Int64"),
            "share": draw.random(count).astype(np.float32),
        }
    )
    frame.loc[draw.random(count) < 0.1, "income"] = np.nan
    frame.loc[draw.random(count) < 0.1, "job"] = None
    frame.loc[draw.random(count) < 0.1, "visits"] = pd.NA
    return frame.set_axis([f"person {number}" for number in range(count)], axis=0)


@pytest.fixture(scope="session")
def pipeline(people) -> Pipeline:
    """A logistic regression on the raw columns, with the labels "bad" and "good"."""
    return fitted_pipeline(people, np.where(merit(people) > merit(people).median(), "good", "bad"))


@pytest.fixture(scope="session")
def three_way(people) -> Pipeline:
    """The same with the labels "no", "maybe" and "yes"."""
    return fitted_pipeline(people, pd.qcut(merit(people), 3, labels=["no", "maybe", "yes"]).astype(str))


@pytest.fixture(scope="session")
def explainer(people, pipeline, tiny) -> CounterFlowNet:
    return CounterFlowNet(pipeline, training=tiny).fit(people)


@pytest.fixture(scope="session")
def three_way_explainer(people, three_way, tiny) -> CounterFlowNet:
    return CounterFlowNet(three_way, training=tiny).fit(people)


@pytest.fixture(scope="session")
def rejected(people, pipeline) -> pd.DataFrame:
    """Some rows that the pipeline calls bad."""
    return people[pipeline.predict(people) == "bad"].head(8)


@pytest.fixture(scope="session", name="plain")
def plain_table() -> pd.DataFrame:
    """Two columns of numbers, for fits that must be quick."""
    draw = np.random.default_rng(1)
    return pd.DataFrame({"a": draw.random(40).round(3), "b": draw.integers(0, 10, 40)})


def merit(frame: pd.DataFrame) -> pd.Series:
    """What decides the labels; the noise keeps the probabilities away from 0 and 1."""
    noise = np.random.default_rng(2).normal(0, 0.3, len(frame))
    known = frame["age"] / 80 + frame["income"].fillna(40) / 60 + 0.3 * frame["member"]
    return known + 0.4 * (frame["city"] == "oslo") + 0.3 * frame["grade"].cat.codes + noise


def fitted_pipeline(frame: pd.DataFrame, labels: np.ndarray | pd.Series) -> Pipeline:
    numbers = make_pipeline(FunctionTransformer(as_floats), SimpleImputer(), StandardScaler())
    words = make_pipeline(FunctionTransformer(as_objects), OneHotEncoder(handle_unknown="ignore"))
    columns = make_column_transformer((numbers, NUMBERS), (words, WORDS))
    return make_pipeline(columns, LogisticRegression()).fit(frame, labels)


def as_floats(frame: pd.DataFrame) -> pd.DataFrame:
    days = (frame["since"] - pd.Timestamp("2020-01-01")) / pd.Timedelta(days=1)
    return frame.assign(since=days).apply(lambda column: column.astype("Float64").to_numpy(float, na_value=np.nan))


def as_objects(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype(object).fillna("nothing")

"""The demo, served once for all tests of this folder, and a small table with every kind of column and hostile words."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import numpy as np
import pandas as pd
import pytest
from flats import FLATS, TINY, dear, rent
from hostile_words import HOSTILE, SCRIPT
from served import client_of, served

from counterflownet import CounterFlowNet
from counterflownet.serve import create_app
from counterflownet.serve.demo import demo_constraints, demo_explainer, demo_model, demo_rows


@pytest.fixture(scope="session")
def demo() -> CounterFlowNet:
    return demo_explainer()


@pytest.fixture(scope="session")
def applicants() -> pd.DataFrame:
    return demo_rows(demo_model())


@pytest.fixture(scope="session")
def address(demo, applicants) -> Iterator[str]:
    """Where the demo is served."""
    with served(create_app(demo, rows=applicants, constraints=demo_constraints())) as place:
        yield place


@pytest.fixture(scope="session")
def client(address) -> Iterator[httpx.Client]:
    with client_of(address) as one:
        yield one


@pytest.fixture(scope="session")
def asked(client) -> Callable[..., Any]:
    """Posts a question and returns what is answered; anything but success fails the test."""

    def ask(path: str, **question: Any) -> Any:
        answer = client.post(path, json=question)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return ask


@pytest.fixture(scope="session")
def schema(client) -> dict[str, Any]:
    return client.get("/v1/schema").json()


@pytest.fixture(scope="session")
def rows(client) -> list[dict[str, Any]]:
    """The cells of the applicants that the page offers."""
    return [row["values"] for row in client.get("/v1/rows").json()["rows"]]


@pytest.fixture(scope="session")
def hostile_table() -> pd.DataFrame:
    """Whole numbers, numbers, dates, flags, an order, words, missing values; names and words that would like to act."""
    draw = np.random.default_rng(0)
    grades = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
    frame = pd.DataFrame(
        {
            "age": draw.integers(18, 80, 90),
            "income": draw.normal(40, 12, 90).round(3),
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(draw.integers(0, 900, 90), unit="D"),
            "member": draw.random(90) < 0.5,
            "grade": pd.Series(draw.choice(grades.categories, 90)).astype(grades),
            SCRIPT: draw.choice(HOSTILE, 90),
        }
    )
    frame.loc[draw.random(90) < 0.1, "income"] = np.nan
    return frame


@pytest.fixture(scope="session")
def hostile(hostile_table) -> CounterFlowNet:
    """An explainer of that table: money, the word and the grade decide."""
    tiny = {"steps": 4, "batch_rows": 24, "width": 16}
    return CounterFlowNet(merit, classes=["<b>no</b>", "yes"], training=tiny).fit(hostile_table, progress=False)


@pytest.fixture(scope="session")
def rented() -> CounterFlowNet:
    """An explainer of a regressor."""
    return CounterFlowNet(rent, task="regression", training=TINY).fit(FLATS, progress=False)


@pytest.fixture(scope="session")
def graded() -> CounterFlowNet:
    """An explainer of three classes, of a table with moments, durations and missing values."""
    table = FLATS.assign(
        listed=FLATS["listed"] + pd.Timedelta(hours=7), heating=FLATS["heating"].where(FLATS.index % 9 > 0)
    )
    return CounterFlowNet(dear, classes=["cheap", "fair", "dear"], training=TINY).fit(table, progress=False)


def merit(frame: pd.DataFrame) -> np.ndarray:
    known = frame["income"].fillna(30).to_numpy(dtype=float) / 80
    grade = frame["grade"].astype(str).map({"low": -0.1, "mid": 0.0, "high": 0.1}).to_numpy(dtype=float, na_value=0.0)
    return np.clip(known + grade + 0.1 * (frame[SCRIPT] == HOSTILE[0]).to_numpy(dtype=float), 0.01, 0.99)

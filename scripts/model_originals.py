"""A model file of every kind that ``--model`` reads."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from counterflownet import Schema
from counterflownet.cli.boosting import boosted

NUMBERS, WORDS = ["age", "income"], ["job", "sex"]
CLASSES = ["bad", "good"]


def rows() -> pd.DataFrame:
    """A small table of numbers and words."""
    draw = np.random.default_rng(0)
    numbers = {"age": draw.integers(18, 80, 200), "income": draw.normal(30.0, 9.0, 200)}
    return pd.DataFrame(numbers | {"job": draw.choice(list("abcd"), 200), "sex": draw.choice(list("fm"), 200)})


def labels(table: pd.DataFrame) -> np.ndarray:
    """The class of each row, which depends on all columns."""
    score = table["age"] / 2 + table["income"] + 9 * (table["job"] == "a") + 9 * (table["sex"] == "f")
    return np.where(score > score.median(), *CLASSES[::-1])


def original(kind: str) -> bytes:
    """An undamaged file of this kind."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MODELS[kind](rows(), labels(rows()))
        return to_onnx(model) if kind.startswith("onnx") else skops.io.dumps(model)


def _columns() -> Any:
    return make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(handle_unknown="ignore"), WORDS))


def _fitted(classifier: Any) -> Callable[[pd.DataFrame, np.ndarray], Any]:
    return lambda X, y: make_pipeline(_columns(), classifier).fit(X, y)


MODELS: dict[str, Callable[[pd.DataFrame, np.ndarray], Any]] = {
    "skops, logistic regression": _fitted(LogisticRegression()),
    "skops, support vector machine": _fitted(SVC(probability=True, random_state=0)),
    "skops, neural network": _fitted(MLPClassifier((8,), max_iter=20, random_state=0)),
    "skops, random forest": _fitted(RandomForestClassifier(5, max_depth=4, random_state=0)),
    "skops, gradient boosting": lambda X, y: HistGradientBoostingClassifier(
        max_iter=5, categorical_features="from_dtype"
    ).fit(X.astype(dict.fromkeys(WORDS, "category")), y),
    "skops, written by fit": lambda X, y: boosted(X, pd.Series(y, name="y"), Schema.infer(X), 0)[0],
    "onnx, logistic regression": _fitted(LogisticRegression()),
    "onnx, random forest": _fitted(RandomForestClassifier(5, max_depth=4, random_state=0)),
}


def to_onnx(model: Any) -> bytes:
    """The model with an input for each column."""
    from skl2onnx import convert_sklearn  # noqa: PLC0415 - slow, and for two kinds only
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType  # noqa: PLC0415

    inputs = [(name, FloatTensorType([None, 1])) for name in NUMBERS]
    inputs += [(name, StringTensorType([None, 1])) for name in WORDS]
    return convert_sklearn(model, initial_types=inputs, options={id(model): {"zipmap": False}}).SerializeToString()

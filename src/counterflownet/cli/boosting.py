"""The classifier for those who bring none: gradient boosting on the raw columns, held to account on rows set aside."""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder

from counterflownet.cli.notes import tell
from counterflownet.errors import InvalidInputError, listed
from counterflownet.seeds import derived_seed
from counterflownet.tabular.feature import Kind
from counterflownet.tabular.schema import Schema

HELD_OUT = 0.2
FEWEST_ROWS = 10
MOST_CLASSES = 50
MOST_CATEGORIES = 255  # of one column; the rarer ones share a code
WORDS = (Kind.CATEGORICAL, Kind.ORDERED, Kind.BOOLEAN)


def boosted(X: pd.DataFrame, y: pd.Series, schema: Schema, seed: int) -> tuple[Pipeline, str]:
    """The fitted pipeline, and how well one like it did on rows it had not seen."""
    _check_labels(y)
    chance = derived_seed(seed, "boosting") % 2**32
    labels = y.to_numpy(dtype=str) if pd.api.types.is_string_dtype(y.dtype) else y.to_numpy()
    shared_out = y.value_counts().min() > 1 and len(y) * HELD_OUT >= y.nunique()  # every class is in both parts
    X_train, X_test, y_train, y_test = train_test_split(
        X, labels, test_size=HELD_OUT, random_state=chance, stratify=labels if shared_out else None
    )
    accuracy = _pipeline(schema, chance).fit(X_train, y_train).score(X_test, y_test)
    share = (y_test == pd.Series(y_train).mode().iloc[0]).mean()
    if accuracy <= share:
        tell(
            f"the model is no better than always predicting the most frequent class: there may be nothing about "
            f"{y.name!r} in these columns, and explanations tell little of the world."
        )
    return _pipeline(schema, chance).fit(X, labels), (
        f"gradient boosting, accuracy {accuracy:.1%} on {len(X_test):,} held-out rows (always predicting "
        f"the most frequent class: {share:.1%}), then trained on all rows"
    )


def boosted_regressor(X: pd.DataFrame, y: pd.Series, schema: Schema, seed: int) -> tuple[Pipeline, str]:
    """The same for a column of numbers."""
    chance, numbers = derived_seed(seed, "boosting") % 2**32, numbers_of(y)
    X_train, X_test, y_train, y_test = train_test_split(X, numbers, test_size=HELD_OUT, random_state=chance)
    fit = _pipeline(schema, chance, HistGradientBoostingRegressor).fit(X_train, y_train).score(X_test, y_test)
    return _pipeline(schema, chance, HistGradientBoostingRegressor).fit(X, numbers), (
        f"gradient boosting, explains {fit:.1%} of the variance of {len(X_test):,} held-out rows, then trained on all "
        "rows"
    )


def numbers_of(y: pd.Series) -> NDArray[np.float64]:
    """The column as numbers, or an error."""
    if not pd.api.types.is_numeric_dtype(y.dtype) or pd.api.types.is_bool_dtype(y.dtype) or y.nunique() < 2:
        raise InvalidInputError(
            f"--regression needs a --target of different numbers; column {y.name!r} has {listed(y.unique(), 3)}. For a "
            "column of classes, leave out --regression."
        )
    return y.to_numpy(dtype=np.float64)


def _pipeline(schema: Schema, seed: int, kind: Any = HistGradientBoostingClassifier) -> Pipeline:
    used = [feature for feature in schema if not feature.alone]  # a name of a row tells nothing of other rows
    words = [feature.name for feature in used if feature.kind in WORDS]
    dates = [feature.name for feature in used if feature.kind is Kind.DATE]
    spans = [feature.name for feature in used if feature.kind is Kind.DURATION]
    numbers = [feature.name for feature in used if feature.name not in {*words, *dates, *spans}]
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan, max_categories=MOST_CATEGORIES - 1)
    seconds = [("moment", _as("datetime64[s]")), ("seconds", _as("float64"))]
    columns = [("words", codes, words), ("dates", Pipeline(seconds), dates), ("numbers", _as("float64"), numbers)]
    if spans:
        columns += [("spans", Pipeline([("span", _as("timedelta64[s]")), ("seconds", _as("float64"))]), spans)]
    trees = kind(categorical_features=list(range(len(words))), random_state=seed)
    return Pipeline([("columns", ColumnTransformer(columns)), ("trees", trees)])


def _as(dtype: str) -> FunctionTransformer:
    return FunctionTransformer(np.asarray, kw_args={"dtype": dtype})


def _check_labels(y: pd.Series) -> None:
    count = y.nunique()
    if count < 2:
        raise InvalidInputError(f"column {y.name!r} has only one value, {listed(y.unique())}: nothing can be learned.")
    if len(y) < FEWEST_ROWS:
        raise InvalidInputError(
            f"{len(y)} rows with a value for {y.name!r} are too few to train a model on; there must be {FEWEST_ROWS}. "
            "Give a DATA file with more of them, or a model that is trained already: --model MODEL"
        )
    if count > MOST_CLASSES:
        raise InvalidInputError(
            f"column {y.name!r} has {count:,} different values, but a classifier can have at most {MOST_CLASSES} "
            "classes. Group the values first, or choose another --target. To predict a number: --regression"
        )

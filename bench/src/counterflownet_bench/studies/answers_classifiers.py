"""The classifiers whose answers are judged: a network, two kinds of trees and a linear model, all on raw columns."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from counterflownet_bench.references.reference import (
    ColumnRoles,
    LabelledRows,
    NetworkSettings,
    ReferenceClassifier,
    trained_reference,
)
from counterflownet_bench.studies.answers_tables import AnswersTable, Posed


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """The network of Protocol B as scikit-learn's models are asked."""

    reference: ReferenceClassifier

    @property
    def classes_(self) -> NDArray[Any]:
        return np.array(self.reference.classes)

    def predict_proba(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return self.reference.probabilities(rows)


def _network(table: AnswersTable, posed: Posed, seed: int) -> Any:
    roles = ColumnRoles(
        continuous=tuple(table.numbers), categorical={name: tuple(v) for name, v in table.categories.items()}
    )
    train, test = LabelledRows(posed.fit.X, posed.fit.y), LabelledRows(posed.asked.X, posed.asked.y)
    return NetworkModel(trained_reference(train, test, roles, NetworkSettings(), seed=seed).classifier)


def _boosted(table: AnswersTable, posed: Posed, seed: int) -> Any:
    encoder = OrdinalEncoder(categories=[list(values) for values in table.categories.values()])
    prepared = make_column_transformer((encoder, list(table.categories)), remainder="passthrough")
    nominal = [place for place, name in enumerate(table.categories) if name not in table.ordered]
    trees = HistGradientBoostingClassifier(categorical_features=nominal, random_state=seed)
    return make_pipeline(prepared, trees).fit(posed.fit.X, posed.fit.y)


def _forest(table: AnswersTable, posed: Posed, seed: int) -> Any:
    return make_pipeline(_one_hot(table), RandomForestClassifier(random_state=seed)).fit(posed.fit.X, posed.fit.y)


def _linear(table: AnswersTable, posed: Posed, seed: int) -> Any:  # noqa: ARG001 - nothing in it is left to chance
    model = LogisticRegression(class_weight="balanced", max_iter=1_000)
    return make_pipeline(_one_hot(table), model).fit(posed.fit.X, posed.fit.y)


def _one_hot(table: AnswersTable) -> Any:
    encoder = OneHotEncoder(
        categories=[list(values) for values in table.categories.values()], sparse_output=False, dtype=np.float32
    )
    return make_column_transformer((StandardScaler(), table.numbers), (encoder, list(table.categories)))


CLASSIFIERS: Mapping[str, Callable[[AnswersTable, Posed, int], Any]] = MappingProxyType(
    {"network": _network, "boosted_trees": _boosted, "forest": _forest, "linear": _linear}
)


def accuracy(model: Any, posed: Posed) -> float:
    """The share of the rows to ask about that are put in their class."""
    probable = np.asarray(model.classes_)[model.predict_proba(posed.asked.X).argmax(axis=1)]
    return float((probable == posed.asked.y.to_numpy()).mean())

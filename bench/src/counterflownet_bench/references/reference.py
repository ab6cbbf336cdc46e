"""The classifiers that both protocols explain, trained once and kept."""

from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet_bench.references.cache import (
    content_key,
    default_cache_directory,
    store_classifier,
    stored_classifier,
)
from counterflownet_bench.references.encoding import ColumnRoles, RowEncoder
from counterflownet_bench.references.linear import trained_logistic_regression
from counterflownet_bench.references.model import Layer, ReferenceClassifier
from counterflownet_bench.references.network import trained_network
from counterflownet_bench.references.settings import RECIPES, LogisticSettings, NetworkSettings, Settings

__all__ = [
    "RECIPES",
    "ColumnRoles",
    "LabelledRows",
    "LogisticSettings",
    "NetworkSettings",
    "Reference",
    "ReferenceClassifier",
    "Settings",
    "reference_classifier",
    "trained_reference",
]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledRows:
    """Raw columns and the label of each row."""

    X: pd.DataFrame
    y: pd.Series

    def __post_init__(self) -> None:
        if len(self.X) != len(self.y) or len(self.X) == 0:
            raise InvalidInputError(f"every row needs a label; got {len(self.X)} rows and {len(self.y)} labels.")


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A reference classifier and how it does on the test rows."""

    classifier: ReferenceClassifier = field(repr=False)
    accuracy: float
    predicted: dict[Any, float]
    """Which share of the test rows is put in each class."""
    seconds: float
    """How long the training took, whenever that was."""


def reference_classifier(
    train: LabelledRows,
    test: LabelledRows,
    roles: ColumnRoles,
    settings: Settings,
    *,
    seed: int,
    cache: str | Path | None = None,
) -> Reference:
    """The classifier trained that way, from the cache if it was trained before.

    ``cache`` is a directory; by default ``$COUNTERFLOWNET_CACHE`` or the user's cache directory.
    """
    tables = {name: _table(part, roles) for name, part in (("train", train), ("test", test))}
    key = content_key(settings, roles, seed, tables)
    path = Path(cache or default_cache_directory()) / "classifiers" / f"{key}.safetensors"
    stored = stored_classifier(path)
    if stored is not None:
        return _judged(stored[0], test, seconds=stored[1]["seconds"])
    fresh = trained_reference(train, test, roles, settings, seed=seed)
    store_classifier(path, fresh.classifier, {"seconds": fresh.seconds, "accuracy": fresh.accuracy, "seed": seed})
    return fresh


def trained_reference(
    train: LabelledRows, test: LabelledRows, roles: ColumnRoles, settings: Settings, *, seed: int
) -> Reference:
    """The classifier trained now. Test rows serve for scaling, if the settings say so, and to measure its accuracy."""
    begin = perf_counter()
    scaled = pd.concat([train.X, test.X]) if settings.scaled_on_test else train.X
    encoder = RowEncoder.fit(roles, scaled)
    classes = tuple(sorted(train.y.unique().tolist()))
    layers = _layers(encoder, train, classes, settings, seed)
    fresh = ReferenceClassifier(encoder, layers, classes)
    return _judged(fresh, test, seconds=perf_counter() - begin)


def _layers(
    encoder: RowEncoder, train: LabelledRows, classes: tuple[Any, ...], settings: Settings, seed: int
) -> tuple[Layer, ...]:
    inputs, labels = encoder(train.X), _class_numbers(train.y, classes)
    if isinstance(settings, LogisticSettings):
        return trained_logistic_regression(inputs, labels, settings)
    return trained_network(inputs, labels, settings, class_count=len(classes), seed=seed)


def _judged(classifier: ReferenceClassifier, test: LabelledRows, *, seconds: float) -> Reference:
    found = classifier.predicted(test.X)
    shares = np.bincount(found, minlength=len(classifier.classes)) / len(found)
    return Reference(
        classifier=classifier,
        accuracy=float((found == _class_numbers(test.y, classifier.classes)).mean()),
        predicted=dict(zip(classifier.classes, shares.tolist(), strict=True)),
        seconds=seconds,
    )


def _class_numbers(labels: pd.Series, classes: tuple[Any, ...]) -> Int[ndarray, " row"]:
    return pd.Index(list(classes)).get_indexer(labels).astype(np.int64)


def _table(rows: LabelledRows, roles: ColumnRoles) -> pd.DataFrame:
    """What the classifier sees of the rows, and their labels, under names that cannot meet."""
    parts = {"X": roles.selected(rows.X).reset_index(drop=True), "y": rows.y.reset_index(drop=True).to_frame()}
    return pd.concat(parts, axis=1)

"""A data set's card as what methods, classifiers and metrics need to know."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from counterflownet import Bins, Constraint, Immutable, Increasing, Schema
from counterflownet.tabular import ColumnName
from counterflownet_bench.benchmark.provenance import rows_digest
from counterflownet_bench.datasets import BenchmarkData, DatasetCard
from counterflownet_bench.datasets.card import ConstraintSet
from counterflownet_bench.metrics import MixedSpace
from counterflownet_bench.references.reference import RECIPES, ColumnRoles, LabelledRows, Reference, Settings
from counterflownet_bench.references.reference import reference_classifier as _reference_classifier

MOST_SPACES = 6  # about a hundred megabytes each
_SPACES: dict[tuple[str, str], MixedSpace] = {}


def schema_of(card: DatasetCard, train: pd.DataFrame, bins: Bins) -> Schema:
    """The columns as the card describes them, with the values that training rows have: no method may know others."""
    orders: dict[ColumnName, list[Any]] = {name: _values_in(train, card, name) for name in card.ordered}
    kinds: dict[ColumnName, str] = dict.fromkeys(card.continuous, "continuous")
    kinds |= {name: "categorical" for name in card.categorical if name not in orders}
    return Schema.infer(train, bins=dict.fromkeys(card.continuous, bins), kinds=kinds, orders=orders)


def constraints_of(card: DatasetCard) -> list[Constraint]:
    """What the protocol forbids on this data set."""
    return constraints_in(card.constraint_set("protocol"))


def constraints_in(rules: ConstraintSet) -> list[Constraint]:
    """A set of constraints as objects."""
    found: list[Constraint] = []
    if rules.immutable:
        found.append(Immutable(*rules.immutable))
    if rules.increasing:
        found.append(Increasing(*rules.increasing))
    return found


def mixed_space(card: DatasetCard, train: pd.DataFrame) -> MixedSpace:
    """The space in which Protocol B measures, kept for the next who measures by the same rows.

    Finding the neighbours of all training rows takes longer than most methods do.
    """
    key = (card.name, rows_digest(train))
    if key not in _SPACES:
        _SPACES[key] = MixedSpace(train=train, numeric=card.continuous, categorical=_categories(card))
        while len(_SPACES) > MOST_SPACES:
            del _SPACES[next(iter(_SPACES))]
    return _SPACES[key]


def recipe_of(card: DatasetCard) -> Settings:
    """How the classifier is trained; a stand-in's as that of the data set it stands for."""
    return RECIPES[card.stand_in_for or card.name]


def reference_of(data: BenchmarkData, *, seed: int) -> Reference:
    """The classifier that is explained, the same for every method."""
    card = data.card
    roles = ColumnRoles(continuous=card.continuous, categorical=_categories(card))
    train, test = LabelledRows(data.X_train, data.y_train), LabelledRows(data.X_test, data.y_test)
    return _reference_classifier(train, test, roles, recipe_of(card), seed=seed)


def _categories(card: DatasetCard) -> Mapping[ColumnName, tuple[Any, ...]]:
    return {category.name: category.values for category in card.categories}


def _values_in(train: pd.DataFrame, card: DatasetCard, name: str) -> list[Any]:
    present = set(train[name].unique().tolist())
    return [value for value in card.category(name).values if value in present]

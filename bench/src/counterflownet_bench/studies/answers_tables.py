"""The tables whose answers are judged, with their roles, and what may realistically change in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from counterflownet import Schema
from counterflownet.seeds import numpy_generator
from counterflownet.tabular import ColumnName
from counterflownet_bench.datasets import CARDS, BenchmarkData
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_space import TableSpace

BREAST_CANCER = "breast_cancer"  # 30 correlated numbers, which come with scikit-learn
PartName = Literal["test", "held_out"]
PARTS: tuple[PartName, ...] = get_args(PartName)
HELD_OUT = 0.25  # of the training rows
MOST_CHANGES = 3


def _of_the_card(name: str) -> Rules:
    return Rules(CARDS[name].immutable, CARDS[name].increasing, MOST_CHANGES)


# What one may ask of somebody who wants a credit.
REALISTIC: Mapping[str, Rules] = MappingProxyType(
    {
        "german_credit": _of_the_card("german_credit"),
        # Its protocol forbids nothing; nobody grows younger, and dependents are no advice.
        "give_me_some_credit": Rules(("NumberOfDependents",), ("age",), MOST_CHANGES),
    }
)


@dataclass(frozen=True, eq=False)
class Rows:
    """Raw columns and labels."""

    X: pd.DataFrame
    y: pd.Series


@dataclass(frozen=True, eq=False)
class Posed:
    """Rows to fit classifier and explainer on, and rows to ask about."""

    fit: Rows
    asked: Rows


@dataclass(frozen=True, eq=False, kw_only=True)
class AnswersTable:
    """All columns that are no ``categories`` hold numbers."""

    name: str
    train: Rows = field(repr=False)
    test: Rows = field(repr=False)
    desirable: Any
    categories: Mapping[ColumnName, Sequence[Any]] = field(default_factory=dict, repr=False)
    ordered: tuple[ColumnName, ...] = ()

    def posed(self, part: PartName, seed: int) -> Posed:
        """Test rows beside all training rows, or, to tune by, training rows held out beside the others."""
        if part == "test":
            return Posed(self.train, self.test)
        order = numpy_generator(seed, "answers held out").permutation(len(self.train.X))
        count = int(HELD_OUT * len(order))
        return Posed(_taken(self.train, np.sort(order[count:])), _taken(self.train, np.sort(order[:count])))

    @cached_property
    def numbers(self) -> list[ColumnName]:
        return [name for name in self.train.X.columns if name not in self.categories]

    def space(self, train: pd.DataFrame) -> TableSpace:
        return TableSpace.of(train, categories=self.categories, ordered=self.ordered)

    def schema(self, train: pd.DataFrame) -> Schema:
        """What a user tells the library: which columns are categories, and the order of those that have one."""
        kinds = {name: "categorical" for name in self.categories if name not in self.ordered}
        present = {name: set(train[name].unique().tolist()) for name in self.ordered}
        orders = {name: [v for v in self.categories[name] if v in present[name]] for name in self.ordered}
        return Schema.infer(train, kinds=kinds, orders=orders)


def table_from(data: BenchmarkData) -> AnswersTable:
    """A table of the protocols."""
    card = data.card
    return AnswersTable(
        name=card.name,
        train=Rows(data.X_train, data.y_train),
        test=Rows(data.X_test, data.y_test),
        desirable=card.desirable,
        categories={category.name: category.values for category in card.categories},
        ordered=card.ordered,
    )


def breast_cancer() -> AnswersTable:
    """Scikit-learn's table; what is wanted is that a tumour is benign."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    train, test = Rows(X_train.reset_index(drop=True), y_train), Rows(X_test.reset_index(drop=True), y_test)
    return AnswersTable(name=BREAST_CANCER, train=train, test=test, desirable=1)


def _taken(rows: Rows, places: Any) -> Rows:
    return Rows(rows.X.iloc[places].reset_index(drop=True), rows.y.iloc[places].reset_index(drop=True))

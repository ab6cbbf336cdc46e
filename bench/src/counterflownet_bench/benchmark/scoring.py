"""What a method gave, measured as its protocol says; validity is asked of the classifier anew."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet import Bins, Schema
from counterflownet_bench.baselines.method import Given
from counterflownet_bench.benchmark.presets import BINS
from counterflownet_bench.benchmark.roles import mixed_space, schema_of
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.datasets.card import ConstraintSet
from counterflownet_bench.metrics import (
    Answers,
    change_evaluation,
    coded_evaluation,
    evaluate_changes,
    evaluate_coded,
    evaluate_mixed,
    mixed_evaluation,
    without_copies,
)
from counterflownet_bench.metrics.mixed_space import MixedSpace
from counterflownet_bench.metrics.tightness import OrderedColumn, strategies, tightness
from counterflownet_bench.references.reference import ReferenceClassifier

PERCENT = ("minimality", "training_rows", "validity_returned")


@dataclass(frozen=True, eq=False)
class Scoring:
    """One data set, its classifier, the rows to explain and the class wanted for each (by number)."""

    data: BenchmarkData
    classifier: ReferenceClassifier
    rows: pd.DataFrame
    target: NDArray[np.int64]
    train: pd.DataFrame = field(repr=False)
    bins: Bins | None = None
    """In which bins Protocol A measures; None: in its own."""

    def answers(self, given: Given, count: int) -> Answers:
        """The answers that change something, each with the classifier's own verdict."""
        kept = without_copies(self.rows, given.counterfactuals, given.row)
        counterfactuals = given.counterfactuals.take(kept).reset_index(drop=True)
        row = given.row[kept]
        return Answers(
            factuals=self.rows,
            counterfactuals=counterfactuals,
            row=row,
            rank=given.rank[kept],
            valid=self.valid(counterfactuals, row),
            count=count,
        )

    def valid(self, rows: pd.DataFrame, row: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows the classifier puts in the class that is wanted for their factual."""
        if len(rows) == 0:
            return np.zeros(0, dtype=np.bool_)
        return self.classifier.predicted(rows) == self.target[row]

    def metrics(self, answers: Answers) -> dict[str, Any]:
        """Protocol A in percent; Protocol B as shares, under both conventions."""
        extra = evaluate_changes(change_evaluation(answers, self.train, self.valid))
        extra["validity_returned"] = float(answers.valid.mean()) if len(answers.valid) else float("nan")
        extra |= {
            "tightness": tightness(answers, self.ordered, self.valid),
            "strategies": strategies(answers, self.ordered),
        }
        if self.data.card.protocol == "a":
            record = coded_evaluation(answers, self._schema, increasing=self.data.card.increasing)
            return evaluate_coded(record) | {k: v * (100.0 if k in PERCENT else 1.0) for k, v in extra.items()}
        covered = len(np.unique(answers.row[answers.valid])) / len(self.rows)
        mixed: dict[str, Any] = dict(evaluate_mixed(mixed_evaluation(answers, self._space)))
        return mixed | {"coverage": covered} | extra

    def violations(self, answers: Answers, rules: ConstraintSet | None = None) -> dict[str, int]:
        """How many answers break a rule (by default: of the protocol), compared on the raw values."""
        schema = self._schema
        rules = self.data.card.constraint_set("protocol") if rules is None else rules
        names = list(answers.factuals.columns)
        fixed = answers.changed[:, [names.index(name) for name in rules.immutable]].any(axis=1)
        lowered = np.zeros(len(answers.row), dtype=np.bool_)
        for name in rules.increasing:
            before, after = (
                schema[name].coordinates(rows[name]) for rows in (answers.factuals, answers.counterfactuals)
            )
            lowered |= after < before[answers.row]
        return {"immutable": int(fixed.sum()), "increasing": int(lowered.sum())}

    def changed_columns(self, answers: Answers) -> dict[str, int]:
        """How many of the valid answers change each column."""
        counts = answers.changed[answers.valid].sum(axis=0)
        return dict(zip(map(str, answers.factuals.columns), counts.tolist(), strict=True))

    def directions(self, answers: Answers) -> list[dict[str, Any]]:
        """How many instances lead from which class to which, and how many places and instances got valid answers."""
        classes = self.classifier.classes
        found = np.bincount(answers.row[answers.valid], minlength=len(self.rows))
        return [
            {
                "from": classes[1 - number],
                "to": classes[number],
                "instances": int((self.target == number).sum()),
                "validity": float(found[self.target == number].mean() / answers.count),
                "coverage": float((found[self.target == number] > 0).mean()),
            }
            for number in range(len(classes))
            if (self.target == number).any()
        ]

    @cached_property
    def _schema(self) -> Schema:
        return schema_of(self.data.card, self.train, self.bins or BINS[self.data.card.protocol])

    @cached_property
    def ordered(self) -> tuple[OrderedColumn, ...]:
        """The columns whose values have an order."""
        card = self.data.card
        numbers = [OrderedColumn.of_numbers(self.train[name]) for name in card.continuous]
        named = [(name, card.category(name).values) for name in card.ordered]
        return (*numbers, *(OrderedColumn.of_categories(self.train[name], values) for name, values in named))

    @cached_property
    def _space(self) -> MixedSpace:
        return mixed_space(self.data.card, self.train)


def plain_json(value: Any) -> Any:
    """The value as JSON knows it: numpy's numbers as plain ones, what is not a finite number as null."""
    if isinstance(value, Mapping):
        return {str(key): plain_json(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value

"""DiCE (Mothilal et al. 2020) as its authors' package dice-ml answers, asked in a process of its own."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd

from counterflownet.errors import (
    CounterFlowNetError,
    InvalidInputError,
    check_at_least,
    check_count,
    check_one_of,
)
from counterflownet.seeds import derived_seed
from counterflownet_bench.baselines.dice_environment import BARE, dice_python
from counterflownet_bench.baselines.dice_process import DiceKind, DiceQuestion, DiceReply, SparsitySearch
from counterflownet_bench.baselines.method import Given, Task, class_numbers, places_within
from counterflownet_bench.datasets import DatasetCard
from counterflownet_bench.references.model import ReferenceClassifier


@dataclass(frozen=True, slots=True)
class DiceMethod:
    """One of dice-ml's methods with its defaults, and the processor's seconds after which it must give up a row.

    ``sparsity_search`` is how the random kind and the tree move numbers back to the row's: step by step, which can take
    minutes where a column has a wide range, or by halving, which dice-ml ends without asking whether the last number it
    tried is valid, or not at all.

    Immutable columns are not among those it may vary. Columns that must not decrease have, for each row, a permitted
    range that begins at the row's own value. Both are left to dice-ml, which mostly keeps them: the genetic kind fills
    a population for which there are too few training rows with a row of zeros that knows no constraint, and a number
    with more decimals than most of its column may be rounded to just below its row's. The ``kdtree`` kind draws
    nothing, so its answers are the same under each seed.
    """

    kind: DiceKind
    seconds_per_row: float = 20.0
    sparsity_search: SparsitySearch = "linear"

    def __post_init__(self) -> None:
        check_one_of("kind", self.kind, get_args(DiceKind))
        check_one_of("sparsity_search", self.sparsity_search, get_args(SparsitySearch))
        check_at_least("seconds_per_row", self.seconds_per_row, 0.001)

    def settings(self) -> dict[str, Any]:
        return asdict(self) | {"packages": list(BARE)}

    def fit(self, task: Task) -> "FittedDice":
        """Nothing is learned; the environment is made, if there is none yet."""
        classifier = task.classifier
        if not isinstance(classifier, ReferenceClassifier):
            raise InvalidInputError(
                "dice-ml runs in a process of its own and is told the classifier's layers, so it explains reference "
                f"classifiers only; got {type(classifier).__name__}. Use counterflownet_bench.references.reference."
            )
        return FittedDice(self, task, classifier, dice_python())


@dataclass(frozen=True, slots=True, eq=False)
class FittedDice:
    """What dice-ml's process has to be told, and the interpreter that it runs in."""

    method: DiceMethod
    task: Task
    classifier: ReferenceClassifier
    python: Path

    @property
    def training(self) -> Mapping[str, Any]:
        return {"package": BARE[0]}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        """What dice-ml shows; it knows one selection, its own.

        A row whose time was over is counted as ``timed_out``, one on which dice-ml raised an error as ``failed``.
        """
        check_count("count", count)
        card, train = self.task.card, self.task.train
        question = DiceQuestion(
            card=card,
            train=train,
            rows=rows,
            targets=class_numbers(self.classifier.classes, targets).tolist(),
            seeds=[derived_seed(self.task.seed, "dice", i) % 2**32 for i in range(len(rows))],
            count=count,
            ranges=_ranges(card, train, rows),
            **asdict(self.method),
        )
        reply = question.reply(self.classifier, self.python)
        self.classifier.tally.add(reply.calls)
        return given_by(reply, rows, list(train.columns), count)


def _ranges(card: DatasetCard, train: pd.DataFrame, rows: pd.DataFrame) -> list[dict[str, list[Any]]]:
    """For each row what columns that must not decrease may become, in dice-ml's words: two ends, or all categories."""
    ranges: list[dict[str, list[Any]]] = [{} for _ in range(len(rows))]
    for name in card.increasing:
        for row, value in zip(ranges, rows[name].tolist(), strict=True):
            row[name] = _upwards(card, train[name], value)
    return ranges


def _upwards(card: DatasetCard, column: pd.Series, value: Any) -> list[Any]:
    name = str(column.name)
    if name in card.continuous:
        return [value, max(column.max().item(), value)]
    values, seen = card.category(name).values, set(column.unique().tolist())
    return [str(other) for other in values[values.index(value) :] if other in seen]


def given_by(reply: DiceReply, rows: pd.DataFrame, columns: Sequence[str], count: int) -> Given:
    """The reply as every method gives its answers, without copies of the factuals."""
    _check_some_worked(reply.reasons)
    factuals = rows[list(reply.answers.columns)].iloc[reply.row].reset_index(drop=True)
    changed = (reply.answers != factuals).any(axis=1).to_numpy()
    answers, row = reply.answers[changed].reset_index(drop=True), reply.row[changed]
    answer_counts = np.bincount(row, minlength=len(rows)).tolist()
    outcomes = Counter(_outcome(*told, count) for told in zip(reply.reasons, answer_counts, strict=True))
    return Given(counterfactuals=answers[list(columns)], row=row, rank=places_within(row) + 1, outcomes=outcomes)


def _check_some_worked(reasons: Sequence[str | None]) -> None:
    """A method that fails everywhere has not been measured."""
    failures = [reason for reason in reasons if reason is not None and reason.startswith("failed")]
    if failures and len(failures) == len(reasons):
        raise CounterFlowNetError(f"dice-ml {failures[0]} (on this and on every other of {len(reasons)} rows).")


def _outcome(reason: str | None, answer_count: int, count: int) -> str:
    if reason is not None:
        return reason.split(":", maxsplit=1)[0]
    return "complete" if answer_count == count else "partial" if answer_count else "none"

"""What a call asks for: in common to ``explain``, ``sample`` and ``diagnose``, and what ``explain`` wants besides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy import ndarray

from counterflownet import errors
from counterflownet.reward.preference import Wish

DiversityOver = Literal["changed", "all"]


@dataclass(frozen=True, slots=True)
class Request:
    """One call, for all its rows alike; :meth:`CounterFlowNet.explain` says what each entry means.

    ``for_answers`` tells whether answers are asked for, which are scored without the margin that samples need.
    """

    samples: int
    seed: int
    target: Any
    constraints: Any
    row_constraints: Any
    progress: bool | None = None
    chunk_rows: int | None = None
    confidence: float | None = None
    for_answers: bool = False
    wish: Wish = field(default_factory=Wish)
    row_preferences: Any = None

    def __post_init__(self) -> None:
        errors.check_count("samples", self.samples)
        check_confidence(self.confidence)
        if self.chunk_rows is not None:
            errors.check_count("chunk_rows", self.chunk_rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which answers ``explain`` is to give, and how long it searches; :meth:`CounterFlowNet.explain` says more."""

    count: int
    minimal: bool
    tight: bool
    diversity: float
    diversity_over: DiversityOver
    worth: float
    rounds: int
    seconds: float | None

    def __post_init__(self) -> None:
        errors.check_count("count", self.count)
        errors.check_count("rounds", self.rounds)
        errors.check_between("diversity", self.diversity, 0.0, 1.0)
        errors.check_between("worth", self.worth, 0.0, 1.0)
        errors.check_one_of("diversity_over", self.diversity_over, get_args(DiversityOver))
        errors.check_one_of("minimal", self.minimal, [True, False])
        errors.check_one_of("tight", self.tight, [True, False])
        if self.seconds is not None:
            errors.check_positive("seconds", self.seconds, "Leave it out to stop after the rounds.")


def check_confidence(confidence: Any) -> None:
    """An error unless it is None or a probability."""
    if confidence is not None:
        errors.check_between("confidence", confidence, 0.0, 1.0)


def target_numbers(target: Any, classes: tuple[Any, ...], predicted: Int[ndarray, " row"]) -> Int[ndarray, " row"]:
    """The number of the wanted class, one per row: a class, a list with one for each row, or None for the other one."""
    if target is None:
        if len(classes) > 2:
            raise errors.InvalidInputError(
                f"with {len(classes)} classes the target must be named. Allowed: {errors.listed(map(repr, classes))}."
            )
        return 1 - predicted
    if is_list(target):
        return _per_row(target, classes, len(predicted))
    return np.full(len(predicted), class_number(target, classes))


def _per_row(targets: Any, classes: tuple[Any, ...], row_count: int) -> Int[ndarray, " row"]:
    if len(targets) != row_count:
        raise errors.InvalidInputError(
            f"{len(targets)} targets were given for {errors.counted(row_count, 'row')}; give one for all, or one for "
            "each in order. If any of several classes will do: AnyOf('good', 'fair')."
        )
    return np.array([class_number(target, classes) for target in targets], dtype=np.int64)


def class_number(target: Any, classes: tuple[Any, ...]) -> int:
    """The number of a class by its label, or an error that lists the labels."""
    target = target.item() if isinstance(target, np.generic) else target
    for number, label in enumerate(classes):
        if _equal(target, label):
            return number
    remedy = "Mind the type: 1 and '1' are different labels." if str(target) in map(str, classes) else ""
    raise errors.unknown_name("target class", target, classes, remedy, shown=repr)


def _equal(target: Any, label: Any) -> bool:
    try:
        return bool(target == label)
    except (TypeError, ValueError):  # a missing value or an array, which are no label
        return False


def is_list(target: Any) -> bool:
    """Whether there is a target for each row; a tuple may be a label."""
    if isinstance(target, np.ndarray):
        return target.ndim > 0
    lists = (pd.Series, pd.Index, pd.api.extensions.ExtensionArray, Sequence)
    return isinstance(target, lists) and not isinstance(target, (str, bytes, tuple))

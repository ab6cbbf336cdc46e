"""What is asked of each row: how an answer is judged, what the flow is told, and what people read."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError, counted, listed
from counterflownet.explain.request import class_number, is_list, target_numbers
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, By, ClassesTarget, Interval, NumberTarget
from counterflownet.reward.candidates import reached
from counterflownet.reward.goals import ClassGoals, Goals, IntervalGoals
from counterflownet.reward.ranks import Ranks

NUMBERS = (Between, AtLeast, AtMost, By)
ALLOWED = "AtLeast(x), AtMost(x), Between(low, high), By(amount) or By(percent=...)"

Outputs = Float[ndarray, "row output"]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One entry per row.

    ``aim`` is what the flow is told: the number of a class, or the places of an interval and of the row's own
    prediction. ``goals`` are None where that class is all that is wanted. ``wanted`` and ``predicted`` are as people
    read them, ``before`` the probability of what is wanted, or the prediction. ``already`` says which rows are valid
    as they are.
    """

    aim: Int[ndarray, " row"] | Float[ndarray, "row 3"]
    goals: Goals | None
    wanted: tuple[Any, ...]
    predicted: tuple[Any, ...]
    before: Float[ndarray, " row"]
    already: Bool[ndarray, " row"]


def question_of(
    target: Any, confidence: float | None, classes: tuple[Any, ...], ranks: Ranks | None, outputs: Outputs
) -> Question:
    """The question that a ``target`` puts to rows of which the model says ``outputs``."""
    if ranks is not None:
        return _of_numbers(target, confidence, ranks, outputs)
    _refuse_numbers(target, classes)
    if _any_of(target, ClassesTarget):
        return _of_sets(target, confidence, classes, outputs)
    predicted = outputs.argmax(axis=1)
    numbers = target_numbers(target, classes, predicted)
    return Question(
        aim=numbers,
        goals=None,
        wanted=tuple(classes[number] for number in numbers),
        predicted=tuple(classes[number] for number in predicted),
        before=outputs[np.arange(len(numbers)), numbers],
        already=reached(outputs, numbers, confidence),
    )


def accepts_several(target: Any, classes: tuple[Any, ...]) -> bool:
    """Whether more than one class will do for some row."""
    targets = target if is_list(target) else [target]
    sets = (entry for entry in targets if isinstance(entry, ClassesTarget))
    return any(sum(_accepted(entry, classes)) > 1 for entry in sets)


def _of_sets(target: Any, confidence: float | None, classes: tuple[Any, ...], outputs: Outputs) -> Question:
    targets = _per_row(target, len(outputs))
    accepted = np.array([_accepted(entry, classes) for entry in targets], dtype=np.bool_).reshape(outputs.shape)
    goals = ClassGoals(accepted, outputs, confidence)
    single = accepted.sum(axis=1) == 1
    wanted = (
        classes[row.argmax()] if one else entry for row, one, entry in zip(accepted, single, targets, strict=True)
    )
    return Question(
        aim=goals.aims(0),
        goals=None if single.all() else goals,
        wanted=tuple(wanted),
        predicted=tuple(classes[number] for number in outputs.argmax(axis=1)),
        before=goals.told(outputs),
        already=goals.valid(outputs),
    )


def _accepted(target: Any, classes: tuple[Any, ...]) -> list[bool]:
    """Which classes will do."""
    if not isinstance(target, ClassesTarget):
        number = class_number(target, classes)
        return [place == number for place in range(len(classes))]
    named = {class_number(label, classes) for label in target.classes}
    accepted = [(number in named) == isinstance(target, AnyOf) for number in range(len(classes))]
    if all(accepted) or not any(accepted):
        claim = "every row is in one of them" if all(accepted) else "no class is left"
        raise InvalidInputError(
            f"{target!r} names all classes, so {claim}. The classes: {listed(map(repr, classes))}. Leave some out."
        )
    return accepted


def _of_numbers(target: Any, confidence: float | None, ranks: Ranks, outputs: Outputs) -> Question:
    if confidence is not None:
        raise InvalidInputError(
            "confidence is the probability of a class, and a regressor has none. To be surer that a prediction is "
            "where you want it, narrow the interval: AtLeast(0.65) instead of AtLeast(0.6)."
        )
    before = outputs[:, 0]
    targets = _per_row(target, len(outputs))
    intervals = tuple(map(_interval, targets, before.tolist()))
    low, high = (np.array([getattr(one, end) for one in intervals], dtype=np.float64) for end in ("low", "high"))
    goals = IntervalGoals(low, high, ranks)
    places = np.stack([*ranks.ends(low, high), np.clip(ranks.place(before), 0.0, 1.0)], axis=1)
    return Question(
        aim=places.astype(np.float32),
        goals=goals,
        wanted=intervals,
        predicted=tuple(before.tolist()),
        before=before,
        already=goals.valid(outputs),
    )


def _interval(target: Any, before: float) -> Interval:
    if isinstance(target, By):
        return target.interval(before)
    if isinstance(target, Interval):
        return target
    given = "no target was given" if target is None else f"got {target!r}"
    raise InvalidInputError(f"a regressor is asked where its prediction should lie; {given}. Allowed: {ALLOWED}.")


def _refuse_numbers(target: Any, classes: tuple[Any, ...]) -> None:
    if not _any_of(target, NumberTarget):
        return
    first = next(entry for entry in (target if is_list(target) else [target]) if isinstance(entry, NumberTarget))
    low = first.low if isinstance(first, AtLeast) and 0 < first.low < 1 else 0.6
    raise InvalidInputError(
        f"{first!r} asks for a number, and this model gives classes. For a class of probability {low:g} or more "
        f"write target={classes[-1]!r}, confidence={low:g}; allowed are also AnyOf(...) and Not(...). To explain a "
        "probability or another score as a number, fit CounterFlowNet(lambda rows: ..., task='regression')."
    )


def _any_of(target: Any, kinds: Any) -> bool:
    return any(isinstance(entry, kinds) for entry in (target if is_list(target) else [target]))


def _per_row(target: Any, row_count: int) -> list[Any]:
    if not is_list(target):
        return [target] * row_count
    if len(target) != row_count:
        raise InvalidInputError(
            f"{len(target)} targets were given for {counted(row_count, 'row')}; give one for all, or one for each in "
            "order."
        )
    return list(target)

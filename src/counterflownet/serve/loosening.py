"""Why nothing was found: the constraints without which there would be an answer, and what that answer is."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from counterflownet.explain import CounterFlowNet, Explanation
from counterflownet.serve.describe import row_records
from counterflownet.tabular.rule import Constraint

MOST = 60  # constraints that are tried one after the other; a page has one or two for each column
ENOUGH = 3
AT_ONCE = 16  # rows between two looks at the clock
LEVELS = [0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]  # that the page offers
FREE = -1  # the label of the row that is asked without any constraint


def loosening(
    explainer: CounterFlowNet,
    row: pd.DataFrame,
    constraints: Sequence[Constraint],
    asked: dict[str, Any],
    until: float = math.inf,
) -> dict[str, Any]:
    """What becomes possible without each one of the constraints, as far as is known by ``until``.

    They are asked as rows of a few calls; time is as :func:`time.monotonic` counts it.
    """
    given = {name: value for name, value in asked.items() if name != "count"}
    tried = range(min(len(constraints), MOST))
    others = {n: [rule for place, rule in enumerate(constraints) if place != n] for n in tried}
    ways: dict[int, dict[str, Any]] = {}
    for labels in _batched([FREE, *tried], AT_ONCE):
        rows = pd.concat([row] * len(labels)).set_axis(pd.Index(labels), axis=0)
        own = {label: others[label] for label in labels if label != FREE}
        found = explainer.explain(rows, row_constraints=own, count=ENOUGH, progress=False, **given)
        numbers = zip(labels, found.numbers_by_row(), strict=True)
        ways |= {label: _way(found, some.tolist()) for label, some in numbers if len(some)}
        if time.monotonic() > until:
            break
    free = ways.pop(FREE, {"found": 0})
    ranked = sorted(ways.items(), key=lambda way: -way[1].pop("reward"))
    return {
        "ways": [{"constraint": n, **way} for n, way in ranked],
        "without_all": free["found"],
        "surest": _surest(explainer, row, constraints, given) if time.monotonic() < until else None,
    }


def _batched(labels: Sequence[int], most: int) -> Iterator[list[int]]:
    """The labels in lists of at most so many."""
    for start in range(0, len(labels), most):
        yield list(labels[start : start + most])


def _way(found: Explanation, numbers: list[int]) -> dict[str, Any]:
    best = numbers[0]
    return {
        "found": len(numbers),
        "changed": [column for column, _, _ in found.changes(best)],
        "values": row_records(found.counterfactuals.iloc[[best]])[0]["values"],
        found.told: float(found.probability[best]),
        "reward": float(found.reward[best]),
    }


def _surest(
    explainer: CounterFlowNet, row: pd.DataFrame, constraints: Sequence[Constraint], asked: dict[str, Any]
) -> dict[str, Any] | None:
    """What there is at the highest certainty, in whole steps, at which there is anything."""
    if asked.get("confidence") is None:
        return None
    own = {row.index[0]: list(constraints)}  # of the row alone, so that contradictions are an outcome and no error
    levels: list[float | None] = [None, *(level for level in LEVELS if level < asked["confidence"])]
    best: dict[str, Any] | None = None
    low, high = 0, len(levels)
    while low < high:  # the lowest first, since most often there is none; then halves, as more is never easier
        place = (low + high) // 2 if best is not None else low
        given = {**asked, "confidence": levels[place]}
        found = explainer.explain(row, row_constraints=own, count=ENOUGH, progress=False, **given)
        if len(found.row):
            best, low = {"confidence": levels[place], **_way(found, list(range(len(found.row))))}, place + 1
        else:
            high = place
    return best

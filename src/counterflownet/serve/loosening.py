"""Why nothing was found: the constraints without which there would be an answer."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from counterflownet.explain import CounterFlowNet, Explanation
from counterflownet.tabular.rule import Constraint

MOST = 60  # constraints that are tried one after the other; a page has one or two for each column
ENOUGH = 3
FREE = -1  # the label of the row that is asked without any constraint


def loosening(
    explainer: CounterFlowNet, row: pd.DataFrame, constraints: Sequence[Constraint], asked: dict[str, Any]
) -> dict[str, Any]:
    """What becomes possible without each one of the constraints, all asked at once as rows of one call."""
    tried = list(range(min(len(constraints), MOST)))
    labels = [*tried, FREE]
    rows = pd.concat([row] * len(labels)).set_axis(pd.Index(labels), axis=0)
    others = {n: [rule for place, rule in enumerate(constraints) if place != n] for n in tried}
    given = {name: value for name, value in asked.items() if name != "count"}
    found = explainer.explain(rows, row_constraints=others, count=ENOUGH, progress=False, **given)
    numbers = found.numbers_by_row()
    ways = [_way(found, n, numbers[n].tolist()) for n in tried if len(numbers[n])]
    return {
        "ways": sorted(ways, key=lambda way: -way.pop("reward")),
        "without_all": len(numbers[-1]),
        "without_confidence": _without_confidence(explainer, row, constraints, given),
    }


def _way(found: Explanation, constraint: int, numbers: list[int]) -> dict[str, Any]:
    best = numbers[0]
    return {
        "constraint": constraint,
        "found": len(numbers),
        "changed": [column for column, _, _ in found.changes(best)],
        "probability": float(found.probability[best]),
        "reward": float(found.reward[best]),
    }


def _without_confidence(
    explainer: CounterFlowNet, row: pd.DataFrame, constraints: Sequence[Constraint], asked: dict[str, Any]
) -> int:
    if asked.get("confidence") is None:
        return 0
    own = {row.index[0]: list(constraints)}  # of the row alone, so that contradictions are an outcome and no error
    less = {**asked, "confidence": None}
    return len(explainer.explain(row, row_constraints=own, count=ENOUGH, progress=False, **less).row)

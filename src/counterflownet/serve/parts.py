"""An explanation of many rows taken apart into those of some of them, and written as records."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.explain import CounterFlowNet, Explanation
from counterflownet.explain.oddities import oddities


def part_of(explanation: Explanation, rows: slice, index: pd.Index, explainer: CounterFlowNet) -> Explanation:
    """The explanation of the rows at these positions alone, under the labels of ``index``."""
    kept = (explanation.row >= rows.start) & (explanation.row < rows.stop)
    (number,) = kept.nonzero()
    factuals = explanation.factuals.iloc[rows].set_axis(index, axis=0)
    found = explanation.counterfactuals.iloc[number].reset_index(drop=True)
    row = explanation.row[kept] - rows.start
    names = list(explainer.schema.names)
    return replace(
        explanation,
        factuals=factuals,
        counterfactuals=found,
        row=row,
        **{name: getattr(explanation, name)[kept] for name in ("rank", "valid", "reward", "strategy", "probability")},
        terms={name: values[kept] for name, values in explanation.terms.items()},
        changed=explanation.changed[kept],
        follows=None if explanation.follows is None else explanation.follows[kept],
        **{name: getattr(explanation, name)[rows] for name in ("probability_before", "targets", "predicted")},
        outcomes=explanation.outcomes[rows],
        oddities=oddities(explainer.schema, explainer.relations, factuals.take(row)[names], found[names]),
    )


def record_of(explanation: Explanation) -> dict[str, Any]:
    """The library's own JSON, with the terms of the reward together and names that no column can take."""
    data = explanation.to_dict()
    terms = list(explanation.terms)
    followed = explanation.follows is not None and bool(np.any(explanation.follows))
    for row in data["rows"]:
        row["counterfactuals"] = [
            _answer(found, explanation.told, terms, followed=followed) for found in row["counterfactuals"]
        ]
    return {"note": "", **data}


def _answer(found: dict[str, Any], told: str, terms: list[str], *, followed: bool) -> dict[str, Any]:
    names = ["values", "rank", "strategy", "valid", told, "reward", *terms, "changed"]
    named = dict(zip([*names, "follows"] if followed else names, found.values(), strict=True))
    plain = {name: named[name] for name in ("values", "rank", "strategy", "valid", told, "reward", "changed")}
    return {**plain, "terms": {name: named[name] for name in terms}, "follows": named.get("follows", [])}

"""Answers that a person picked or made, put in the place of those that were found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.errors import InvalidInputError
from counterflownet.explain import CounterFlowNet, Explanation, Outcome, RowOutcome
from counterflownet.serve.judging import changed_cells, judged
from counterflownet.tabular.rule import Constraint


def picked(
    found: Explanation,
    answers: pd.DataFrame,
    explainer: CounterFlowNet,
    constraints: Sequence[Constraint],
    **asked: Any,
) -> Explanation:
    """The explanation of one row with these answers; an error unless all of them hold."""
    names = list(explainer.schema.names)
    before = found.factuals.iloc[[0] * len(answers)]
    told = judged(explainer, before, answers, constraints, **asked)
    for number, one in enumerate(told):
        if not one["valid"] or one["broken"] or not one["changed"]:
            raise InvalidInputError(
                f"answer {number} cannot stand in a letter: it must lead to the target, change something, and keep "
                "every constraint."
            )
    places = [names.index(name) for name in found.factuals.columns]
    changed = changed_cells(explainer.schema, before, answers, constraints)
    differs = changed_cells(explainer.schema, before, answers, ())
    return replace(
        found,
        counterfactuals=answers[list(found.factuals.columns)].reset_index(drop=True),
        row=np.zeros(len(told), dtype=np.int64),
        rank=np.arange(1, len(told) + 1),
        strategy=np.arange(1, len(told) + 1),
        valid=np.ones(len(told), dtype=np.bool_),
        reward=np.array([one["reward"] for one in told]),
        probability=np.array([one[found.told] for one in told]),
        terms={name: np.array([one["terms"][name] for one in told]) for name in told[0]["terms"]},
        changed=changed[:, places],
        follows=(differs & ~changed)[:, places],
        outcomes=(RowOutcome(Outcome.COMPLETE),),
        asked=len(told),
    )

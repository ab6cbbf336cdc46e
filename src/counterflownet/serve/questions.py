"""Questions as the service gets them, turned into what the library takes."""

from copy import copy
from dataclasses import replace
from typing import Any

import pandas as pd

from counterflownet.errors import InvalidInputError
from counterflownet.explain import CounterFlowNet
from counterflownet.serve import records
from counterflownet.serve.cells import frame_of
from counterflownet.serve.settings import Limits
from counterflownet.serve.targets import target_of
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.rule_records import rule_of


def rows_of(question: records.Explain | records.Sample, explainer: CounterFlowNet, limits: Limits) -> pd.DataFrame:
    """The rows to explain, under their labels."""
    limits.check("rows", len(question.rows))
    labels = question.labels
    if labels is not None and len(labels) != len(question.rows):
        raise InvalidInputError(
            f"labels must name every row or none; got {len(labels)} of them for {len(question.rows)} rows."
        )
    return frame_of(question.rows, explainer, labels)


def constraints_of(question: records.Wishes | records.Sample) -> list[Constraint]:
    """The constraints and rules that the records describe."""
    return [rule_of(record) for record in question.constraints]


def wishes(question: records.Wishes | records.Sample, explainer: CounterFlowNet) -> dict[str, Any]:
    """What ``explain``, ``sample`` and ``score`` have in common, as keyword arguments."""
    names = {str(name): name for name in explainer.schema.names}
    costs = None if question.costs is None else {names.get(name, name): cost for name, cost in question.costs.items()}
    return {"target": target_of(question.target), "weights": question.weights, "costs": costs}


def effort(question: records.Explain, limits: Limits) -> dict[str, Any]:
    """How many answers are wanted, and how hard they are searched for, as keyword arguments of ``explain``."""
    asked = {name: getattr(question, name) for name in ("count", "samples", "rounds")}
    for name, value in asked.items():
        limits.check(name, value)
    return {**asked, "diversity": question.diversity, "confidence": question.confidence}


def seeded(explainer: CounterFlowNet, seed: int | None) -> CounterFlowNet:
    """The same explainer, with another seed for what it draws; what it has learned is shared."""
    if seed is None:
        return explainer
    other = copy(explainer)
    other.settings = replace(explainer.settings, seed=seed)
    return other

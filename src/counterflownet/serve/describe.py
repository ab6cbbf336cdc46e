"""What is served, told as records: the columns with their kinds and ranges, the rules, and what can be weighed."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from counterflownet._version import VERSION
from counterflownet.errors import ConstraintError
from counterflownet.explain import CounterFlowNet
from counterflownet.serve.settings import Limits
from counterflownet.tabular.feature import Feature, Kind
from counterflownet.tabular.frame import plain
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.rule_records import record_of


def description(explainer: CounterFlowNet, limits: Limits, constraints: Sequence[Constraint]) -> dict[str, Any]:
    """All that a page, or any other caller, must know to ask questions."""
    fingerprint = explainer.fingerprint
    return {
        "version": VERSION,
        "explainer": fingerprint.explainer,
        "model": fingerprint.model,
        "seed": explainer.settings.seed,
        "task": "classification" if explainer.classes else "regression",
        "classes": list(explainer.classes),
        "predictions": _predictions(explainer),
        "columns": [column_record(feature) for feature in explainer.schema],
        "constraints": [record_of(constraint) for constraint in constraints],
        "relations": _writable(explainer.relations),
        "terms": list(explainer.terms),
        "weights": asdict(explainer.settings.weights),
        "preferences": explainer.settings.training.preferences,
        "limits": {name: getattr(limits, name) for name in limits.__slots__},
    }


def _predictions(explainer: CounterFlowNet) -> dict[str, float] | None:
    """Where the predictions of a regressor lie for the rows of training; None for a classifier."""
    ranks = explainer.ranks
    if ranks is None:
        return None
    low, high = (float(np.interp(share, ranks.places, ranks.knots)) for share in (0.25, 0.75))
    return {"least": ranks.least, "most": ranks.most, "low": low, "high": high}


def column_record(feature: Feature) -> dict[str, Any]:
    """One column: what its cells may be, and a usual one."""
    values = feature.fine_values or feature.values
    return {
        "name": feature.name,
        "kind": str(feature.kind),
        "ordered": feature.has_order,
        "values": [] if feature.numeric else [cell_record(value) for value in feature.values],
        "low": cell_record(values[0]) if feature.numeric else None,
        "high": cell_record(values[-1]) if feature.numeric else None,
        "whole": feature.whole,
        "timed": feature.kind is Kind.DATE and any(_has_time(value) for value in values),
        "usual": cell_record(_usual(feature)),
    }


def cell_record(value: Any) -> Any:
    """A cell as the library's own JSON has it: a date as text, a missing value as null."""
    value = plain(value)
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return None
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def row_records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows with their labels."""
    cells = zip(rows.index, rows.itertuples(index=False, name=None), strict=True)
    names = [str(name) for name in rows.columns]
    return [
        {"label": cell_record(label), "values": dict(zip(names, map(cell_record, row), strict=True))}
        for label, row in cells
    ]


def _has_time(moment: Any) -> bool:
    """Whether it is more than a day; a date without a clock is none."""
    stamp = pd.Timestamp(moment)
    return bool(stamp != stamp.normalize())


def _usual(feature: Feature) -> Any:
    if not feature.numeric:
        return feature.values[0]
    if not feature.grid:
        return feature.values[feature.code_count // 2]
    middle = int(np.abs(np.asarray(feature.ranks) - 0.5).argmin())
    return feature.values_of(np.asarray(feature.grid[middle : middle + 1], dtype=np.float64))[0]


def _writable(rules: Sequence[Constraint]) -> list[dict[str, Any]]:
    """The rules that can be told as records: those that hold a function of the user's program cannot."""
    written = []
    for rule in rules:
        try:
            written.append(record_of(rule))
        except ConstraintError:
            continue
    return written

"""One explainer for many threads: questions in, records out, each within its time."""

import os
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Event
from typing import Any

import pandas as pd

from counterflownet.errors import InvalidInputError
from counterflownet.explain import CounterFlowNet, Explanation
from counterflownet.serve import records
from counterflownet.serve.batching import Batcher, OutOfTimeError
from counterflownet.serve.cells import frame_of
from counterflownet.serve.describe import description, row_records
from counterflownet.serve.judging import judged
from counterflownet.serve.loosening import loosening
from counterflownet.serve.parts import part_of, record_of
from counterflownet.serve.picked import picked
from counterflownet.serve.predicting import predictions, told_by
from counterflownet.serve.questions import constraints_of, effort, rows_of, seeded, wishes
from counterflownet.serve.settings import Limits
from counterflownet.serve.targets import record_of as record_of_target
from counterflownet.tabular.rule import Constraint

AT_ONCE = 8  # rows of one request that are worked between two looks at the clock
SHARED = set(records.Explain.model_fields) - {"rows", "labels"}  # what requests agree on that are worked together
ALL_ROWS = 2_000  # that the page may choose from


@dataclass(frozen=True, slots=True, eq=False)
class _Call:
    """Some rows, and how to explain them."""

    explainer: CounterFlowNet
    rows: pd.DataFrame
    arguments: dict[str, Any]


class Engine:
    """Answers questions about one explainer; safe to be called by many threads at once."""

    def __init__(
        self,
        explainer: CounterFlowNet,
        limits: Limits,
        *,
        rows: pd.DataFrame | None = None,
        constraints: Sequence[Constraint] = (),
        target: Any = None,
    ) -> None:
        self.explainer, self.limits, self.constraints = explainer, limits, constraints
        self._rows, self._target = rows, record_of_target(target, explainer.classes)
        turns = max(1, (os.cpu_count() or 1) // 2)  # most of the work is Python's, which takes turns anyway
        self._batcher: Batcher[_Call, Explanation] = Batcher(_worked, turns=turns, waiting=limits.waiting)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The columns, the rules and everything else that can be asked about."""
        told = description(self.explainer, self.limits, self.constraints)
        return told | {"target": self._target}

    @cached_property
    def rows(self) -> dict[str, Any]:
        """The rows to choose from, with what is predicted of each."""
        if self._rows is None or not len(self._rows):
            return {"rows": [], "left_out": 0}
        shown = self.explainer.schema.ordered_rows(self._rows.head(ALL_ROWS), "rows")
        said = predictions(self.explainer, shown)
        told = [{**row, **prediction} for row, prediction in zip(row_records(shown), said, strict=True)]
        for row, label in zip(told, _distinct([row["label"] for row in told]), strict=True):
            row["label"] = label
        return {"rows": told, "left_out": len(self._rows) - len(shown)}

    def predict(self, question: records.Predict) -> dict[str, Any]:
        """The probabilities of some rows."""
        self.limits.check("rows", len(question.rows))
        said = predictions(self.explainer, frame_of(question.rows, self.explainer))
        return {"classes": list(self.explainer.classes), "rows": said}

    def explain(self, question: records.Explain, gone: Event) -> dict[str, Any]:
        """The answers to every row, as far as time lasts."""
        frame = rows_of(question, self.explainer, self.limits)
        parts, reached = self._explanations(frame, question, gone)
        told = [record_of(part) for part in parts]
        late = row_records(frame.iloc[reached:])
        left = [_unreached(row, told_by(self.explainer), self.limits.seconds) for row in late]
        return {
            "asked": question.count,
            "confidence": question.confidence,
            "oddities": _added([part["oddities"] for part in told]),
            "note": next((part["note"] for part in told if part["note"]), ""),
            "rows": [row for part in told for row in part["rows"]] + left,
        }

    def explanation(self, question: records.Explain, gone: Event) -> Explanation:
        """The answer to a question about one row, as the library gives it."""
        frame = rows_of(question, self.explainer, self.limits)
        if len(frame) != 1:
            raise InvalidInputError(f"a letter is about one row; got {len(frame)}. Ask once for each.")
        parts, _ = self._explanations(frame, question, gone)
        if not parts:
            raise OutOfTimeError
        return parts[0]

    def chosen(self, question: records.Letter, gone: Event) -> Explanation:
        """The answer to one row, made of the answers that were picked if any were."""
        found = self.explanation(question, gone)
        if not question.answers:
            return found
        rows = frame_of(question.answers, self.explainer)
        asked = wishes(question, self.explainer) | {"confidence": question.confidence}
        return picked(found, rows, self.explainer, constraints_of(question), **asked)

    def sample(self, question: records.Sample) -> dict[str, Any]:
        """Samples as they are drawn."""
        self.limits.check("samples", question.samples)
        frame = rows_of(question, self.explainer, self.limits)
        asked = wishes(question, self.explainer) | {"constraints": constraints_of(question)}
        explainer = seeded(self.explainer, question.seed)
        return record_of(explainer.sample(frame, samples=question.samples, progress=False, **asked))

    def score(self, question: records.Score) -> dict[str, Any]:
        """How rows of anybody's making are judged as answers."""
        self.limits.check("rows", len(question.counterfactuals))
        before, after = (frame_of(rows, self.explainer) for rows in (question.factuals, question.counterfactuals))
        asked = wishes(question, self.explainer) | {"confidence": question.confidence}
        return {"rows": judged(self.explainer, before, after, constraints_of(question), **asked)}

    def loosen(self, question: records.Loosen) -> dict[str, Any]:
        """Which constraints of a row stand in the way of an answer."""
        frame = rows_of(question, self.explainer, self.limits)
        asked = self._arguments(question)
        constraints = asked.pop("constraints")
        until = time.monotonic() + self.limits.seconds
        return loosening(seeded(self.explainer, question.seed), frame.iloc[:1], constraints, asked, until)

    def _arguments(self, question: records.Explain) -> dict[str, Any]:
        constraints = constraints_of(question)
        return wishes(question, self.explainer) | effort(question, self.limits) | {"constraints": constraints}

    def _explanations(
        self, frame: pd.DataFrame, question: records.Explain, gone: Event
    ) -> tuple[list[Explanation], int]:
        """Explanations of the first rows, and how many rows these are: all, unless time was short."""
        until, explainer = time.monotonic() + self.limits.seconds, seeded(self.explainer, question.seed)
        arguments, asked = self._arguments(question), question.model_dump_json(include=SHARED)
        parts: list[Explanation] = []
        for start in range(0, len(frame), AT_ONCE):
            rows = frame.iloc[start : start + AT_ONCE]
            key = (asked, tuple(rows.dtypes.map(repr)))  # of other types, cells would change when they come together
            try:
                call = _Call(explainer, rows, arguments)
                parts.append(self._batcher.answer(key, call, until=until, gone=gone))
            except OutOfTimeError:
                return parts, start
        return parts, len(frame)


def _distinct(labels: Sequence[Any]) -> list[Any]:
    """The labels, with numbers behind those that were there before: a page tells rows apart by them."""
    seen: dict[Any, int] = {}
    found = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        found.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return found


def _worked(_: Hashable, calls: Sequence[_Call]) -> list[Explanation]:
    """The explanations of several calls that ask for the same, by one call of the library."""
    first = calls[0]
    if len(calls) == 1:
        return [first.explainer.explain(first.rows, progress=False, **first.arguments)]
    together = pd.concat([call.rows for call in calls], ignore_index=True)
    explanation = first.explainer.explain(together, progress=False, **first.arguments)
    ends = pd.Series([len(call.rows) for call in calls]).cumsum().tolist()
    return [
        part_of(explanation, slice(end - len(call.rows), end), call.rows.index, first.explainer)
        for call, end in zip(calls, ends, strict=True)
    ]


def _unreached(row: dict[str, Any], told: str, seconds: float) -> dict[str, Any]:
    reason = f"the {seconds:g} s that a request may take were over before this row; ask for fewer rows at a time"
    nothing: dict[str, Any] = {"predicted": None, "target": None, f"{told}_before": None, "counterfactuals": []}
    return {"factual": row["label"], "values": row["values"], "outcome": "out_of_time", "reason": reason, **nothing}


def _added(counts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    by_rule: dict[str, int] = {}
    for one in counts:
        for rule, count in one["by_rule"].items():
            by_rule[rule] = by_rule.get(rule, 0) + count
    return {"count": sum(one["count"] for one in counts), "by_rule": by_rule}

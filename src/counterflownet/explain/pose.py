"""The first stage of every call: rows become questions, chunk by chunk, or get their outcome at once."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from rich.console import Console
from rich.progress import track

from counterflownet._preferences import Preferences
from counterflownet.explain.explanation import Outcome, RowOutcome
from counterflownet.explain.foresight import FEW_ROWS, Foreseen, foreseen, ground_of
from counterflownet.explain.learned import Learned
from counterflownet.explain.question import Question, question_of
from counterflownet.explain.request import Request
from counterflownet.explain.sampler import Sampler
from counterflownet.explain.search import Search, rows_at_once
from counterflownet.flow.context import Questions
from counterflownet.reward.reach import reach_of
from counterflownet.reward.reward import Reward
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.frame import check_not_empty
from counterflownet.tabular.prepared import compiled, prepared
from counterflownet.training.notebook import in_notebook, tracked

MOST_RULE_SETS = 8  # of rows of one chunk that have rules of their own: what rules join grows with all of them


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some of the rows, from ``start`` on: those that are ``asked`` are searched, the others have their outcome."""

    start: int
    constraints: CheckedConstraints
    search: Search
    asked: Int[ndarray, " asked"]
    refused: Mapping[int, RowOutcome]

    @property
    def row_count(self) -> int:
        return len(self.search.questions)


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """All rows that are asked about, as ``given`` and in the schema's order, and what is asked of each."""

    learned: Learned
    request: Request
    constraints: CheckedConstraints
    given: pd.DataFrame
    rows: pd.DataFrame
    question: Question
    reward: Reward
    preferences: Preferences | None = None
    foreseen: Foreseen | None = None

    @property
    def corrected(self) -> bool:
        """Whether samples need a correction, since the flow knows nothing of what is preferred."""
        return self.preferences is not None and not self.learned.conditioned

    def chunks(self) -> Iterator[Chunk]:
        """The rows, as many at a time as fit into memory, each chunk ready to be searched."""
        size = _chunk_rows(self.learned, self.request)
        for part in self._tracked(parts_of(self.constraints.rule_sets(self.rows.index), size)):
            yield self._chunk(part)

    def _chunk(self, part: slice) -> Chunk:
        learned, constraints = self.learned, self.constraints.among(self.rows.index[part])
        table, allowance = self._prepared(constraints, part)
        refused = _refused(allowance, self.question.already[part])
        asked = np.array([row for row in range(len(table)) if row not in refused], dtype=np.int64)
        codes, offsets = torch.from_numpy(table.codec.codes), torch.from_numpy(table.codec.offsets)
        preferences = None if self.preferences is None else self.preferences[part]
        told = preferences.single() if preferences is not None and learned.conditioned else None
        aim = torch.from_numpy(self.question.aim[part])
        reach = reach_of(self.reward, table, np.arange(len(table))) if learned.model.policy.informed else None
        questions = Questions(codes, aim, allowance.allowed, offsets, told, reach)
        search = Search(
            Sampler(learned.model.policy, self.request.samples, self.request.seed),
            self.reward.under(preferences),
            questions,
            ground_of(table, allowance),
            learned.examples,
            self.request.confidence,
            None if self.question.goals is None else self.question.goals[part],
            self.foreseen,
        )
        return Chunk(part.start, constraints, search, asked, refused)

    def _prepared(self, constraints: CheckedConstraints, part: slice) -> tuple[Factuals, Allowance]:
        if self.foreseen is not None:
            return self.foreseen.table, self.foreseen.allowance
        table = prepared(constraints, self.learned.schema, self.rows.iloc[part], self.learned.scale)
        return table, compiled(constraints, table.codec)

    def _tracked(self, parts: Sequence[slice]) -> Iterable[slice]:
        asked_for = self.request.progress
        if in_notebook() and (len(parts) > 1 if asked_for is None else asked_for):
            return tracked(parts, "explaining")
        shown = sys.stderr.isatty() and len(parts) > 1 if asked_for is None else asked_for
        if not shown:
            return parts
        return track(parts, description="explaining", console=Console(stderr=True))


def parts_of(rule_sets: Int[ndarray, " row"], size: int) -> list[slice]:
    """Rows in their order, cut so that no part has more than ``size`` of them or more than a few sets of rules."""
    parts, start, met = [], 0, set[int]()
    for row, number in enumerate(rule_sets.tolist()):
        if row - start == size or len(met | {number}) > MOST_RULE_SETS:
            parts.append(slice(start, row))
            start, met = row, set()
        met.add(number)
    return [*parts, slice(start, len(rule_sets))]


def pose(learned: Learned, request: Request, given: pd.DataFrame, *, ahead: bool = False) -> Posed:
    """The rows checked and put in order, the constraints checked, the classifier asked what it says of the rows.

    If single changes will be looked at in any case, those of few rows are asked about ``ahead``.
    """
    check_not_empty(given, "rows")
    rows = learned.schema.ordered_rows(given, "rows")
    constraints = CheckedConstraints.of(learned.schema, request.constraints, request.row_constraints, rows.index)
    size = _chunk_rows(learned, request)
    parts = [rows.iloc[start : start + size] for start in range(0, len(rows), size)]
    early = ahead and len(rows) <= min(FEW_ROWS, size) and not constraints.has_rules
    known = foreseen(learned, constraints, rows) if early else None
    told = [known.of_factuals] if known else [learned.reward.classifier.probabilities(part) for part in parts]
    return Posed(
        learned=learned,
        request=request,
        constraints=constraints,
        given=given,
        rows=rows,
        question=question_of(request.target, request.confidence, learned.classes, learned.ranks, np.concatenate(told)),
        reward=learned.reward.without_margin() if request.for_answers else learned.reward,
        preferences=learned.asked(request.wish, request.row_preferences, rows.index),
        foreseen=known,
    )


def _chunk_rows(learned: Learned, request: Request) -> int:
    if request.chunk_rows is not None:
        return request.chunk_rows
    return rows_at_once(learned.schema.space, request.samples)


def _refused(allowance: Allowance, already: Bool[ndarray, " row"]) -> dict[int, RowOutcome]:
    """The rows for which nothing is drawn, each with its reason."""
    editable = allowance.allowed.codes.any(dim=1).numpy()
    refused = {int(row): RowOutcome(Outcome.NOTHING_ALLOWED) for row in np.flatnonzero(~editable)}
    refused |= {row: RowOutcome(Outcome.NOTHING_ALLOWED, why) for row, why in allowance.closed.items()}
    refused |= {row: RowOutcome(Outcome.CONTRADICTION, why) for row, why in allowance.contradictions.items()}
    return refused | {int(row): RowOutcome(Outcome.ALREADY_TARGET) for row in np.flatnonzero(already)}

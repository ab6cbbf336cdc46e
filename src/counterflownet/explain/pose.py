"""The first stage of every call: rows become questions, chunk by chunk, or get their outcome at once."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from rich.console import Console
from rich.progress import track

from counterflownet import _threads
from counterflownet._preferences import Preferences
from counterflownet.explain.explanation import Outcome, RowOutcome
from counterflownet.explain.foresight import FEW_ROWS, Foreseen, foreseen, ground_of
from counterflownet.explain.learned import Learned
from counterflownet.explain.question import Question, question_of
from counterflownet.explain.request import Request
from counterflownet.explain.sampler import Sampler
from counterflownet.explain.search import Search, rows_at_once
from counterflownet.explain.side_by_side import AT_A_TIME, side_by_side
from counterflownet.flow.context import Questions
from counterflownet.protocols import Classifier
from counterflownet.reward.reach import reach_of
from counterflownet.reward.reward import OURS, Reward
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.frame import check_not_empty
from counterflownet.tabular.prepared import compiled, prepared
from counterflownet.training.notebook import in_notebook, tracked

WORTH_A_CORE = 100  # rows that take longer to be searched than a chunk takes to be begun
MOST_RULE_SETS = 8  # of rows of one chunk that have rules of their own: what rules join grows with all of them

T = TypeVar("T")
Made = TypeVar("Made")


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
        parts = self._parts()
        return self._tracked((self._chunk(part, self.reward) for part in parts), len(parts))

    def worked(self, work: Callable[[Chunk], Made]) -> Generator[tuple[Chunk, Made], None, None]:
        """The same with what ``work`` makes of each; of several chunks, two are worked at a time if they can be."""

        def both(part: slice, classifier: Classifier) -> tuple[Chunk, Made]:
            chunk = self._chunk(part, replace(self.reward, classifier=classifier))
            return chunk, work(chunk)

        parts, classifier = self._parts(), self.reward.classifier
        if len(parts) > 1 and _cores(self.reward, self.constraints) > 1:
            return self._tracked(side_by_side(parts, both, classifier), len(parts))
        return self._tracked((both(part, classifier) for part in parts), len(parts))

    def _parts(self) -> list[slice]:
        size = _chunk_rows(self.learned, self.request)
        if self.request.chunk_rows is None:
            size = even_size(len(self.rows), size, _cores(self.reward, self.constraints))
        return parts_of(self.constraints.rule_sets(self.rows.index), size)

    def _chunk(self, part: slice, reward: Reward) -> Chunk:
        learned, constraints = self.learned, self.constraints.among(self.rows.index[part])
        table, allowance = self._prepared(constraints, part)
        refused = _refused(allowance, self.question.already[part])
        asked = np.array([row for row in range(len(table)) if row not in refused], dtype=np.int64)
        codes, offsets = torch.from_numpy(table.codec.codes), torch.from_numpy(table.codec.offsets)
        preferences = None if self.preferences is None else self.preferences[part]
        told = preferences.single() if preferences is not None and learned.conditioned else None
        aim = torch.from_numpy(self.question.aim[part])
        reach = reach_of(reward, table, np.arange(len(table))) if learned.model.policy.informed else None
        questions = Questions(codes, aim, allowance.allowed, offsets, told, reach)
        search = Search(
            Sampler(learned.model.policy, self.request.samples, self.request.seed),
            reward.under(preferences),
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

    def _tracked(self, chunks: Generator[T, None, None], count: int) -> Generator[T, None, None]:
        with closing(chunks):
            yield from self._under_a_bar(chunks, count)

    def _under_a_bar(self, chunks: Iterable[T], count: int) -> Iterable[T]:
        asked_for = self.request.progress
        if in_notebook() and (count > 1 if asked_for is None else asked_for):
            return tracked(chunks, "explaining", count)
        shown = sys.stderr.isatty() and count > 1 if asked_for is None else asked_for
        if not shown:
            return chunks
        return track(chunks, description="explaining", total=count, console=Console(stderr=True))


def even_size(row_count: int, most: int, cores: int) -> int:
    """The size of chunks that keep all ``cores`` busy to the end, none of more rows than ``most``."""
    together = min(cores, AT_A_TIME)
    count = -(-row_count // most)
    if row_count >= together * WORTH_A_CORE:
        count = -(-count // together) * together
    return max(1, -(-row_count // max(count, 1)))


def _cores(reward: Reward, constraints: CheckedConstraints) -> int:
    """How many chunks may be worked at a time: one where functions of the caller are asked besides the classifier."""
    others = [term for term, _ in reward.terms if not isinstance(term, OURS)]
    return 1 if others or constraints.has_functions else _threads.granted()


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
    early = ahead and len(rows) <= min(FEW_ROWS, size)
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

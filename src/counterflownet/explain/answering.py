"""One call of explain: rows worked in chunks, each row with an outcome."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from rich.console import Console
from rich.progress import track

from counterflownet.errors import ConstraintError
from counterflownet.explain.candidates import Candidates, Sampler
from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome
from counterflownet.explain.learned import Learned
from counterflownet.explain.search import Drawn, Search
from counterflownet.explain.selection import Chosen, DiversityOver, choose
from counterflownet.explain.target import target_numbers
from counterflownet.flow.question import Questions
from counterflownet.reward.reward import Factuals
from counterflownet.reward.terms import lead_of_target
from counterflownet.tabular.allowance import Allowance, check_constraints, compile_constraints
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Constraint
from counterflownet.tabular.frame import check_not_empty

Answer = Callable[[Search, Int[ndarray, " asked"]], tuple[Candidates, Chosen]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestAnswers:
    """Valid candidates only, chosen among all that were found."""

    count: int
    rounds: int
    minimal: bool
    diversity: float
    diversity_over: DiversityOver

    def __call__(self, search: Search, asked: Int[ndarray, " asked"]) -> tuple[Candidates, Chosen]:
        found = search.find(asked, wanted=self.count, rounds=self.rounds, minimal=self.minimal)
        space = search.sampler.policy.space
        return found, choose(found, space, self.count, self.diversity, self.diversity_over)


@dataclass(frozen=True, slots=True)
class EverySample:
    """All samples in the order they were drawn, valid or not, doubles and all, but those that changed nothing.

    With ``corrected_to``, so many of them by their importance weights.
    """

    corrected_to: int | None = None

    def __call__(self, search: Search, asked: Int[ndarray, " asked"]) -> tuple[Candidates, Chosen]:
        if self.corrected_to is None:
            return _as_drawn(search.draw(asked))
        return _as_drawn(search.resample(asked, self.corrected_to))


def _as_drawn(drawn: Drawn) -> tuple[Candidates, Chosen]:
    at, place = np.nonzero(drawn.sample >= 0)
    return drawn.candidates, Chosen(drawn.sample[at, place], drawn.asked[at], place + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The answers to one chunk of rows; ``row`` counts from the chunk's first."""

    frame: pd.DataFrame
    row: Int[ndarray, " answer"]
    rank: Int[ndarray, " answer"]
    valid: Bool[ndarray, " answer"]
    reward: ndarray
    terms: Mapping[str, ndarray]
    changed: Bool[ndarray, "answer feature"]
    outcomes: tuple[RowOutcome, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Answering:
    """What one call asks for, for all rows alike."""

    learned: Learned
    target: Any
    constraints: Sequence[Constraint]
    row_constraints: Mapping[Any, Sequence[Constraint]]
    samples: int
    chunk_rows: int
    progress: bool | None
    seed: int

    def answer(self, given: pd.DataFrame, how: Answer, *, asked: int) -> Explanation:
        """The explanation of all rows, answered as ``how`` says, chunk by chunk."""
        classes = self.learned.classes
        posed = self.posed(given)
        parts = [_answered(chunk, how, asked) for chunk in self.chunks(posed)]
        starts = range(0, len(posed.rows), self.chunk_rows)
        frame, arrays, terms = _joined(parts, list(starts))
        changed = arrays.pop("changed")
        if list(frame.columns) != list(given.columns):  # back to the order the rows were given in
            place = frame.columns.get_indexer(given.columns)
            frame, changed = frame[list(given.columns)], changed[:, place]
        return Explanation(
            # What the caller does to his table later is no part of the answer; pandas copies what he changes then.
            factuals=given.copy(deep=False),
            counterfactuals=frame,
            changed=changed,
            terms=terms,
            targets=tuple(classes[number] for number in posed.target),
            predicted=tuple(classes[number] for number in posed.predicted),
            outcomes=tuple(outcome for part in parts for outcome in part.outcomes),
            asked=asked,
            **arrays,
        )

    def posed(self, given: pd.DataFrame) -> "Posed":
        """The rows in the schema's order, with what the classifier says of them and what is wanted."""
        check_not_empty(given, "rows")
        rows = self.learned.schema.ordered_rows(given, "rows")
        self._check_constraints(rows)
        ask = self.learned.reward.classifier.probabilities
        starts = range(0, len(rows), self.chunk_rows)
        probabilities = np.concatenate([ask(rows.iloc[start : start + self.chunk_rows]) for start in starts])
        predicted = probabilities.argmax(axis=1)
        target = target_numbers(self.target, self.learned.classes, predicted)
        return Posed(rows, predicted, target, lead_of_target(probabilities, target) > 0)

    def chunks(self, posed: "Posed") -> Iterator["Chunk"]:
        """The rows, so many at a time as fit into memory, each chunk ready to be searched."""
        for start in self._tracked(range(0, len(posed.rows), self.chunk_rows)):
            yield self._chunk(posed, slice(start, start + self.chunk_rows))

    def _chunk(self, posed: "Posed", some: slice) -> "Chunk":
        rows = posed.rows.iloc[some]
        factuals = Factuals.of(Codec(self.learned.schema, rows))
        own = {label: given for label, given in self.row_constraints.items() if label in rows.index}
        allowance = compile_constraints(factuals.codec, self.constraints, own)
        refused = _refused(allowance, posed.already[some])
        asking = np.array([row for row in range(len(rows)) if row not in refused], dtype=np.int64)
        target = torch.from_numpy(posed.target[some])
        codec = factuals.codec
        codes, offsets = torch.from_numpy(codec.codes), torch.from_numpy(codec.offsets)
        questions = Questions(codes, target, allowance.allowed, offsets)
        sampler = Sampler(self.learned.model.policy, self.samples, self.seed)
        return Chunk(Search(sampler, self.learned.reward, factuals, questions), asking, refused)

    def _check_constraints(self, rows: pd.DataFrame) -> None:
        check_constraints(self.learned.schema, self.constraints)
        for label, own in self.row_constraints.items():
            if label not in rows.index:
                raise ConstraintError(
                    f"row_constraints names row {label!r}, which is not among the rows to explain (by index label)."
                )
            check_constraints(self.learned.schema, [*self.constraints, *own])

    def _tracked(self, starts: range) -> Iterable[int]:
        shown = sys.stderr.isatty() and len(starts) > 1 if self.progress is None else self.progress
        if not shown:
            return starts
        return track(starts, description="explaining", console=Console(stderr=True))


@dataclass(frozen=True, slots=True, eq=False)
class Posed:
    """All rows that are asked about; ``already`` says which are in their target class as they are."""

    rows: pd.DataFrame
    predicted: Int[ndarray, " row"]
    target: Int[ndarray, " row"]
    already: Bool[ndarray, " row"]


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some of the rows: those that are ``asked`` are searched, the others have their outcome already."""

    search: Search
    asked: Int[ndarray, " asked"]
    refused: Mapping[int, RowOutcome]


def _answered(chunk: Chunk, how: Answer, asked: int) -> Part:
    candidates, chosen = how(chunk.search, chunk.asked)
    row_count = len(chunk.search.questions)
    valid = candidates.scores.valid[chosen.number]
    counts = np.bincount(chosen.row[valid], minlength=row_count).tolist()
    outcomes = tuple(chunk.refused.get(row) or _outcome(counts[row], asked) for row in range(row_count))
    return _part(candidates, chosen, outcomes)


def _refused(allowance: Allowance, already: Bool[ndarray, " row"]) -> dict[int, RowOutcome]:
    """The rows for which nothing is drawn, each with its reason."""
    editable = allowance.allowed.codes.any(dim=1).numpy()
    refused = {int(row): RowOutcome(Outcome.NOTHING_ALLOWED) for row in np.flatnonzero(~editable)}
    refused |= {row: RowOutcome(Outcome.CONTRADICTION, why) for row, why in allowance.contradictions.items()}
    return refused | {int(row): RowOutcome(Outcome.ALREADY_TARGET) for row in np.flatnonzero(already)}


def _outcome(found: int, asked: int) -> RowOutcome:
    if found >= asked:
        return RowOutcome(Outcome.COMPLETE)
    if found == 0:
        return RowOutcome(Outcome.NONE_VALID)
    return RowOutcome(Outcome.PARTIAL, f"{found} of {asked}")


def _part(candidates: Candidates, chosen: Chosen, outcomes: tuple[RowOutcome, ...]) -> Part:
    scores, number = candidates.scores, chosen.number
    return Part(
        frame=scores.rows.take(number),
        row=chosen.row,
        rank=chosen.rank,
        valid=scores.valid[number],
        reward=scores.reward[number],
        terms={name: values[number] for name, values in scores.terms.items()},
        changed=candidates.edited.changed[number],
        outcomes=outcomes,
    )


def _joined(parts: list[Part], starts: list[int]) -> tuple[pd.DataFrame, dict[str, Any], dict[str, ndarray]]:
    """The rows of all chunks, every array of theirs by its name, and every term by its own."""
    frame = _in_one([part.frame for part in parts])
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("rank", "valid", "reward")}
    arrays["row"] = np.concatenate([part.row + start for part, start in zip(parts, starts, strict=True)])
    arrays["changed"] = np.concatenate([part.changed for part in parts])
    terms = {name: np.concatenate([part.terms[name] for part in parts]) for name in parts[0].terms}
    return frame, arrays, terms


def _in_one(frames: list[pd.DataFrame]) -> pd.DataFrame:
    """The frames below each other, taken apart on the way: so only one column at a time is in memory twice."""
    if len(frames) == 1:
        return frames[0].reset_index(drop=True)
    names = list(frames[0].columns)
    columns = [pd.concat([frame.pop(name) for frame in frames], ignore_index=True) for name in names]
    return pd.DataFrame(dict(enumerate(columns)), copy=False).set_axis(pd.Index(names), axis=1)

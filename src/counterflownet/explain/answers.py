"""A call from end to end: rows are posed, searched and chosen from chunk by chunk, then become one explanation."""

import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.explain.carried import AsGiven, locked_cells
from counterflownet.explain.choose import Chosen, choose, every_sample, far_fetched
from counterflownet.explain.explanation import Explanation, Outcome, RowOutcome
from counterflownet.explain.hunt import Effort, Hunt
from counterflownet.explain.oddities import oddities
from counterflownet.explain.origin import Origin
from counterflownet.explain.pose import Chunk, Posed
from counterflownet.explain.reach import Nearest, unreached
from counterflownet.explain.request import Wanted
from counterflownet.explain.search import Pool
from counterflownet.explain.verification import Verification
from counterflownet.reward.goals import IntervalGoals
from counterflownet.tabular.follows import Carried

UNCONDITIONED = (
    "the flow was trained for one preference and asked for another: answers are ordered by what was asked for, samples "
    "corrected by importance weights; a fit with preferences=True would look where they are"
)


@dataclass(frozen=True, slots=True, eq=False)
class ChunkAnswers:
    """The answers to one chunk of rows; ``row`` counts from the first row of the call."""

    frame: pd.DataFrame
    row: Int[ndarray, " answer"]
    rank: Int[ndarray, " answer"]
    valid: Bool[ndarray, " answer"]
    reward: Float[ndarray, " answer"]
    terms: Mapping[str, Float[ndarray, " answer"]]
    changed: Bool[ndarray, "answer feature"]
    strategy: Int[ndarray, " answer"]
    probability: Float[ndarray, " answer"]
    follows: Bool[ndarray, "answer feature"]
    outcomes: tuple[RowOutcome, ...]


def best_answers(posed: Posed, wanted: Wanted) -> Explanation:
    """The best valid candidates of every row."""
    parts, verification = [], Verification(posed)
    with closing(posed.worked(partial(_hunted, posed, wanted, time.monotonic()))) as worked:
        for chunk, (hunt, found) in worked:
            pool = verification.stable(found)
            chosen = choose(pool, wanted.count, wanted.diversity, wanted.diversity_over, wanted.worth)
            tried = Tried(
                hunt.oracle.asked_about(chunk.row_count),
                hunt.oracle.reach.nearest(),
                far_fetched(pool, chosen, chunk.row_count) if wanted.worth > 0 else None,
            )
            chosen = chosen.ranked_anew(verification.sound(chunk, pool, chosen))
            parts.append(chunk_answers(chunk, pool, chosen, wanted.count, tried))
    verification.warn()
    return explanation_of(posed, parts, wanted.count)


def _hunted(posed: Posed, wanted: Wanted, begun: float, chunk: Chunk) -> tuple[Hunt, Pool]:
    """A hunt for candidates of a chunk, and what it found."""
    share = (chunk.start + chunk.row_count) / len(posed.rows)  # of the time, as of the rows
    until = None if wanted.seconds is None else begun + share * wanted.seconds
    effort = Effort(wanted=wanted.count, rounds=wanted.rounds, until=until, worth=wanted.worth)
    hunt = Hunt(chunk.search, chunk.asked, effort, minimal=wanted.minimal, tight=wanted.tight)
    return hunt, chunk.search.judged(hunt.answers())


def plain_samples(posed: Posed, count: int, *, corrected: bool) -> Explanation:
    """Samples as they were drawn; if ``corrected``, ``count`` of them by their importance weights."""
    parts, verification = [], Verification(posed)
    for chunk in posed.chunks():
        drawn = chunk.search.resample(chunk.asked, count) if corrected else chunk.search.draw(chunk.asked)
        chosen = every_sample(drawn)
        chosen = chosen[verification.sound(chunk, drawn.pool, chosen)]
        verification.ask_again_about_some(drawn.pool, chosen.number)
        tried = Tried(np.full(chunk.row_count, posed.request.samples))
        parts.append(chunk_answers(chunk, drawn.pool, chosen, count, tried))
    verification.warn()
    return explanation_of(posed, parts, count)


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """How many edits of each row of a chunk were tried, and the predictions that came nearest to where they should.

    ``far_fetched`` is the number of strategies of each row that were found and not worth showing.
    """

    count: Int[ndarray, " row"]
    nearest: Nearest = field(default_factory=dict)
    far_fetched: Int[ndarray, " row"] | None = None

    def told(self, row: int) -> str:
        """The same of one row, in words."""
        tried = f"{self.count[row]:,} edited rows were tried"
        left_out = 0 if self.far_fetched is None else int(self.far_fetched[row])
        return f"{tried}, {left_out} more would be far-fetched (worth=0 shows them)" if left_out else tried


def chunk_answers(chunk: Chunk, pool: Pool, chosen: Chosen, asked_count: int, tried: Tried) -> ChunkAnswers:
    """The chosen candidates of a chunk, and an outcome for each of its rows."""
    candidates, scores, number = pool.candidates, pool.scores, chosen.number
    valid = candidates.valid[number]
    counts = np.bincount(chosen.row[valid], minlength=chunk.row_count).tolist()
    return ChunkAnswers(
        frame=candidates.rows.take(number),
        row=chunk.start + chosen.row,
        rank=chosen.rank,
        valid=valid,
        reward=scores.reward[number],
        terms={name: values[number] for name, values in scores.terms.items()},
        changed=candidates.changed[number],
        strategy=chosen.strategy,
        probability=candidates.probability[number],
        follows=Carried(candidates.table.codec, candidates.states[number]).followed,
        outcomes=tuple(
            chunk.refused.get(row) or _outcome(chunk, row, counts[row], asked_count, tried)
            for row in range(chunk.row_count)
        ),
    )


def explanation_of(posed: Posed, parts: Sequence[ChunkAnswers], asked_count: int) -> Explanation:
    """The answers of all chunks, with the columns in the order in which the rows were given."""
    question = posed.question
    frame = _one_frame([part.frame for part in parts])
    changed, follows, row = (_joined(parts, name) for name in ("changed", "follows", "row"))
    odd = oddities(posed.learned.schema, posed.learned.relations, posed.rows.take(row), frame)
    told = AsGiven(frame, changed, follows).with_columns_of(posed.given, row)
    return Explanation(
        # What the caller does to his table later is no part of the answer; pandas copies what he changes then.
        factuals=posed.given.copy(deep=False),
        counterfactuals=told.frame,
        row=row,
        rank=_joined(parts, "rank"),
        valid=_joined(parts, "valid"),
        reward=_joined(parts, "reward"),
        terms={name: np.concatenate([part.terms[name] for part in parts]) for name in parts[0].terms},
        changed=told.changed,
        strategy=_joined(parts, "strategy"),
        probability=_joined(parts, "probability"),
        probability_before=question.before,
        targets=question.wanted,
        predicted=question.predicted,
        outcomes=tuple(outcome for part in parts for outcome in part.outcomes),
        asked=asked_count,
        oddities=odd,
        confidence=None if posed.request.confidence is None else float(posed.request.confidence),
        follows=told.follows if posed.constraints.has_rules else None,
        note=UNCONDITIONED if posed.corrected else "",
        regression=posed.learned.ranks is not None,
        locked=locked_cells(posed.constraints, posed.given),
        origin=_origin(posed),
    )


def _origin(posed: Posed) -> Origin:
    asked = posed.request
    return Origin(tuple(asked.constraints), dict(asked.row_constraints or {}), posed.learned.fingerprint)


def _outcome(chunk: Chunk, row: int, valid_count: int, asked_count: int, tried: Tried) -> RowOutcome:
    if valid_count >= asked_count:
        return RowOutcome(Outcome.COMPLETE)
    looked, goals = tried.told(row), chunk.search.goals
    if valid_count == 0 and isinstance(goals, IntervalGoals):
        return unreached(goals, row, tried.nearest, looked)
    if valid_count == 0:
        return RowOutcome(Outcome.NONE_VALID, looked)
    return RowOutcome(Outcome.PARTIAL, f"{valid_count} of {asked_count}; {looked}")


def _joined(parts: Sequence[ChunkAnswers], name: str) -> ndarray:
    return np.concatenate([getattr(part, name) for part in parts])


def _one_frame(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """The frames below each other, taken apart on the way: so only one column at a time is in memory twice."""
    if len(frames) == 1:
        return frames[0].reset_index(drop=True)
    names = list(frames[0].columns)
    columns = [pd.concat([frame.pop(name) for frame in frames], ignore_index=True) for name in names]
    return pd.DataFrame(dict(enumerate(columns)), copy=False).set_axis(pd.Index(names), axis=1)

"""The hunt for valid candidates: where it looks, in which order, and what it makes of what it finds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._states import States, rank_within, unedited
from counterflownet.explain.finds import Finds
from counterflownet.explain.merit import Merit
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.proposals import Proposals
from counterflownet.explain.reduction import FEW, Reduction
from counterflownet.explain.search import Search, trajectories_at_once
from counterflownet.explain.single_edits import Edits, Openings
from counterflownet.explain.strategy import FEW_STRATEGIES
from counterflownet.explain.tightening import Tightening
from counterflownet.explain.turns import EXPLORATION, UNIFORM, Turn, Turns
from counterflownet.flow.edits import final_states
from counterflownet.reward.goals import IntervalGoals

SPARE = 1  # strategies that are made tight beyond those that are wanted: some turn out to be the same
PLENTY = 2  # times as many strategies as are wanted: enough of them are worth showing then
PARTNERS, VALUES = 24, 2  # single changes of a row that are paired with each other, and of each number and direction
MANY_PARTNERS = 48  # if these did not give enough
MOST_PARTNERS, MANY_VALUES = 80, 3  # for rows that have fewer than a few strategies yet
IN_BOTH_ORDERS = 1  # of a row, that are made tight in either order
ENOUGH = 6  # strategies: rows that have so many are not looked at in ways that take long, however many are wanted
MOST_SAMPLES = 20_000  # of all factuals together in a round that grows because time is left
EXAMPLES = 40  # training rows of the wanted class that a row is made alike to

Rows = Int[ndarray, " row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long a factual is searched: for ``rounds``, or until it has as many strategies as are ``wanted``.

    Strategies that have less than the share ``worth`` of the best reward of their row do not count as such.

    Where pairs of changes were looked at, fewer are enough to end the rounds: what samples add to these takes long to
    come. Factuals that are short after all rounds are sampled on ``until`` then (as :func:`time.monotonic` counts), in
    rounds that double.
    """

    wanted: int
    rounds: int
    until: float | None = None
    worth: float = 0.0


class Hunt:
    """One hunt for candidates of the factuals that are ``asked``, minimal and tight if that is wanted."""

    def __init__(self, search: Search, asked: Rows, effort: Effort, *, minimal: bool, tight: bool) -> None:
        self.search, self.asked, self.effort, self.minimal = search, asked, effort, minimal
        # What a change needs by rules comes next: a flow that knows nothing of rules would change much else before.
        self.direct = search.questions.allowed.directly()
        ground = search.ground
        self.oracle = Oracle(search.ask, search.kept if search.questions.allowed.joint is not None else None)
        known = search.known(asked)
        if known is not None:
            self.oracle.told(known)
        self.foresees = known is not None
        self.long: list[States] = []
        self.finds = Finds(ground.table)
        self.proposals = Proposals(ground, search.questions.allowed)
        self.merit = Merit(search, self.oracle, nearer=tight, worth=effort.worth)
        self.reduction = Reduction(ground.table.codec.codes, ground.required, self.oracle)
        self.tightening = Tightening(ground, self.oracle, undo=minimal, nearer=tight, costs=search.costs)

    def answers(self) -> States:
        """Valid states of every row, more than are wanted where there are more."""
        if len(self.asked) == 0:
            return self._no_states()
        edits = self._edits()
        self._look_around(edits)
        edits = self._within_reach(edits)
        if self.minimal:
            openings = self._pair(edits)
            self._look_beside(self._short_of_good_ones(ENOUGH), edits)
            self._pair_on(openings)
        self._draw_on(self.turns.later(), self._enough_for_rounds)
        if self.minimal:
            self._shorten_long_ones(self._enough_for_rounds)
        self._look_further(self.finds.short_of(self.asked, 1), edits)
        self._draw_on(self.turns.while_time_lasts(self._most_samples()))
        found = self._polished(self.asked)
        # Under rules another look takes half as long as all before, and helps one row in fifty.
        return self._looked_again(found, edits) if self.minimal and not self.oracle.ruled else found

    def _edits(self) -> Edits:
        """Single changes, in the company that rules ask for."""
        foreseen = self.search.foreseen
        if foreseen is not None:
            return foreseen.edits[np.isin(foreseen.edits.row, self.asked)]
        return self.proposals.mended(self.proposals.singles(self.asked), self.oracle.keeps)

    def _looked_again(self, found: States, edits: Edits) -> States:
        """The same, and more of rows that have few left, since so many became alike when they were made tight."""
        tight = Finds(self.search.ground.table)
        tight.add(found)
        rows = self._lacking(tight, ENOUGH)
        if len(rows) == 0:
            return found
        for turn in self.turns.again():
            self._look_among_samples(rows, turn)
        self._shorten(self._taken_long(rows))
        self._look_beside(rows, edits)
        self._exchange(tight.of(rows), rows, edits)
        tight.add(self._polished(rows))
        return tight.joined()

    @property
    def turns(self) -> Turns:
        """The rounds that there may be."""
        return Turns(self.search.sampler.samples, self.effort.rounds, self.effort.until)

    def _short_of_good_ones(self, enough: int | None = None) -> Rows:
        """The rows that have fewer strategies worth showing than are wanted, and than is ``enough``."""
        return self._lacking(self.finds, enough or self.effort.wanted)

    def _lacking(self, finds: Finds, enough: int) -> Rows:
        least = min(self.effort.wanted, enough)
        short = finds.short_of(self.asked, least)
        doubtful = np.setdiff1d(finds.short_of(self.asked, PLENTY * least), short)
        if self.effort.worth == 0 or len(doubtful) == 0:
            return short
        return np.union1d(short, self.merit.short_of(finds.of(doubtful), doubtful, least))

    @property
    def _enough_for_rounds(self) -> int:
        """Samples are the one way to as many strategies as are wanted if changes are not looked at by themselves."""
        return max(1, self.effort.wanted // 4) if self.minimal else self.effort.wanted

    def _draw_on(self, turns: Iterator[Turn], enough: int | None = None) -> None:
        """More samples for rows that are short, or have not ``enough``, turn by turn."""
        while len(short := self._short_of_good_ones(enough)) and (turn := next(turns, None)) is not None:
            self._look_among_samples(short, turn)
            if turn.timed and self.minimal:
                self._shorten_long_ones()

    def _look_around(self, edits: Edits) -> None:
        """Samples of the flow, and every column by itself."""
        self.oracle.soon(self._factuals(self.asked))
        if self.minimal:
            self.oracle.soon(edits.states)
        if self.foresees:
            self.oracle.soon(self._hopeful_pairs(self._openings(edits)))
            self.oracle.soon(self.reduction.parts(self._valid_edits(edits)))
        self._look_among_samples(self.asked, self.turns.first)
        if self.minimal:
            valid = self._valid_edits(edits)
            alone = valid.change_counts == 1
            self.finds.add(valid[alone])
            self._add_reduced(valid[~alone])

    def _valid_edits(self, edits: Edits) -> States:
        return edits.states[self.oracle.verdicts(edits.states).valid & self.proposals.complete(edits.states)]

    def _pair(self, edits: Edits) -> Openings:
        """Pairs of changes of which neither is enough by itself: for rows that are short, or might get a better one."""
        openings = self._openings(edits)
        pairs = self._hopeful_pairs(openings)
        short = self.finds.short_of(self.asked, self.effort.wanted)
        self._add_valid(pairs[np.isin(pairs.row.numpy(), short) | self._might_be_best(pairs)])
        short = self._short_of_good_ones()
        if len(short):
            openings = self._openings(edits.joined(self._near_misses(short)))
            many = np.isin(openings.edits.row, short)
            self._add_valid(self.proposals.pairs(openings[many], MANY_PARTNERS, hopeful=True))
        return openings

    def _pair_on(self, openings: Openings) -> None:
        """More pairs, even if little speaks for them: for rows that have very few strategies."""
        few = np.isin(openings.edits.row, self._short_of_good_ones(FEW_STRATEGIES))
        if few.any():
            pairs = self.proposals.pairs(openings[few], MOST_PARTNERS, values=MANY_VALUES)
            self._add_valid(pairs)
            self._add_reduced(self.proposals.completed(pairs[~self.oracle.keeps(pairs)]))

    def _hopeful_pairs(self, openings: Openings) -> States:
        return self.proposals.pairs(openings, PARTNERS, values=VALUES, hopeful=True)

    def _near_misses(self, rows: Rows) -> Edits:
        """The last value before each single change that is enough: with a little help, it would be enough as well."""
        found = self.finds.joined()
        alone = found[np.isin(found.row.numpy(), rows) & (found.change_counts == 1)]
        tight = Tightening(self.search.ground, self.oracle, undo=False).tightened(alone)
        return self.proposals.one_step_nearer(tight)

    def _openings(self, edits: Edits) -> Openings:
        alone = self.oracle.verdicts(edits.states)
        lacks = np.zeros(len(self.search.questions))
        lacks[self.asked] = -self.oracle.verdicts(self._factuals(self.asked)).slack
        return Openings(edits, alone.slack, lacks[edits.row])[~alone.valid]

    def _add_valid(self, states: States) -> None:
        self.finds.add(states[self.oracle.valid(states)])

    def _might_be_best(self, states: States) -> Bool[ndarray, " state"]:
        """Which states could be worth more than the best find of their row if they were valid, near and usual."""
        return self.merit.at_most(states) > self.merit.best(self.finds.joined())[states.row.numpy()]

    def _look_beside(self, rows: Rows, edits: Edits) -> None:
        """Rows that are still short: sets of three changes, too."""
        if len(rows):
            edits = self._best_of(edits, rows)
            found = self.proposals.beside(self._factuals(rows), edits, self.oracle)
            self.oracle.soon(self.reduction.parts(found))  # with the first call that undoes something
            self._add_reduced(found)

    def _exchange(self, states: States, rows: Rows, edits: Edits) -> None:
        """Others in place of each of the changes of answers."""
        if len(states):
            undone, _, feature = self.reduction.single_undos(states)
            found = self.proposals.beside(undone, self._best_of(edits, rows), self.oracle, feature)
            self._add_reduced(found)

    def _best_of(self, edits: Edits, rows: Rows) -> Edits:
        edits = edits[np.isin(edits.row, rows)]
        return self.proposals.best(edits, self.oracle.verdicts(edits.states).slack)

    def _look_further(self, rows: Rows, edits: Edits) -> None:
        """Rows that have nothing yet: changes added one after the other, rows of the wanted class, uniform draws."""
        if len(rows) == 0:
            return
        edits = self._best_of(edits, rows)
        self._add_reduced(self.proposals.climbed(self._factuals(rows), edits, self.oracle))
        table, questions = self.search.ground.table, self.search.questions
        for row in self.finds.short_of(rows, 1).tolist():
            target = self.search.asked_for(row)
            alike = self.search.examples.states(table, questions.allowed, row, target, EXAMPLES)
            self._add_reduced(self.search.ground.settled(alike))
        rows = self.finds.short_of(rows, 1)
        if len(rows):
            self._add_reduced(self._states(rows, UNIFORM, epsilon=1.0))
            self._add_reduced(self.proposals.climbed(self._best_begun(rows), edits, self.oracle))

    def _within_reach(self, edits: Edits) -> Edits:
        """The edits of rows that are searched on.

        One that is wanted where no training row is, is told so soon, unless a climb gets there or time was given.
        """
        goals, rows = self.search.goals, self.finds.short_of(self.asked, 1)
        if not isinstance(goals, IntervalGoals) or len(rows) == 0 or self.effort.until is not None:
            return edits
        rows = rows[~goals[rows].within_reach]
        best = self._best_of(edits, rows)
        self._add_reduced(self.proposals.climbed(self._factuals(rows), best, self.oracle, hopeless=True))
        self.asked = np.setdiff1d(self.asked, self.finds.short_of(rows, 1))
        return edits[np.isin(edits.row, self.asked)]

    def _best_begun(self, rows: Rows) -> States:
        """Samples of these rows that come nearest to being valid."""
        states = self._states(rows, self.turns.first, epsilon=EXPLORATION)
        slack = self.oracle.verdicts(states).slack
        order = np.lexsort((-slack, states.row.numpy()))
        return states[order[rank_within(states.row.numpy()[order]) < FEW]]

    def _add_reduced(self, states: States) -> None:
        """What is valid among states of any number of changes, without changes that are not needed."""
        valid = self.reduction.irreducible_after_undoing(states) if self.minimal else states[self.oracle.valid(states)]
        self.finds.add(valid[self.proposals.complete(valid)])

    def _look_among_samples(self, rows: Rows, turn: Turn) -> None:
        """Samples of the flow, or what is minimal in those of few changes."""
        states = self._states(rows, turn, epsilon=turn.exploration if self.minimal or turn.number else 0.0)
        if not self.minimal:
            self.finds.add(states[self.oracle.valid(states)])
            return
        self.finds.add(self.reduction.irreducible(states))
        self.long.append(states[states.change_counts > FEW])

    def _shorten_long_ones(self, enough: int | None = None) -> None:
        """What is minimal in samples of many changes: it takes five calls of the classifier or more."""
        self._shorten(self._taken_long(self._short_of_good_ones(enough)))

    def _taken_long(self, rows: Rows) -> States:
        """Samples of many changes of these rows; those of others are forgotten."""
        long, self.long = States.joined([self._no_states(), *self.long]), []
        return long[np.isin(long.row.numpy(), rows)]

    def _shorten(self, long: States) -> None:
        self.finds.add(self.reduction.irreducible_after_undoing(long))

    def _most_samples(self) -> int:
        """Of each factual in a round that grows."""
        together = min(MOST_SAMPLES, trajectories_at_once(self.search.ground.table.codec.schema.space))
        return together // max(1, len(self.asked))

    def _states(self, rows: Rows, turn: Turn, *, epsilon: float) -> States:
        """Distinct states, other than the factuals, that the policy leads to."""
        sampler, questions = self.search.sampler, self.search.aimed(turn.number)
        if turn is not UNIFORM:
            questions = replace(questions, allowed=self.direct)
        trajectories = sampler.draw(questions, rows, count=turn.count, start=turn.start, epsilon=epsilon)
        states = self.search.ground.settled(final_states(trajectories, questions.factual))
        states = states[states.change_counts > 0]
        return states[states.distinct()[0]]

    def _polished(self, rows: Rows) -> States:
        """The most promising finds of these rows made tight; others as well where too few different ones are left."""
        left = self.merit.in_order(self.finds.of(rows), self.effort.wanted + SPARE)
        wanted = self.effort.wanted
        place = rank_within(left.row.numpy())
        now = place < wanted + SPARE
        again = Finds(self.search.ground.table)
        again.add(self.tightening.tightened(left[now], place[now] < IN_BOTH_ORDERS if self.tightening.nearer else None))
        short = again.short_of(rows, wanted)
        rest = left[~now & np.isin(left.row.numpy(), short)]
        rest = rest[rank_within(rest.row.numpy()) < 4 * wanted]
        again.add(self.tightening.tightened(rest))
        return again.joined()

    def _factuals(self, rows: Rows) -> States:
        return unedited(self.search.questions.factual, torch.from_numpy(rows))

    def _no_states(self) -> States:
        return unedited(self.search.questions.factual, torch.zeros(0, dtype=torch.int64))

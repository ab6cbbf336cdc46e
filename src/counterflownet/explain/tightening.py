"""Tight counterfactuals: no change can be undone or made smaller, and the classifier was asked about all of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States, groups_of, rank_within
from counterflownet.explain.bisection import begins
from counterflownet.explain.oracle import MOST_CELLS, Oracle
from counterflownet.explain.tracks import UNDO, Ground, Tracks

FEW_STEPS = 2_000  # that are asked about in one call; of more, the nearest first, since these may make others needless
FEW_LED = 4_000  # steps on which states are led that are asked about in one call: more would take several
FIRST_BLOCK = 4  # steps of each track in the first call then, and half as many again as before in each that follows
ROUGH_MOVES = 1  # of each state under rules, before anything is proved: another would save less than it costs one row
UNDOING = 1.0  # what an undone change is worth beside the way that it saves


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """The nearest valid step of each track: its place and number; the track's end where there is none nearer.

    ``near`` is the step before it, or the factual's own number: nothing of the grid between the two is valid.
    """

    found: Bool[ndarray, " track"]
    place: Int[ndarray, " track"]
    number: Float[ndarray, " track"]
    near: Float[ndarray, " track"]


@dataclass(frozen=True, slots=True, eq=False)
class Tightening:
    """How changes are made smaller, or undone, one at a time, as long as the ``oracle`` finds the state valid.

    What comes of a state depends on the state alone: the change that gains most is made first (or the one that gains
    least, which ends in another corner), to the nearest value that is valid, then the others are looked at again, until
    nothing can be changed any more.
    """

    ground: Ground
    oracle: Oracle
    undo: bool = True
    nearer: bool = True
    costs: Float[ndarray, "row feature"] | None = None

    def tightened(self, states: States, both: Bool[ndarray, " state"] | None = None) -> States:
        """Each of the valid states made tight, in either order those of ``both``; no two that come back are equal."""
        twice = np.zeros(len(states), dtype=np.bool_) if both is None else both & (states.change_counts > 1)
        least_first = np.repeat([False, True], [len(states), int(twice.sum())])
        return self._ends(States.joined([states, states[twice]]), least_first)

    def _ends(self, states: States, least_first: Bool[ndarray, " state"]) -> States:
        """Where states come to if, in each, the change that gains most is made first, or the one that gains least."""
        if self.oracle.ruled:
            states, least_first = self._led_nearer(states, least_first)
        finished = [states[np.zeros(0, dtype=np.int64)]]
        pending = states.edited.numpy().copy()
        while len(states):
            tracks = self.ground.tracks(states, pending, undo=self.undo, nearer=self.nearer)
            hits = self._finer(states, tracks, self._nearest(states, tracks))
            chosen = self._chosen(states, tracks, hits, least_first)
            moving = np.flatnonzero(chosen >= 0)
            finished.append(states[chosen < 0])
            track = chosen[moving]
            states = self._moved(states, moving, tracks.feature[track], hits.place[track])
            pending = states.edited.numpy().copy()
            pending[np.arange(len(states)), tracks.feature[track]] = False  # whatever is nearer was asked about
            least_first = least_first[moving]
            first = _first_of_equals(states, least_first)
            states, pending, least_first = states[first], pending[first], least_first[first]
        together = States.joined(finished)
        return together[together.distinct()[0]]

    def _led_nearer(
        self, states: States, least_first: Bool[ndarray, " state"]
    ) -> tuple[States, Bool[ndarray, " state"]]:
        """About where states come to, found with few questions: what is proved from there on needs hardly a move.

        Under rules changes come in company. A move of one lets another move, and then all are to be proved anew. Where
        a state is led follows from the state alone, whatever stands beside it.
        """
        resting, orders = [states[np.zeros(0, dtype=np.int64)]], [least_first[:0]]
        for _ in range(ROUGH_MOVES):
            tracks = self.ground.tracks(states, states.edited.numpy(), undo=self.undo, nearer=self.nearer)
            hits = self._roughly_nearest(states, tracks)
            chosen = self._chosen(states, tracks, hits, least_first)
            resting.append(states[chosen < 0])
            orders.append(least_first[chosen < 0])
            (moving,) = (chosen >= 0).nonzero()
            track = chosen[moving]
            states = self._moved(states, moving, tracks.feature[track], hits.place[track])
            states, least_first = _distinct(states, least_first[moving])
        return _distinct(States.joined([*resting, states]), np.concatenate([*orders, least_first]))

    def _roughly_nearest(self, states: States, tracks: Tracks) -> Hits:
        """The nearest valid step of each track, of those that break no rule, if all behind a valid one were valid."""
        (kept,) = self._keeping(states, tracks).nonzero()
        counts = np.bincount(tracks.track[kept], minlength=len(tracks))
        starts, valid = np.cumsum(counts) - counts, self._validity(states, tracks, kept)
        first = begins(counts, lambda track, number: valid(starts[track] + number))
        found = first < counts
        step = kept[np.where(found, starts + first, 0)] if len(kept) else np.zeros(len(tracks), dtype=np.int64)
        place, number = _taken(tracks.place, step, found, UNDO), _taken(tracks.number, step, found, tracks.now)
        return Hits(found, place, number, tracks.own)

    def _validity(
        self, states: States, tracks: Tracks, steps: Int[ndarray, " step"]
    ) -> Callable[[Int[ndarray, " asked"]], Bool[ndarray, " asked"]]:
        """Tells which of the steps are valid; if they are few, the classifier is asked about all of them at once."""

        def valid(which: Int[ndarray, " asked"]) -> Bool[ndarray, " asked"]:
            moved = self._stepped(states, tracks, steps[which])
            return self.oracle.verdicts(moved, kept=True).valid & (moved.change_counts > 0)

        return valid if len(steps) > FEW_LED else valid(np.arange(len(steps))).__getitem__

    def _nearest(self, states: States, tracks: Tracks) -> Hits:
        """The nearest valid step of the grid of each track."""
        hit = np.full(len(tracks), -1)
        asked = ~self._keeping(states, tracks)  # what breaks a rule is not asked about
        rank = np.empty(len(asked), dtype=np.int64)
        rank[~asked] = rank_within(tracks.track[~asked])
        reach, ahead = FIRST_BLOCK, _Ahead.of(tracks, self.oracle.verdicts(states).slack)
        while True:
            open_ = ~asked & (hit[tracks.track] < 0)
            if not open_.any():
                break
            (step,) = (open_ if open_.sum() <= FEW_STEPS else open_ & ((rank < reach) | ahead.within())).nonzero()
            ahead.learn(step, self._try(states, tracks, step, hit))
            asked[step] = True
            reach += reach // 2
        found, last = hit >= 0, np.maximum(hit, 0)
        counts = np.bincount(tracks.track, minlength=len(tracks))
        ends = np.cumsum(counts)
        before = np.where(found, last, ends) - 1
        is_step = (before >= ends - counts) & (counts > 0)
        near = _taken(tracks.number, before, is_step, tracks.own)
        near = np.where(np.isnan(near), tracks.own, near)  # before the first step there is the undone change
        return Hits(
            found, _taken(tracks.place, last, found, UNDO), _taken(tracks.number, last, found, tracks.now), near
        )

    def _keeping(self, states: States, tracks: Tracks) -> Bool[ndarray, " step"]:
        """Which steps break no rule."""
        if not self.oracle.ruled:
            return np.ones(len(tracks.track), dtype=np.bool_)
        size = max(1, MOST_CELLS // states.codes.shape[1])
        parts = np.split(np.arange(len(tracks.track)), range(size, len(tracks.track), size))
        return np.concatenate([self.oracle.keeps(self._stepped(states, tracks, part)) for part in parts])

    def _stepped(self, states: States, tracks: Tracks, step: Int[ndarray, " asked"]) -> States:
        track = tracks.track[step]
        return self._moved(states, tracks.state[track], tracks.feature[track], tracks.place[step])

    def _try(
        self, states: States, tracks: Tracks, step: Int[ndarray, " asked"], hit: Int[ndarray, " track"]
    ) -> Float[ndarray, " asked"]:
        """Ask about steps, note the nearest valid one of each track, and tell how near to being valid each is."""
        track, moved = tracks.track[step], self._stepped(states, tracks, step)
        verdicts = self.oracle.verdicts(moved, kept=True)
        (valid,) = (verdicts.valid & (moved.change_counts > 0)).nonzero()
        hit[track[valid[::-1]]] = step[valid[::-1]]  # the nearest is written last
        return verdicts.slack

    def _finer(self, states: States, tracks: Tracks, hits: Hits) -> Hits:
        """The same among all values of training rows: between the hit and the step before it, from coarse to fine."""
        undone = hits.found & (hits.place == UNDO)
        place, number, near = hits.place.copy(), hits.number.copy(), hits.near.copy()
        found = hits.found.copy()
        far = np.where(undone, np.nan, number)
        while self.nearer:
            track, step_place, step_number = self.ground.finer(tracks, states, near, far)
            if len(track) == 0:
                break
            moved = self._moved(states, tracks.state[track], tracks.feature[track], step_place)
            valid = self.oracle.valid(moved)
            near, far = _narrowed(track, step_number, valid, near, far)
            (hit,) = (valid & (step_number == far[track])).nonzero()
            found[track[hit]], place[track[hit]], number[track[hit]] = True, step_place[hit], step_number[hit]
        return Hits(found, place, number, near)

    def _chosen(
        self, states: States, tracks: Tracks, hits: Hits, least_first: Bool[ndarray, " state"]
    ) -> Int[ndarray, " state"]:
        """For each state the track whose hit gains most, or least; -1 for states that are tight."""
        gain = np.zeros(len(tracks))
        table, undone = self.ground.table, hits.found & (hits.place == UNDO)
        gain[undone] = 2 * UNDOING
        for d in np.unique(tracks.feature[hits.found]).tolist():
            (at,) = (hits.found & (tracks.feature == d) & ~np.isnan(tracks.own)).nonzero()
            way = table.distance(d, tracks.own[at], tracks.now[at])
            left = np.where(undone[at], -UNDOING, table.distance(d, tracks.own[at], hits.number[at]))
            gain[at] = way - left
        if self.costs is not None:
            gain *= self.costs[states.row.numpy()[tracks.state], tracks.feature]
        wanted = np.where(hits.found, np.where(least_first[tracks.state], gain, -gain), np.inf)
        order = np.lexsort((np.arange(len(tracks)), wanted, tracks.state))
        best = order[rank_within(tracks.state[order]) == 0]
        chosen = np.full(len(least_first), -1)
        chosen[tracks.state[best]] = np.where(hits.found[best], best, -1)
        return chosen

    def _moved(
        self, states: States, at: Int[ndarray, " move"], feature: Int[ndarray, " move"], place: Int[ndarray, " move"]
    ) -> States:
        """Copies of the states ``at``, each with one change put to another place, or undone."""
        moved = states[at]
        row, places, edited = moved.numpy()
        one, kept = np.arange(len(at)), place != UNDO
        places[one, feature] = np.where(kept, place, self.ground.table.codec.codes[row, feature])
        edited[one, feature] = kept
        return moved


@dataclass(frozen=True, slots=True, eq=False)
class _Ahead:
    """How far along each track the first valid step is expected, if slack grows evenly from the last that was not.

    Asking so far at once takes fewer calls of the classifier than feeling one's way, and hardly more steps.
    """

    track: Int[ndarray, " step"]
    away: Float[ndarray, " step"]
    end: Float[ndarray, " track"]
    end_slack: Float[ndarray, " track"]
    expected: Float[ndarray, " track"]

    @classmethod
    def of(cls, tracks: Tracks, slack: Float[ndarray, " state"]) -> "_Ahead":
        away = np.nan_to_num(np.abs(tracks.number - tracks.own[tracks.track]))  # an undone change is at the start
        end = np.abs(tracks.now - tracks.own)
        return cls(tracks.track, away, end, np.maximum(slack[tracks.state], 0.0), np.full(len(tracks), -np.inf))

    def within(self) -> Bool[ndarray, " step"]:
        """Which steps come before that, and the first behind it."""
        before = np.append(-np.inf, self.away[:-1])
        before[rank_within(self.track) == 0] = -np.inf
        return before <= self.expected[self.track]

    def learn(self, step: Int[ndarray, " asked"], slack: Float[ndarray, " asked"]) -> None:
        """Expect anew, from the last of these steps of each track to its end, which is valid."""
        track = self.track[step]
        last = np.flatnonzero(np.append(track[1:] != track[:-1], True)[: len(track)])
        of, begun, lacks = track[last], self.away[step[last]], np.maximum(-slack[last], 0.0)
        share = lacks / np.maximum(lacks + self.end_slack[of], 1e-12)
        self.expected[of] = begun + share * (self.end[of] - begun)


def _first_of_equals(states: States, least_first: Bool[ndarray, " state"]) -> Int[ndarray, " distinct"]:
    """Where each distinct state first stands, in the order that they have."""
    return np.sort(groups_of(states.keys() ^ least_first).first)


def _distinct(states: States, least_first: Bool[ndarray, " state"]) -> tuple[States, Bool[ndarray, " distinct"]]:
    first = _first_of_equals(states, least_first)
    return states[first], least_first[first]


def _taken(values: ndarray, at: ndarray, known: Bool[ndarray, " track"], otherwise: ndarray | int) -> ndarray:
    """The values at these numbers where they are ``known``."""
    taken = np.full(len(at), otherwise, dtype=values.dtype) if isinstance(otherwise, int) else otherwise.copy()
    taken[known] = values[at[known]]
    return taken


def _narrowed(
    track: Int[ndarray, " step"],
    number: Float[ndarray, " step"],
    valid: Bool[ndarray, " step"],
    near: Float[ndarray, " track"],
    far: Float[ndarray, " track"],
) -> tuple[ndarray, ndarray]:
    """The first valid step of each track as its far end, the one before it as its near end; steps go nearest first.

    A track of which no step was looked at is over: its ends become NaN.
    """
    new_near, new_far = np.full(len(near), np.nan), np.full(len(far), np.nan)
    rank = rank_within(track)
    starts, lengths = np.flatnonzero(rank == 0), np.bincount(track, minlength=len(near))
    of = track[starts]
    first = np.full(len(near), len(track))
    (hit,) = valid.nonzero()
    first[track[hit[::-1]]] = hit[::-1]
    ends = starts + lengths[of]
    place = np.minimum(first[of], ends)
    new_far[of] = np.where(place < ends, number[np.minimum(place, len(number) - 1)], far[of])
    new_near[of] = np.where(place > starts, number[np.maximum(place - 1, 0)], near[of])
    return new_near, new_far

"""The ways back of changes: what each could be instead and be nearer to the factual, the nearest first."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.tabular.allowance import Way
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.stand_ins import settled

UNDO = -1  # the place of a step that undoes the change
AT_ONCE = 16  # of the fine values between two steps that are looked at together

Change = Int[ndarray, " track"]


@dataclass(frozen=True, slots=True, eq=False)
class Tracks:
    """One track for each change: of which state and feature, the number it began at, and the one it is at now.

    Its steps follow in the arrays beside it, nearest to the factual first: the track they belong to, the place, and
    the number.
    """

    state: Change
    feature: Change
    own: Float[ndarray, " track"]
    now: Float[ndarray, " track"]
    track: Int[ndarray, " step"]
    place: Int[ndarray, " step"]
    number: Float[ndarray, " step"]

    def __len__(self) -> int:
        return len(self.state)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What the tracks of some rows run on: the values of the columns, and what constraints leave of them."""

    table: Factuals
    ways: Mapping[int, Way]
    required: Bool[ndarray, "row feature"]
    stand_ins: Mapping[int, Int[ndarray, " row"]] = field(default_factory=dict)

    def settled(self, states: States) -> States:
        """The states with every stand-in at its place."""
        return settled(states, self.stand_ins)

    def tracks(self, states: States, pending: Bool[ndarray, "state feature"], *, undo: bool, nearer: bool) -> Tracks:
        """The tracks of the changes that are ``pending``; steps that ``undo`` a change, steps to ``nearer`` values."""
        state, feature = pending.nonzero()
        row, places, _ = states.numpy()
        own, now = np.full(len(state), np.nan), np.full(len(state), np.nan)
        parts = [self._undos(row, state, feature)] if undo else [(np.zeros(0, np.int64),) * 2 + (np.zeros(0),)]
        for d in np.unique(feature).tolist() if nearer else []:
            if self.table.codec.schema.features[d].has_order:
                (at,) = (feature == d).nonzero()
                rows = row[state[at]]
                own[at] = self.table.coordinates[rows, d]
                now[at] = self.table.codec.numbers(d, rows, places[state[at], d])
                parts += self._steps(d, rows, at, own[at], now[at])
        track, place, number = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        order = np.argsort(track, kind="stable")  # within each part the nearest comes first, and undoing before all
        if any(way.borders.shape[1] for way in self.ways.values()):
            away = np.where(place == UNDO, -1.0, np.abs(number - own[track]))
            order = np.lexsort((away, track))  # borders come between the steps
        return Tracks(state, feature, own, now, track[order], place[order], number[order])

    def _undos(self, row: ndarray, state: Change, feature: Change) -> tuple[ndarray, ndarray, ndarray]:
        (track,) = (~self.required[row[state], feature]).nonzero()
        return track, np.full(len(track), UNDO), np.full(len(track), np.nan)

    def _steps(
        self, d: int, row: ndarray, track: Change, own: ndarray, now: ndarray
    ) -> list[tuple[ndarray, ndarray, ndarray]]:
        """The steps of the grid, and the borders, strictly between where each change began and where it is."""
        steps = self.table.codec.schema.features[d].steps
        low, high = np.fmin(own, now), np.where(np.isnan(own), -np.inf, np.fmax(own, now))
        first, last = steps.between(low, high)
        change, step = _ranges(first, last)
        step = np.where((now < own)[change], (first + last - 1)[change] - step, step)  # the nearest first
        kept = steps.on_grid[step]
        way = self.ways.get(d)
        if way is not None:
            kept &= way.steps[row[change], step]
        change, step = change[kept], step[kept]
        found = [(track[change], steps.place[step], steps.number[step])]
        if way is not None and way.borders.shape[1]:
            found.append(self._borders(d, way, row, track, low, high))
        return found

    def _borders(
        self, d: int, way: Way, row: ndarray, track: Change, low: ndarray, high: ndarray
    ) -> tuple[ndarray, ndarray, ndarray]:
        codec = self.table.codec
        numbers = codec.borders_of(d)[row]
        inside = way.borders[row] & (numbers > low[:, None]) & (numbers < high[:, None])
        inside &= ~np.isin(numbers, codec.schema.features[d].steps.number)  # then it is a step already
        change, border = inside.nonzero()
        return track[change], codec.schema.features[d].first_border_place + border, numbers[change, border]

    def finer(
        self, tracks: Tracks, states: States, near: Float[ndarray, " track"], far: Float[ndarray, " track"]
    ) -> tuple[Int[ndarray, " step"], Int[ndarray, " step"], Float[ndarray, " step"]]:
        """Some fine values strictly between ``near`` and ``far``, nearest to ``near`` first: track, place, number.

        Between two steps that are permitted all is, unless constraints list single values.
        """
        row = states.row.numpy()[tracks.state]
        empty = np.zeros(0, np.int64)
        parts = [(empty, empty, np.zeros(0))]
        for d in np.unique(tracks.feature[~np.isnan(far)]).tolist():
            (at,) = ((tracks.feature == d) & ~np.isnan(far) & ~np.isnan(near)).nonzero()
            way = self.ways.get(d)
            open_ = np.ones(len(at), dtype=np.bool_) if way is None else way.unbroken[row[at]]
            open_ = open_ & ~(self.required[row[at], d] & (near[at] == tracks.own[at]))
            parts.append(self._thinned(d, at[open_], near[at[open_]], far[at[open_]]))
        track, place, number = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        order = np.lexsort((np.abs(number - near[track]), track))
        return track[order], place[order], number[order]

    def _thinned(self, d: int, track: ndarray, near: ndarray, far: ndarray) -> tuple[ndarray, ndarray, ndarray]:
        steps = self.table.codec.schema.features[d].steps
        first, last = steps.between(np.fmin(near, far), np.fmax(near, far))
        count = np.minimum(last - first, AT_ONCE)
        change, number = _ranges(np.zeros_like(count), count)
        step = first[change] + (number * (last - first)[change]) // count[change]
        return track[change], steps.place[step], steps.number[step]


def _ranges(first: Int[ndarray, " range"], last: Int[ndarray, " range"]) -> tuple[ndarray, ndarray]:
    """All whole numbers from each first one to before each last one, and which range every one is of."""
    count = last - first
    which = np.repeat(np.arange(len(count)), count)
    return which, np.arange(len(which)) - np.repeat(np.cumsum(count) - count - first, count)

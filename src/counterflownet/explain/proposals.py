"""Where candidates come from besides the flow: single changes, pairs of them, and changes added one after the other."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._space import Allowed
from counterflownet._states import States, groups_of, rank_within
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.single_edits import Edits, Openings, united
from counterflownet.explain.tracks import Ground
from counterflownet.seeds import row_names

MOST_SINGLES = 240  # of a row, if that is enough for two of each column
PER_DIRECTION = 12  # values of an ordered column to each side
MOST_CODES = 24  # of a column without order
CODES_IN_PAIRS = 3  # of a column without order, that take part in pairs
MOST_CLIMBED = 40  # edits that are added one after the other
BESIDE = 3  # edits that are added beside answers that are known, for others
MANY = 24  # valid states of a row that are kept then, of different columns
ROUNDING = 1e-9
BEAM = 6  # states of a row that changes are added to
MOST_GROWN = 240  # states of a row that are asked about after changes were added beside answers

Rows = Int[ndarray, " row"]
Barred = Int[ndarray, " state"]


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """States around the factuals, within what is allowed."""

    ground: Ground
    allowed: Allowed

    def singles(self, rows: Rows) -> Edits:
        """Changes of one column by itself: some values of each, near ones and far ones."""
        schema = self.ground.table.codec.schema
        each = MOST_SINGLES // len(schema)
        per_side, codes = int(np.clip(each // 2, 1, PER_DIRECTION)), int(np.clip(each, 2, MOST_CODES))
        parts = [
            self._ordered(d, rows, per_side) if feature.has_order else self._nominal(d, rows, codes)
            for d, feature in enumerate(schema)
        ]
        row, feature, place = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        order = np.argsort(row, kind="stable")
        return self._edits(row[order], feature[order], place[order])

    def mended(self, edits: Edits, keeps: Callable[[States], Bool[ndarray, " state"]]) -> Edits:
        """The edits, those that break a rule in the company that it asks for, if anything mends them."""
        (broken,) = (~keeps(edits.states)).nonzero()
        if len(broken) == 0:
            return edits
        states, of = self._completions(edits.states[broken])
        (kept,) = keeps(states).nonzero()
        which, first = np.unique(of[kept], return_index=True)
        return edits.in_company(broken[which], states[kept[first]])

    def _edits(self, row: ndarray, feature: ndarray, place: ndarray) -> Edits:
        return Edits(row, feature, place, self._after(self._factuals(row), feature, place))

    def _after(self, states: States, feature: Int[ndarray, " state"], place: Int[ndarray, " state"]) -> States:
        """The states with one more edit each; they are changed in place."""
        _, places, edited = states.numpy()
        at = np.arange(len(states))
        places[at, feature] = place
        edited[at, feature] = True
        return states

    def complete(self, states: States) -> Bool[ndarray, " state"]:
        """Which states change all that must change, and no more than may."""
        row, _, edited = states.numpy()
        lacking = (self.ground.required[row] & ~edited).any(axis=1)
        return ~lacking & (edited.sum(axis=1) <= self.allowed.most_changes.numpy()[row])

    def completed(self, states: States) -> States:
        """States that break a rule with the fewest and nearest changes that mend it; none where nothing does.

        Some of them may still break it.
        """
        found, _ = self._completions(states)
        return found[found.distinct()[0]]

    def _completions(self, states: States) -> tuple[States, Int[ndarray, " completion"]]:
        """States that break a rule with the fewest and nearest changes that mend it, and which state each began as.

        Which changes these are is told by codes, so some may still break it: with the finer values that edits have,
        which come first, or with those that the codes stand for.
        """
        coded = self.ground.table.codec.as_codes(states)
        coded = coded if self.allowed.joint is None else self.allowed.joint.completed(self.allowed, coded)
        mended = np.where(states.edited.numpy(), states.codes.numpy(), coded.codes.numpy())
        (longer,) = (coded.change_counts > states.change_counts).nonzero()
        finer = States.of_arrays(states.row.numpy(), mended, coded.edited.numpy())[longer]
        (by_code,) = self._by_open_codes(coded[longer]).nonzero()
        return States.joined([finer, coded[longer[by_code]]]), np.concatenate([longer, longer[by_code]])

    def _by_open_codes(self, states: States) -> Bool[ndarray, " state"]:
        """Which states are edited to codes that are allowed: a finer value may lie in the bin of the factual's own."""
        row, codes, edited = states.numpy()
        starts = np.array(self.ground.table.codec.schema.space.starts[:-1])
        open_ = self.allowed.codes.numpy()[row[:, None], starts + np.where(edited, codes, 0)]
        return (open_ | ~edited).all(axis=1)

    def pairs(self, openings: Openings, partners: int, *, values: int = 1, hopeful: bool = False) -> States:
        """Pairs of the most promising edits of each row, of which so many take part; all, or those that are hopeful.

        Of a number and direction so many ``values`` take part, of a column without order three times as many.
        """
        edits = openings.edits
        ordered = np.array([feature.has_order for feature in self.ground.table.codec.schema])[edits.feature]
        of_kind = values * np.where(ordered, 1, CODES_IN_PAIRS)
        chosen = openings[_best_of_each(edits, self._upwards(edits), openings.slack, of_kind, partners)]
        one, other = _pairs_within(chosen.edits.row)
        apart = chosen.edits.feature[one] != chosen.edits.feature[other]
        if hopeful:
            apart &= chosen.hopeful(one, other)
        states = united(chosen.edits.states[one[apart]], chosen.edits.states[other[apart]])
        return states[self.complete(states)]

    def one_step_nearer(self, states: States) -> Edits:
        """Of states of one change, that change moved to the value of the grid before it, where there is one."""
        row, _, edited = states.numpy()
        tracks = self.ground.tracks(states, edited, undo=False, nearer=True)
        last = np.flatnonzero(np.append(tracks.track[1:] != tracks.track[:-1], True)[: len(tracks.track)])
        track = tracks.track[last]
        return self._edits(row[tracks.state[track]], tracks.feature[track], tracks.place[last])

    def best(self, edits: Edits, slack: Float[ndarray, " edit"]) -> Edits:
        """The edits of most slack of each row, as many as are looked at of an ordinary table."""
        order = np.lexsort((-slack, edits.row))
        return edits[np.sort(order[rank_within(edits.row[order]) < MOST_SINGLES])]

    def beside(self, begun: States, edits: Edits, oracle: Oracle, barred: Barred | None = None) -> States:
        """Valid states of a few edits, each added to those that bring most without being enough.

        The first edit of each of those that are ``begun`` is of another column than the one that is ``barred``.
        """
        found, beam = [begun[np.zeros(0, dtype=np.int64)]], begun
        for _ in range(BESIDE):
            grown, barred = self._promising(beam, edits, oracle, barred), None
            if len(grown) == 0:
                break
            verdicts = oracle.verdicts(grown)
            (valid,) = (verdicts.valid & self.complete(grown)).nonzero()
            found.append(grown[valid[_beam(grown[valid], verdicts.slack[valid], MANY)]])
            (open_,) = (~verdicts.valid).nonzero()
            beam = grown[open_[_beam(grown[open_], verdicts.slack[open_], BEAM)]]
        return States.joined(found)

    def climbed(self, begun: States, edits: Edits, oracle: Oracle, *, hopeless: bool = False) -> States:
        """Valid states reached by adding one edit after the other, always those that bring most.

        Some states of each row go on at a time, of different columns. A row is over once it has valid states. If it
        is ``hopeless``, only one does, and the first edit that brings nothing to any row is the last.
        """
        found, beam, height = [begun[np.zeros(0, dtype=np.int64)]], begun, -np.inf
        wide = 1 if hopeless else BEAM
        for _ in range(min(MOST_CLIMBED, int(self.allowed.most_changes.max()))):
            grown = self._grown(beam, edits)
            if len(grown) == 0:
                break
            verdicts = oracle.verdicts(grown)
            valid = verdicts.valid & self.complete(grown)
            found.append(grown[valid])
            open_ = ~np.isin(grown.row.numpy(), grown.row.numpy()[valid])
            kept = np.flatnonzero(open_)[_beam(grown[open_], verdicts.slack[open_], wide)]
            beam, before, height = grown[kept], height, _height(grown.row.numpy()[kept], verdicts.slack[kept])
            if hopeless and height <= before:
                break
        return States.joined(found)

    def _grown(self, beam: States, edits: Edits) -> States:
        """Every state of the beam with every edit of its row that changes another column."""
        state, edit = self._reach(beam, edits)
        return self._with_edits(beam[state], edits.states[edit])

    def _promising(self, beam: States, edits: Edits, oracle: Oracle, barred: Barred | None) -> States:
        """The same, but of each row only so many as would have most slack if what edits bring added up."""
        state, edit = self._reach(beam, edits, barred)
        hope = oracle.verdicts(beam).slack[state] + oracle.verdicts(edits.states).slack[edit]
        row = edits.row[edit]
        order = np.lexsort((-hope, row))
        some = order[rank_within(row[order]) < MOST_GROWN]
        return self._with_edits(beam[state[some]], edits.states[edit[some]])

    def _reach(
        self, beam: States, edits: Edits, barred: Barred | None = None
    ) -> tuple[Int[ndarray, " grown"], Int[ndarray, " grown"]]:
        """Which states of the beam can have which edits besides."""
        row, _, edited = beam.numpy()
        starts, ends = (np.searchsorted(edits.row, row, side=side) for side in ("left", "right"))
        counts = np.where(beam.change_counts < self.allowed.most_changes.numpy()[row], ends - starts, 0)
        state = np.repeat(np.arange(len(beam)), counts)
        edit = np.arange(len(state)) - np.repeat(np.cumsum(counts) - counts - starts, counts)
        fresh = ~edited[state, edits.feature[edit]]
        if barred is not None:
            fresh &= edits.feature[edit] != barred[state]
        return state[fresh], edit[fresh]

    def _with_edits(self, states: States, edits: States) -> States:
        grown = united(states, edits)
        grown = grown[grown.change_counts <= self.allowed.most_changes.numpy()[grown.row.numpy()]]
        return grown[grown.distinct()[0]]

    def _factuals(self, row: Int[ndarray, " state"]) -> States:
        codes = self.ground.table.codec.codes[row]
        return States.of_arrays(row.copy(), codes, np.zeros(codes.shape, dtype=np.bool_))

    def _nominal(self, d: int, rows: Rows, most: int) -> tuple[ndarray, ndarray, ndarray]:
        span = self.ground.table.codec.schema.space.span(d)
        at, code = _thinned(self.allowed.codes[:, span].numpy()[rows], most).nonzero()
        return rows[at], np.full(len(at), d), code

    def _ordered(self, d: int, rows: Rows, per_side: int) -> tuple[ndarray, ndarray, ndarray]:
        table, way = self.ground.table, self.ground.ways.get(d)
        feature = table.codec.schema.features[d]
        steps, own = feature.steps, table.coordinates[rows, d][:, None]
        on_grid = np.flatnonzero(steps.on_grid)
        number = steps.number[on_grid]
        open_ = np.ones((1, len(on_grid)), dtype=np.bool_) if way is None else way.steps[rows][:, on_grid]
        sides = (open_ & (number > own), (open_ & (number < own))[:, ::-1])
        up, down = (_nearest_first(side, per_side) for side in sides)
        at, step = (up | down[:, ::-1]).nonzero()
        found = rows[at], np.full(len(at), d), steps.place[on_grid[step]]
        if way is None or way.borders.shape[1] == 0:
            return found
        at, border = (way.borders[rows] & ~np.isin(table.codec.borders_of(d)[rows], steps.number)).nonzero()
        borders = rows[at], np.full(len(at), d), feature.first_border_place + border
        return tuple(np.concatenate(pair) for pair in zip(found, borders, strict=True))  # type: ignore[return-value]

    def _upwards(self, edits: Edits) -> Bool[ndarray, " edit"]:
        up = np.zeros(len(edits), dtype=np.bool_)
        for d in np.unique(edits.feature).tolist():
            (at,) = (edits.feature == d).nonzero()
            if self.ground.table.codec.schema.features[d].has_order:
                row = edits.row[at]
                up[at] = (
                    self.ground.table.codec.numbers(d, row, edits.place[at]) > self.ground.table.coordinates[row, d]
                )
        return up


def _thinned(open_: Bool[ndarray, "row value"], most: int) -> Bool[ndarray, "row value"]:
    """At most so many of the open values of each row, evenly spread, the last one among them."""
    rank = np.cumsum(open_, axis=1, dtype=np.int64)
    count = np.maximum(rank[:, -1:], 1) if open_.shape[1] else rank[:, :0]
    kept = np.minimum(count, most)
    return open_ & ((rank * kept) // count > ((rank - 1) * kept) // count)


def _nearest_first(open_: Bool[ndarray, "row value"], most: int) -> Bool[ndarray, "row value"]:
    """At most so many of the open values of each row, the first and the last among them, closer to each other first.

    Their places grow by about the same factor, so that there is one of a similar distance wherever the border lies. If
    there may be but one, it is the last, which is the likeliest to lie beyond the border.
    """
    rank = np.cumsum(open_, axis=1, dtype=np.int64)
    count = np.maximum(rank[:, -1:], 1) if open_.shape[1] else rank[:, :0]
    share = np.log(np.maximum(rank, 1)) / np.log(np.maximum(count, 2))  # from 0 for the first to 1 for the last
    before = np.log(np.maximum(rank - 1, 1)) / np.log(np.maximum(count, 2))
    steps = most - 1
    reached = np.floor(share * steps + ROUNDING) > np.floor(before * steps + ROUNDING)
    first = (rank == 1) & (most > 1)
    return open_ & (first | (rank == count) | reached)


def _best_of_each(
    edits: Edits, up: Bool[ndarray, " edit"], slack: Float[ndarray, " edit"], of_kind: Int[ndarray, " edit"], most: int
) -> Int[ndarray, " chosen"]:
    """The edits of most slack for each row, column and direction, so many of a kind; of these, the best of each row."""
    order = np.lexsort((-slack, up, edits.feature, edits.row))
    kind = np.stack([edits.row, edits.feature, up])[:, order]
    first = np.concatenate([[True], (kind[:, 1:] != kind[:, :-1]).any(axis=0)]) if len(order) else np.zeros(0, bool)
    best = order[rank_within(np.cumsum(first)) < of_kind[order]]
    best = best[np.lexsort((-slack[best], edits.row[best]))]
    return best[rank_within(edits.row[best]) < most]


def _pairs_within(group: Int[ndarray, " entry"]) -> tuple[ndarray, ndarray]:
    """All pairs of entries of the same group; the entries of a group must stand together."""
    one, other = [], []
    for apart in range(1, int(np.bincount(group).max(initial=0)) if len(group) else 0):
        (at,) = (group[:-apart] == group[apart:]).nonzero()
        one.append(at)
        other.append(at + apart)
    empty = np.zeros(0, dtype=np.int64)
    return np.concatenate([empty, *one]), np.concatenate([empty, *other])


def _height(row: Int[ndarray, " state"], slack: Float[ndarray, " state"]) -> float:
    """How far all rows have come together; ``row`` has the states of a row together, the one of most slack first."""
    return float(slack[rank_within(row) == 0].sum())


def _beam(states: States, slack: Float[ndarray, " state"], most: int) -> Int[ndarray, " chosen"]:
    """The states of most slack of each row, no two of which change the same columns."""
    row, _, edited = states.numpy()
    order = np.lexsort((-slack, row))
    first = groups_of(row_names(edited.astype(np.int64), row)[order]).first
    order = order[np.sort(first)]
    return order[rank_within(row[order]) < most]

"""How states can be completed: the least number of further edits after which every rule holds, and what leads there.

An edit is offered if what is needed after it fits into the changes that are left, so no trajectory ends in a state that
breaks a rule. A part of the edits of a state that can be completed can be completed, too, by the rest of them. So every
order of the edits of an answer is legal, and the uniform backward policy is what it is without rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._space import Allowed, CodeSpace, Moves
from counterflownet._states import States
from counterflownet.seeds import row_names
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.component import Component, Found, Known, components_of
from counterflownet.tabular.elimination import IMPOSSIBLE, Costs, least_costs
from counterflownet.tabular.network import Network
from counterflownet.tabular.rule_book import RuleBook
from counterflownet.tabular.rule_tables import RuleTables

Needs = Int[ndarray, " state"]


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """The components of some rows; ``row`` says which row of them each row of what is allowed is."""

    space: CodeSpace
    components: tuple[Component, ...]
    row: Int[ndarray, " row"]
    _known: dict[int, "Known"] = field(default_factory=dict)

    @classmethod
    def of(cls, codec: Codec, book: RuleBook, stand_ins: dict[int, Int[ndarray, " row"]]) -> "Completion":
        """The rules of a book for the rows of a codec."""
        network = Network(codec, stand_ins)
        RuleTables(network, book).write()
        return cls(codec.schema.space, tuple(components_of(network)), np.arange(len(codec)))

    def __getitem__(self, rows: ndarray) -> "Completion":
        return Completion(self.space, self.components, self.row[np.asarray(rows)])

    def needs(self, allowed: Allowed, states: States) -> Needs:
        """The least number of further edits of each state; IMPOSSIBLE or more if nothing completes it."""
        return self._needed(allowed, states, [self._found(part, allowed, states) for part in self.components])

    def moves(self, allowed: Allowed, states: States) -> Moves:
        """Which codes lead from each state to one that can be completed, and whether it may stop."""
        found = [self._found(part, allowed, states) for part in self.components]
        need, row = self._needed(allowed, states, found), states.row.numpy()
        room = allowed.most_changes.numpy()[row] - states.change_counts
        codes = allowed.codes.numpy()[row] & self._outside(allowed, states, need, room)
        for part, known in zip(self.components, found, strict=True):
            self._narrow(codes, part, known, states, room - need)
        return Moves.of_arrays(codes, need == 0)

    def completed(self, allowed: Allowed, states: States) -> States:
        """The states with as few further edits as they need, each to the nearest value; those that nothing helps stay.

        Every edit is one of a shortest way, so that the next round needs one less.
        """
        states = states[np.arange(len(states))]
        while True:
            found = [self._found(part, allowed, states) for part in self.components]
            edit = self._next_edit(states, found)
            (at,) = (edit[0] >= 0).nonzero()
            if len(at) == 0:
                return states
            _, codes, edited = states.numpy()
            feature = edit[0][at]
            codes[at, feature], edited[at, feature] = edit[1][at], True

    def _next_edit(self, states: States, found: Sequence[Found]) -> tuple[ndarray, ndarray]:
        """The nearest edit on a shortest way of each state: feature and code, -1 where none is needed or none helps."""
        feature, code = np.full(len(states), -1), np.zeros(len(states), np.int64)
        best = np.full(len(states), np.inf)
        row = self.row[states.row.numpy()]
        for part, known in zip(self.components, found, strict=True):
            least = known.least[known.key]
            for v, options in part.options.items():
                helps = known.with_option[v][known.key][:, 1 : options.first_follow] == least[:, None]
                helps &= ((least > 0) & (least < IMPOSSIBLE) & ~states.edited.numpy()[:, options.column])[:, None]
                away = np.where(helps, options.away(row), np.inf)
                nearest = away.argmin(axis=1)
                nearer = away[np.arange(len(row)), nearest] < best
                best[nearer] = away[np.arange(len(row)), nearest][nearer]
                feature[nearer], code[nearer] = options.column, nearest[nearer]
        return feature, code

    def _needed(self, allowed: Allowed, states: States, found: Sequence[Found]) -> Needs:
        waiting = allowed.required.numpy()[states.row.numpy()] & ~states.edited.numpy()
        for part in self.components:
            waiting[:, part.columns] = False  # counted with their component
        return waiting.sum(axis=1) + sum((known.least[known.key] for known in found), np.zeros(len(states), np.int64))

    def _outside(self, allowed: Allowed, states: States, need: Needs, room: Needs) -> Bool[ndarray, "state code"]:
        """Columns that no rule speaks of: open unless all changes that are left are needed elsewhere."""
        required, edited = allowed.required.numpy()[states.row.numpy()], states.edited.numpy()
        open_ = ~edited & ((need + 1 <= room)[:, None] | (required & (need <= room)[:, None]))
        return np.repeat(open_, self.space.code_counts, axis=1)

    def _narrow(
        self, codes: Bool[ndarray, "state code"], part: Component, known: Found, states: States, spare: Needs
    ) -> None:
        for v, options in part.options.items():
            span = self.space.span(options.column)
            needed = known.with_option[v][known.key][:, 1 : options.first_follow] - known.least[known.key][:, None]
            open_ = ~states.edited.numpy()[:, [options.column]] & (needed <= spare[:, None])
            codes[:, span] = open_

    def _found(self, part: Component, allowed: Allowed, states: States) -> Found:
        """What a component needs, once for states that are alike in it."""
        row, codes, edited = states.numpy()
        columns = part.columns
        names = row_names(np.column_stack([row, np.where(edited[:, columns], codes[:, columns], -1)]))
        names, first, key = np.unique(names, return_index=True, return_inverse=True)
        number = self.components.index(part)
        known = self._known.get(number)
        if known is None or not known.is_about(allowed):
            known = Known.nothing(part, allowed)
        new = ~known.has(names)
        if new.any():
            known = known.joined_by(names[new], self._costs(part, allowed, states[first[new]]))
            self._known[number] = known
        return known.found(names, key)

    def _costs(self, part: Component, allowed: Allowed, states: States) -> list[Costs]:
        """The least cost of a component with each option of each of its columns."""
        rows = self.row[states.row.numpy()]
        unary = _own_costs(self.space, part, allowed, states, rows)
        every = [_filled(part.free[v], rows) if v in part.free else unary[v] for v in range(len(part.plan.sizes))]
        return least_costs(part.plan, every, [table.of_rows(rows) for table in part.tables], list(part.options))


def _filled(free: Costs, rows: ndarray) -> Costs:
    return np.broadcast_to(free, (len(rows), free.shape[1])) if len(free) == 1 else free[rows]


def _own_costs(
    space: CodeSpace, part: Component, allowed: Allowed, states: States, rows: Int[ndarray, " state"]
) -> dict[int, Costs]:
    """What each option of each column costs: nothing to stay or to follow, one edit for a code; edits stay made."""
    row, codes, edited = states.numpy()
    found = {}
    for v, options in part.options.items():
        d = options.column
        kept = options.possible[rows] & ~allowed.required.numpy()[row, d][:, None]
        cost = np.full((len(row), options.numbers.shape[1]), IMPOSSIBLE, dtype=np.int16)
        cost[:, 0] = np.where(kept[:, 0], 0, IMPOSSIBLE)
        cost[:, options.first_follow :] = np.where(kept[:, 1:], 0, IMPOSSIBLE)
        cost[:, 1 : options.first_follow] = np.where(allowed.codes.numpy()[row, space.span(d)], 1, IMPOSSIBLE)
        (at,) = edited[:, d].nonzero()
        cost[at] = IMPOSSIBLE
        cost[at, 1 + codes[at, d]] = 0
        found[v] = cost
    return found

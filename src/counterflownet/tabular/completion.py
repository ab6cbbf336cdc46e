"""How states can be completed: the least number of further edits after which every rule holds, and what leads there.

An edit is offered if what is needed after it fits into the changes that are left, so no trajectory ends in a state that
breaks a rule. A part of the edits of a state that can be completed can be completed, too, by the rest of them. So every
order of the edits of an answer is legal, and the uniform backward policy is what it is without rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet._space import Allowed, CodeSpace, Moves
from counterflownet._states import States
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.component import IMPOSSIBLE, Component, Found, components_of
from counterflownet.tabular.network import Network
from counterflownet.tabular.rule_book import RuleBook
from counterflownet.tabular.rule_tables import RuleTables
from counterflownet.tabular.situations import Situations

Needs = Int[ndarray, " state"]


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """The components of some rows; ``row`` says which row of them each row of what is allowed is.

    If it is ``direct``, a state that breaks a rule is offered nothing but edits of a shortest way to one that does not.
    No rule binds rows that are ``spared``.
    """

    space: CodeSpace
    components: tuple[Component, ...]
    row: Int[ndarray, " row"]
    direct: bool = False
    spared: Bool[ndarray, " row"] | None = None
    _situations: list[Situations] = field(default_factory=list)

    @classmethod
    def of(cls, codec: Codec, book: RuleBook, stand_ins: dict[int, Int[ndarray, " row"]]) -> "Completion":
        """The rules of a book for the rows of a codec."""
        network = Network(codec, stand_ins)
        RuleTables(network, book).write()
        return cls(codec.schema.space, tuple(components_of(network)), np.arange(len(codec)))

    def __getitem__(self, rows: ndarray) -> "Completion":
        rows = np.asarray(rows)
        spared = None if self.spared is None else self.spared[rows]
        return Completion(self.space, self.components, self.row[rows], self.direct, spared)

    def directly(self) -> "Completion":
        """The same without detours."""
        return replace(self, direct=True)

    def sparing(self, rows: Bool[ndarray, " row"]) -> "Completion":
        """The same without rules in some rows."""
        return replace(self, spared=rows)

    def needs(self, allowed: Allowed, states: States) -> Needs:
        """The least number of further edits of each state; IMPOSSIBLE or more if nothing completes it."""
        return self._needed(allowed, states, self._found(allowed, states))

    def moves(self, allowed: Allowed, states: States) -> Moves:
        """Which codes lead from each state to one that can be completed, and whether it may stop."""
        found, row = self._found(allowed, states), states.row.numpy()
        need = self._needed(allowed, states, found)
        room = allowed.most_changes.numpy()[row] - states.change_counts
        if self.direct:
            room = np.where(need > 0, np.minimum(need, room), room)
        codes = allowed.codes.numpy()[row]
        codes &= np.repeat(self._outside(allowed, states, need, room), self.space.code_counts, axis=1)
        for part, known in zip(self.components, found, strict=True):
            self._narrow(codes, part, known, states, room - need)
        if self.spared is not None:
            self._spare(codes, allowed, states, self.spared[row])
            need = np.where(self.spared[row], 0, need)
        return Moves.of_arrays(codes, need == 0)

    def _spare(
        self, codes: Bool[ndarray, "state code"], allowed: Allowed, states: States, spared: Bool[ndarray, " state"]
    ) -> None:
        """Open all that is allowed in states that no rule binds."""
        some = states[spared]
        room = allowed.most_changes.numpy()[some.row.numpy()] > some.change_counts
        open_ = np.repeat(~some.edited.numpy() & room[:, None], self.space.code_counts, axis=1)
        codes[spared] = allowed.codes.numpy()[some.row.numpy()] & open_

    def completed(self, allowed: Allowed, states: States) -> States:
        """The states with as few further edits as they need, each to the nearest value; those that nothing helps stay.

        Every edit is one of a shortest way, so that the next round needs one less.
        """
        states = states[np.arange(len(states))]
        waiting = np.arange(len(states))
        while len(waiting):
            feature, code, left = self._next_edit(allowed, states[waiting])
            some = feature >= 0
            at = waiting[some]
            _, codes, edited = states.numpy()
            codes[at, feature[some]], edited[at, feature[some]] = code[some], True
            waiting = waiting[some & (left > 0)]
        return states

    def _next_edit(self, allowed: Allowed, states: States) -> tuple[ndarray, ndarray, Needs]:
        """The nearest edit on a shortest way of each state, and how many are left after it.

        Feature and code; -1 where none is needed or none helps.
        """
        feature, code, left = np.full(len(states), -1), np.zeros(len(states), np.int64), np.full(len(states), -1)
        best = np.full(len(states), np.inf)
        row, edited = states.row.numpy(), states.edited.numpy()
        for number, known in enumerate(self._found(allowed, states)):
            part, nearest = self.components[number], self._situations_of(allowed).standings[number].nearest
            least = known.least[known.key]
            (at,) = ((least > 0) & (least < IMPOSSIBLE)).nonzero()
            left[at] += least[at]
            alike = known.key[at] * len(nearest.away) + row[at]  # states of a row in one situation need the same
            _, first, number_of = np.unique(alike, return_index=True, return_inverse=True)
            one = at[first]
            helps = known.beside[known.key[one]] + 1 == least[one, None, None]
            helps &= ~edited[one][:, part.columns, None]
            away = np.where(helps, nearest.away[row[one]], np.inf).reshape(len(one), part.kind_count)
            kind = away.argmin(axis=1)
            away, kind = away[np.arange(len(one)), kind][number_of], kind[number_of]
            nearer = away < best[at]
            at, kind = at[nearer], kind[nearer]
            best[at] = away[nearer]
            feature[at] = np.array(part.columns)[kind // part.width]
            code[at] = nearest.code.reshape(-1, part.kind_count)[row[at], kind]
        return feature, code, left

    def _needed(self, allowed: Allowed, states: States, found: Sequence[Found]) -> Needs:
        waiting = allowed.required.numpy()[states.row.numpy()] & ~states.edited.numpy()
        for part in self.components:
            waiting[:, part.columns] = False  # counted with their component
        return waiting.sum(axis=1) + sum((known.least[known.key] for known in found), np.zeros(len(states), np.int64))

    def _outside(self, allowed: Allowed, states: States, need: Needs, room: Needs) -> Bool[ndarray, "state feature"]:
        """Columns that no rule speaks of are open unless all changes that are left are needed elsewhere; others are."""
        required, edited = allowed.required.numpy()[states.row.numpy()], states.edited.numpy()
        open_ = ~edited & ((need + 1 <= room)[:, None] | (required & (need <= room)[:, None]))
        for part in self.components:
            open_[:, part.columns] = ~edited[:, part.columns]
        return open_

    def _narrow(
        self, codes: Bool[ndarray, "state code"], part: Component, known: Found, states: States, spare: Needs
    ) -> None:
        """Close the codes of a component that need more edits than there are to spare."""
        beside = known.beside[known.key]
        most = np.clip(known.least[known.key] + spare - 1, -1, part.limit - 1).astype(beside.dtype)
        every = np.arange(len(states))
        open_ = part.of_codes(beside <= most[:, None, None], every, self.row[states.row.numpy()])
        for v, options in enumerate(part.options):
            codes[:, self.space.span(options.column)] &= open_[:, part.span(v)]

    def _found(self, allowed: Allowed, states: States) -> Sequence[Found]:
        """What each component needs."""
        return self._situations_of(allowed).found(states) if self.components else ()

    def _situations_of(self, allowed: Allowed) -> Situations:
        """What is allowed is mostly the same as the last time."""
        if not self._situations or not self._situations[-1].are_of(allowed):
            self._situations[:] = [Situations.of(self.components, self.space, allowed, self.row)]
        return self._situations[-1]

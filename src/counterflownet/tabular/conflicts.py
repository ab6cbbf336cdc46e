"""Which rules and constraints exclude each other, or every change, in a row: the smallest set that does, by name."""

from collections.abc import Callable, Sequence

import numpy as np
import torch
from jaxtyping import Int
from numpy import ndarray

from counterflownet._states import unedited
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.borders import borders_of
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Flags
from counterflownet.tabular.constraint_checks import checked_rules, resolved
from counterflownet.tabular.rule import Constraint

Stuck = Callable[[Allowance, Codec], Int[ndarray, "_"]]
MOST_SETS = 12  # different conflicts that are looked for in one chunk: each takes a compilation for every constraint


def hopeless_rows(allowance: Allowance, codec: Codec) -> Int[ndarray, " hopeless"]:
    """The rows of which nothing that is allowed keeps all rules."""
    allowed = allowance.allowed
    if allowed.joint is None:
        return np.zeros(0, dtype=np.int64)
    needs = allowed.joint.needs(allowed, unedited(torch.from_numpy(codec.codes), torch.arange(len(codec))))
    return np.flatnonzero(needs > allowed.most_changes.numpy())


def closed_rows(allowance: Allowance, codec: Codec) -> Int[ndarray, " closed"]:
    """The rows in which rules leave nothing to change of what constraints would."""
    allowed = allowance.allowed
    if allowed.joint is None:
        return np.zeros(0, dtype=np.int64)
    moves = allowed.joint.moves(allowed, unedited(torch.from_numpy(codec.codes), torch.arange(len(codec))))
    return np.flatnonzero(allowed.codes.any(dim=1).numpy() & ~moves.codes.any(dim=1).numpy())


class Conflicts:
    """Looks for conflicts row by row, until every row has the text of one that holds for it as well.

    What counts as one, ``stuck`` tells: :func:`hopeless_rows` or :func:`closed_rows`.
    """

    def __init__(self, constraints: CheckedConstraints, codec: Codec, stuck: Stuck = hopeless_rows) -> None:
        self.constraints, self.codec, self.stuck = constraints, codec, stuck

    def told(self, rows: Sequence[int]) -> dict[int, str]:
        """For each row, which rules and constraints exclude each other."""
        waiting = [int(row) for row in rows]
        told: dict[int, str] = {}
        for _ in range(MOST_SETS):
            if not waiting:
                break
            smallest = self._smallest(waiting[0])
            same = [row for row in waiting if all(item in self._items(row) for item in smallest)]
            hopeless = self._hopeless(smallest, same)
            told |= {row: _text(smallest, self.stuck) for row, flag in zip(same, hopeless, strict=True) if flag}
            told.setdefault(waiting[0], _text(smallest, self.stuck))
            waiting = [row for row in waiting if row not in told]
        return told | {row: _text(self._items(row), self.stuck) for row in waiting}

    def _smallest(self, row: int) -> list[Constraint]:
        """What is left when everything is dropped without which the conflict remains."""
        kept = self._items(row)
        for item in list(kept):
            fewer = [other for other in kept if other is not item]
            if self._hopeless(fewer, [row])[0]:
                kept = fewer
        return kept

    def _items(self, row: int) -> list[Constraint]:
        """All rules and constraints of a row."""
        label = self.codec.rows.index[row]
        own = self.constraints.by_label.get(label, ())
        rules = (*self.constraints.rules, *self.constraints.rules_by_label.get(label, ()))
        return [*rules, *(constraint for constraint, _ in (*self.constraints.everywhere, *own))]

    def _hopeless(self, items: Sequence[Constraint], rows: Sequence[int]) -> Flags:
        """In which of the rows these few exclude each other."""
        schema, some = self.codec.schema, self.codec.rows.iloc[list(rows)]
        few = CheckedConstraints(resolved(schema, list(items)), {}, {}, checked_rules(schema, items))
        codec = Codec(schema, some, borders_of(few, schema, some), few.book(schema, some.index))
        allowance = few.compiled(codec)
        hopeless = np.isin(np.arange(len(some)), self.stuck(allowance, codec))
        hopeless[list(allowance.contradictions)] = True
        return hopeless


def _text(items: Sequence[Constraint], stuck: Stuck) -> str:
    names = " and ".join(map(repr, items))
    if stuck is closed_rows:
        return f"{names} {'excludes' if len(items) == 1 else 'exclude'} every change"
    return f"{names} leaves no answer" if len(items) == 1 else f"{names} cannot all be kept"

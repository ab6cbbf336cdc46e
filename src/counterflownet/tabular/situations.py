"""Which situation each state is in, told for all components together: of few states, many small steps take longest."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Int
from numpy import ndarray
from numpy.typing import NDArray

from counterflownet._space import Allowed, CodeSpace
from counterflownet._states import States
from counterflownet.seeds import odd_numbers
from counterflownet.tabular.component import FREE, Component, Found, Standing


@dataclass(frozen=True, eq=False)
class Situations:
    """All components where something is allowed; ``row`` says which row of them each of its rows is.

    The columns of all components stand side by side.
    """

    standings: Sequence[Standing]
    row: Int[ndarray, " row"]

    @classmethod
    def of(
        cls, parts: Sequence[Component], space: CodeSpace, allowed: Allowed, row: Int[ndarray, " row"]
    ) -> "Situations":
        return cls([Standing(part, space, allowed, row) for part in parts], row)

    def are_of(self, allowed: Allowed) -> bool:
        """Whether the same is allowed."""
        mine = self.standings[0].allowed
        return mine.codes is allowed.codes and mine.required is allowed.required

    def found(self, states: States) -> list[Found]:
        """What each component needs in these states."""
        row, codes, edited = states.numpy()
        edited = edited.take(self._columns, axis=1)
        option = np.where(edited, 1 + codes.take(self._columns, axis=1), 0)
        kinds = np.where(edited, 1 + self._kinds.take(option + self._first_kinds[self.row[row]]), FREE)
        names = np.ascontiguousarray((kinds.view(np.uint64) @ self._odd + self._row_names[row]).T)
        spans = zip(self._ends[:-1], self._ends[1:], strict=True)
        return [
            standing.found(row, kinds[:, start:end], name)
            for standing, (start, end), name in zip(self.standings, spans, names, strict=True)
        ]

    @cached_property
    def _columns(self) -> Int[ndarray, " column"]:
        return np.array([column for standing in self.standings for column in standing.part.columns])

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *np.cumsum([len(standing.part.options) for standing in self.standings]).tolist()]

    @cached_property
    def _kinds(self) -> NDArray[np.int64]:
        return np.concatenate([standing.part.kinds.ravel() for standing in self.standings])

    @cached_property
    def _first_kinds(self) -> Int[ndarray, "row column"]:
        """Where the kinds of the options of each column begin in each row."""
        before, found = 0, []
        for standing in self.standings:
            columns, rows, longest = standing.part.kinds.shape
            found.append(before + (np.arange(columns) * rows + np.arange(rows)[:, None]) * longest)
            before += standing.part.kinds.size
        return np.concatenate(found, axis=1)

    @cached_property
    def _odd(self) -> NDArray[np.uint64]:
        """What the kinds of each column add to the name of the situation of each component."""
        odd = np.zeros((self._ends[-1], len(self.standings)), dtype=np.uint64)
        for number, (start, end) in enumerate(zip(self._ends[:-1], self._ends[1:], strict=True)):
            odd[start:end, number] = odd_numbers(1 + end - start)[1:]
        return odd

    @cached_property
    def _row_names(self) -> NDArray[np.uint64]:
        """What the row adds to the name of the situation of each component."""
        return np.stack([standing.names * odd_numbers(1)[0] for standing in self.standings], axis=1)

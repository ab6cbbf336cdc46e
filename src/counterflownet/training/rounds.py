"""Rows in a new random order each time round, from any place on."""

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from counterflownet.seeds import numpy_generator


class Rounds:
    """Rows without end: all of them in random order, then all again in another.

    What stands at a place depends on the seed and the names alone. Only the last order used is kept, because whoever
    reads on begins in it.
    """

    def __init__(self, rows: Int[ndarray, " row"], seed: int, *names: str | int) -> None:
        self.rows = rows
        self._seed, self._names = seed, names
        self._number, self._order = -1, rows

    def __call__(self, start: int, stop: int) -> Int[ndarray, " place"]:
        """The rows at the places from ``start`` to before ``stop``."""
        count = len(self.rows)
        if stop <= start:
            return self.rows[:0]
        numbers = range(start // count, (stop - 1) // count + 1)
        begin = start - numbers[0] * count
        return np.concatenate([self._round(number) for number in numbers])[begin : begin + stop - start]

    def _round(self, number: int) -> Int[ndarray, " row"]:
        if number != self._number:
            order = numpy_generator(self._seed, *self._names, number).permutation(len(self.rows))
            self._number, self._order = number, self.rows[order]
        return self._order

"""The values that a change can stop at on its way between the factual's value and its own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Every value of an ordered column: its ``number``, rising, the ``place`` it has in a state, whether on the grid.

    A value that is a code's has the code's place, so that equal rows are equal states.
    """

    number: Float[ndarray, " step"]
    place: Int[ndarray, " step"]
    on_grid: Bool[ndarray, " step"]

    @classmethod
    def of(
        cls, codes: Float[ndarray, " code"], fine: Sequence[float], first_fine_place: int, grid: Sequence[float]
    ) -> "Steps":
        """The numbers of the codes and the fine ones, each once; the codes are on the grid, too."""
        places = np.concatenate([np.arange(len(codes)), first_fine_place + np.arange(len(fine))])
        number, first = np.unique(np.concatenate([codes, np.asarray(fine, dtype=np.float64)]), return_index=True)
        return cls(number, places[first], np.isin(number, np.asarray(grid)) | (first < len(codes)))

    def between(
        self, low: Float[ndarray, " change"], high: Float[ndarray, " change"]
    ) -> tuple[Int[ndarray, " change"], Int[ndarray, " change"]]:
        """The first step above each ``low``, and the first after it that is not below ``high``."""
        first = np.searchsorted(self.number, low, side="right")
        return first, np.maximum(np.searchsorted(self.number, high, side="left"), first)

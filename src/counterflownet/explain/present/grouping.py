"""In which order the counterfactuals of a row are shown: variations of a strategy stand under its best one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation


def by_strategy(explanation: "Explanation", numbers: NDArray[np.int64]) -> Iterator[tuple[int, bool]]:
    """The numbers again, strategies in the order of their first, each with whether it is a variation of one above."""
    _, first, which = np.unique(explanation.strategy[numbers], return_index=True, return_inverse=True)
    for place in np.argsort(first[which], kind="stable").tolist():
        yield int(numbers[place]), place != first[which[place]]

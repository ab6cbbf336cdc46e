"""What the forms of presentation read of an explanation.

A Protocol and not the class itself, because ``Explanation`` imports this package.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@runtime_checkable
class JudgedRow(Protocol):
    """How it went for one factual."""

    @property
    def outcome(self) -> Enum: ...
    @property
    def reason(self) -> str: ...


@runtime_checkable
class Presentable(Protocol):
    """The read-only side of ``Explanation``; its docstring says what belongs to what."""

    @property
    def factuals(self) -> pd.DataFrame: ...
    @property
    def counterfactuals(self) -> pd.DataFrame: ...
    @property
    def row(self) -> NDArray[np.int64]: ...
    @property
    def rank(self) -> NDArray[np.int64]: ...
    @property
    def valid(self) -> NDArray[np.bool_]: ...
    @property
    def reward(self) -> NDArray[np.float64]: ...
    @property
    def terms(self) -> Mapping[str, NDArray[np.float64]]: ...
    @property
    def changed(self) -> NDArray[np.bool_]: ...
    @property
    def targets(self) -> Sequence[Any]: ...
    @property
    def predicted(self) -> Sequence[Any]: ...
    @property
    def outcomes(self) -> Sequence[JudgedRow]: ...
    @property
    def asked(self) -> int: ...
    def __len__(self) -> int: ...
    def changes(self, number: int) -> Iterator[tuple[Hashable, Any, Any]]: ...


def numbers_by_row(explanation: Presentable, most: int | None = None) -> list[NDArray[np.int64]]:
    """For each of the first ``most`` factuals, the positions of its counterfactuals, in the order given."""
    count = len(explanation.factuals) if most is None else min(most, len(explanation.factuals))
    order = np.argsort(explanation.row, kind="stable")  # one sort, so that a page of thousands of rows stays quick
    edges = np.searchsorted(explanation.row[order], np.arange(count + 1))
    return [order[start:stop] for start, stop in pairwise(edges.tolist())]


def is_complete(explanation: Presentable, position: int) -> bool:
    return explanation.outcomes[position].outcome.name == "COMPLETE"

"""An explanation row by row: that of one row, of some rows, of the rows with a label."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from counterflownet.errors import NoSuchRowError, listed
from counterflownet.explain.oddities import Oddities

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

OF_ANSWERS = ("rank", "valid", "reward", "changed", "strategy", "probability", "follows")
OF_ROWS = ("targets", "predicted", "outcomes")


def part_of(whole: "Explanation", at: int | slice) -> "Explanation":
    """The explanation of the row at a position, or of those of a slice."""
    count = len(whole.factuals)
    if isinstance(at, slice):
        return some_rows(whole, np.arange(count)[at])
    if isinstance(at, bool) or not isinstance(at, (int, np.integer)):
        raise NoSuchRowError(f"rows are counted from 0; got {at!r}. By label: explanation.loc[{at!r}].")
    if not -count <= at < count:
        raise NoSuchRowError(f"there are {count} rows, counted from 0; got {at}. By label: explanation.loc[{at}].")
    return some_rows(whole, np.array([at % count]))


def each_row(whole: "Explanation") -> Iterator["Explanation"]:
    """The explanation of every row, one after the other."""
    numbers = whole.numbers_by_row()  # one sort for all of them
    return (_chosen(whole, np.array([row]), [numbers[row]]) for row in range(len(whole.factuals)))


def some_rows(whole: "Explanation", rows: Int[ndarray, " row"]) -> "Explanation":
    """The explanation of the rows at these positions."""
    numbers = whole.numbers_by_row()
    return _chosen(whole, rows, [numbers[row] for row in rows.tolist()])


@dataclass(frozen=True, slots=True, eq=False)
class ByLabel:
    """``explanation.loc[label]``: the explanation of the rows with a label of the index, or with one of a list."""

    whole: "Explanation"

    def __getitem__(self, label: Any) -> "Explanation":
        labels = label if isinstance(label, list) else [label]
        rows = [place for one in labels for place in self._places(one)]
        return some_rows(self.whole, np.array(rows, dtype=np.int64))

    def _places(self, label: Any) -> list[int]:
        index = self.whole.factuals.index
        try:
            found = index.get_loc(label)
        except (KeyError, TypeError) as error:
            raise NoSuchRowError(
                f"no row has the label {label!r}. Labels: {listed(map(repr, index.tolist()))}. By position: "
                "explanation[0]."
            ) from error
        return np.atleast_1d(np.arange(len(index))[found]).tolist()  # a number, a slice or flags


def _chosen(
    whole: "Explanation", rows: Int[ndarray, " row"], numbers: Sequence[Int[ndarray, " answer"]]
) -> "Explanation":
    """These rows with these of their answers. Oddities are counted over all answers, and stay with the whole."""
    picked = np.concatenate([*numbers, np.zeros(0, dtype=np.int64)]).astype(np.int64)
    of_answers: dict[str, Any] = {name: _taken(getattr(whole, name), picked) for name in OF_ANSWERS}
    of_rows: dict[str, Any] = {name: tuple(getattr(whole, name)[row] for row in rows.tolist()) for name in OF_ROWS}
    return replace(
        whole,
        factuals=whole.factuals.iloc[rows],
        counterfactuals=whole.counterfactuals.take(picked).reset_index(drop=True),
        row=np.repeat(np.arange(len(rows)), [len(some) for some in numbers]),
        terms={name: values[picked] for name, values in whole.terms.items()},
        probability_before=whole.probability_before[rows],
        locked=_taken(whole.locked, rows),
        native=None if whole.native is None else whole.native.rows(rows),
        oddities=whole.oddities if len(rows) == len(whole.factuals) else Oddities(),
        **of_answers,
        **of_rows,
    )


def _taken(values: Any, picked: Int[ndarray, " some"]) -> Any:
    return None if values is None else values[picked]

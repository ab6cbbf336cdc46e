"""What any method answers: counterfactual rows, which factual each belongs to, and at which place."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int, Shaped
from numpy import ndarray

from counterflownet.errors import InvalidInputError, check_at_least, listed


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """Counterfactuals of some factuals, at most ``count`` each.

    ``row`` is the position of each counterfactual's factual, ``rank`` its place among that factual's answers (1 to
    ``count``; a rank that does not occur is a missing answer), ``valid`` whether the classifier puts it in the target
    class. A copy of the factual is refused: see ``without_copies``.
    """

    factuals: pd.DataFrame
    counterfactuals: pd.DataFrame
    row: Int[ndarray, " answer"]
    rank: Int[ndarray, " answer"]
    valid: Bool[ndarray, " answer"]
    count: int

    def __post_init__(self) -> None:
        check_at_least("count", self.count, 1)
        if not len(self.factuals):
            raise InvalidInputError("there are no factuals; at least one instance is needed.")
        _check_columns(self.factuals, self.counterfactuals)
        self._check_places()
        copies = np.asarray(~self.changed.any(axis=1))
        if copies.any():
            raise InvalidInputError(
                f"{int(copies.sum())} of {len(copies)} counterfactuals are copies of their factual, the first at "
                f"position {int(copies.argmax())}. Take them out with without_copies: no answer is an answer."
            )

    @cached_property
    def changed(self) -> Bool[ndarray, "answer feature"]:
        """Which cells differ from the factual's, in the order of the factuals' columns."""
        return changed_cells(self.factuals, self.counterfactuals, self.row)

    @cached_property
    def present(self) -> Bool[ndarray, "row place"]:
        """Which places hold an answer."""
        return self.placed(np.ones(len(self.row), dtype=bool), empty=False)

    def placed(self, values: Shaped[ndarray, "answer ..."], *, empty: Any) -> Shaped[ndarray, "row place ..."]:
        """What is known of each answer, put into its place; ``empty`` where there is none."""
        places = np.full((len(self.factuals), self.count, *values.shape[1:]), empty, dtype=values.dtype)
        places[self.row, self.rank - 1] = values
        return places

    def _check_places(self) -> None:
        lengths = {len(self.counterfactuals), len(self.row), len(self.rank), len(self.valid)}
        if len(lengths) > 1:
            raise InvalidInputError(
                f"counterfactuals, row, rank and valid must be equally long; got {len(self.counterfactuals)}, "
                f"{len(self.row)}, {len(self.rank)}, {len(self.valid)}."
            )
        if ((self.row < 0) | (self.row >= len(self.factuals))).any():
            raise InvalidInputError(f"row must be a position among the {len(self.factuals)} factuals.")
        if ((self.rank < 1) | (self.rank > self.count)).any():
            raise InvalidInputError(
                f"rank must be between 1 and count = {self.count}; keep the first {self.count} only."
            )
        if len(np.unique(np.stack([self.row, self.rank]), axis=1).T) < len(self.row):
            raise InvalidInputError("two counterfactuals of one factual have the same rank.")


def without_copies(
    factuals: pd.DataFrame, counterfactuals: pd.DataFrame, row: Int[ndarray, " answer"]
) -> Int[ndarray, " kept"]:
    """The positions of the counterfactuals that change something; the others' places are to stay empty."""
    return np.flatnonzero(changed_cells(factuals, counterfactuals, row).any(axis=1))


def changed_cells(
    factuals: pd.DataFrame, counterfactuals: pd.DataFrame, row: Int[ndarray, " answer"]
) -> Bool[ndarray, "answer feature"]:
    """Which cells differ from the factual's; a missing value equals a missing value, and 3 equals 3.0."""
    _check_columns(factuals, counterfactuals)
    columns = [_differs(factuals[name].iloc[row], counterfactuals[name]) for name in factuals.columns]
    return np.stack(columns, axis=1)


def _check_columns(factuals: pd.DataFrame, counterfactuals: pd.DataFrame) -> None:
    names, others = list(factuals.columns), list(counterfactuals.columns)
    if not names or len(set(names)) < len(names) or len(others) != len(names) or set(others) != set(names):
        raise InvalidInputError(
            "factuals and counterfactuals must have the same columns, each once; "
            f"got {listed(names)} and {listed(others)}."
        )


def _differs(old: pd.Series, new: pd.Series) -> Bool[ndarray, " answer"]:
    if all(isinstance(column.dtype, np.dtype) and column.dtype != object for column in (old, new)):
        first, second = old.to_numpy(), new.to_numpy()
    else:  # text, categories and mixtures compare as plain values
        first, second = _plain(old), _plain(new)
    missing = old.isna().to_numpy() & new.isna().to_numpy()
    return np.asarray(first != second, dtype=bool) & ~missing


def _plain(column: pd.Series) -> Shaped[ndarray, " answer"]:
    return column.astype(object).where(column.notna(), None).to_numpy()  # pandas' NA refuses to be compared

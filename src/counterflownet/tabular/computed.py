"""What a derived column becomes: values, with their numbers, and whether they are known."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.tabular.derived import Derived
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """One value for each row that it was computed from, told by its place in a ``pool``."""

    pool: pd.Series
    place: Int[ndarray, " value"]
    numbers: Float[ndarray, " value"]
    known: Bool[ndarray, " value"]

    @classmethod
    def of(cls, rule: Derived, schema: Schema, given: pd.DataFrame) -> "Computed":
        """What a rule makes of these rows."""
        values = rule.recomputed(schema, given).rename(rule.column)
        return cls(values, np.arange(len(values)), rule.numbers(schema, values), rule.known(given))

    @property
    def values(self) -> pd.Series:
        return self.pool.take(self.place).reset_index(drop=True)

    def __getitem__(self, at: Int[ndarray, " some"]) -> "Computed":
        return Computed(self.pool, self.place[at], self.numbers[at], self.known[at])

    def followed_by(self, others: "Computed") -> "Computed":
        """These, then the others."""
        return Computed(
            pd.concat([self.pool, others.pool], ignore_index=True),
            np.concatenate([self.place, len(self.pool) + others.place]),
            np.concatenate([self.numbers, others.numbers]),
            np.concatenate([self.known, others.known]),
        )


class Remembered:
    """What a function makes of the values of one column, told by their places: it is ``asked`` about each once."""

    def __init__(self, place_count: int, asked: Callable[[Int[ndarray, " place"]], Computed]) -> None:
        self._asked = asked
        self._at = np.full(place_count, -1)
        self._found: Computed | None = None

    def __getitem__(self, place: Int[ndarray, " value"]) -> Computed:
        new = np.unique(place[self._at[place] < 0])
        if len(new) or self._found is None:
            self._learn(new)
        return self._found[self._at[place]]  # type: ignore[index]

    def _learn(self, new: Int[ndarray, " place"]) -> None:
        found = self._asked(new)
        before = 0 if self._found is None else len(self._found.place)
        self._at[new] = before + np.arange(len(new))
        self._found = found if self._found is None else self._found.followed_by(found)

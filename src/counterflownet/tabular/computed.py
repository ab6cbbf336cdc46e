"""What a derived column becomes: values, with their numbers, and whether they are known."""

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

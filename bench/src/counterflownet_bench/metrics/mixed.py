"""What Protocol B is measured on: numbers and categories of factuals and answers, under two conventions.

``range`` follows the printed formulas: numbers in units of their training range, proximity summed over numeric
features. ``zscore`` is the reading that fits the published numbers: units of the training deviation, proximity averaged
over numeric features. Outlier factors live in the space of the convention: numbers from 0 to 1 or z-scores, each with
one-hot categories.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics.places import check_changes, check_places

ConventionName = Literal["range", "zscore"]
CONVENTIONS: tuple[ConventionName, ...] = get_args(ConventionName)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scale:
    """Range, mean and deviation of the numeric columns, of the training rows only; a constant column has unit 1."""

    low: Float[ndarray, " numeric"]
    high: Float[ndarray, " numeric"]
    mean: Float[ndarray, " numeric"]
    deviation: Float[ndarray, " numeric"]

    def __post_init__(self) -> None:
        if (self.high < self.low).any() or (self.deviation < 0).any():
            raise InvalidInputError("a scale needs low <= high and deviation >= 0 in every column.")

    @classmethod
    def fit(cls, numbers: Float[ndarray, "row numeric"]) -> "Scale":
        """The scale of training rows."""
        if len(numbers) == 0:
            raise InvalidInputError("a scale needs at least one training row.")
        return cls(
            low=numbers.min(axis=0), high=numbers.max(axis=0), mean=numbers.mean(axis=0), deviation=numbers.std(axis=0)
        )

    def unit(self, convention: ConventionName) -> Float[ndarray, " numeric"]:
        """What counts as a distance of one."""
        size = self.high - self.low if convention == "range" else self.deviation
        return np.where(size > 0, size, 1.0)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MixedEvaluation:
    """Factuals and up to K answers each: raw numbers and category codes, whether valid, and their outlier factors.

    ``lof_range`` and ``lof_zscore`` are the local outlier factors of each valid answer in the two spaces; elsewhere
    they are never looked at, and neither is what stands in an empty place.
    """

    factual_numbers: Float[ndarray, "row numeric"]
    factual_codes: Int[ndarray, "row categorical"]
    numbers: Float[ndarray, "row place numeric"]
    codes: Int[ndarray, "row place categorical"]
    present: Bool[ndarray, "row place"]
    valid: Bool[ndarray, "row place"]
    scale: Scale
    lof_range: Float[ndarray, "row place"]
    lof_zscore: Float[ndarray, "row place"]

    def __post_init__(self) -> None:
        check_places(self.present, self.valid)
        if not np.isfinite(self.factual_numbers).all() or not np.isfinite(self.numbers[self.present]).all():
            raise InvalidInputError("numbers must be finite in every factual and every answer.")
        check_changes(self.present, self.changed)
        for factors in (self.lof_range, self.lof_zscore):
            if not (factors[self.valid] > 0).all():
                raise InvalidInputError("every valid answer needs an outlier factor above 0 under both conventions.")

    @property
    def changed(self) -> Bool[ndarray, "row place feature"]:
        """Which cells differ from the factual's: numbers first, then categories."""
        numbers = self.numbers != self.factual_numbers[:, None, :]
        return np.concatenate([numbers, self.codes != self.factual_codes[:, None, :]], axis=2)

    def under(self, convention: ConventionName) -> "ConventionEvaluation":
        """The same answers, measured one way."""
        return ConventionEvaluation(
            answers=self,
            unit=self.scale.unit(convention),
            factors=self.lof_range if convention == "range" else self.lof_zscore,
            averaged=convention == "zscore",
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ConventionEvaluation:
    """Answers under one convention: the unit of each number, the outlier factors, and how proximity adds up."""

    answers: MixedEvaluation
    unit: Float[ndarray, " numeric"]
    factors: Float[ndarray, "row place"]
    averaged: bool

    @property
    def moved(self) -> Float[ndarray, "valid numeric"]:
        """How far each number of each valid answer was moved, in units."""
        away = np.abs(self.answers.numbers - self.answers.factual_numbers[:, None, :]) / self.unit
        return away[self.answers.valid]

"""How far apart two numbers of a column are: by the range, the deviation, the ranks, or a mixture of them."""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from counterflownet.tabular.feature import Feature

Scale = Literal["range", "deviation", "rank", "mixed"]
Numbers = Float[ndarray, "*shape"]


def scaled(feature: Feature, numbers: Numbers, scale: Scale) -> Numbers:
    """Numbers of an ordered column on a scale on which a difference of 1 is a long way.

    ``"range"`` measures in units of the training range (the paper's), ``"deviation"`` in standard deviations,
    ``"rank"`` by the share of training rows that are passed. ``"mixed"`` is the mean of ``"rank"`` and the way in units
    of what ordinary rows cover, by logarithms beyond that: neither do a few enormous values make all other steps look
    small, nor does a step to such a value pass for a short one, nor is every step of a row among them endless. Ordered
    categories are measured in units of their full scale.
    """
    if not feature.numeric:
        return numbers / max(feature.code_count - 1, 1)
    if scale == "range":
        return numbers / feature.width
    if scale == "deviation":
        return numbers / feature.deviation
    ranks = _ranks(feature, numbers)
    return ranks if scale == "rank" else (ranks + _compressed(feature, numbers)) / 2


def _compressed(feature: Feature, numbers: Numbers) -> Numbers:
    """Numbers from the median in units of the spread, beyond which the way grows like a logarithm."""
    median = np.interp(0.5, feature.ranks, feature.grid) if feature.grid else feature.mean
    units = (numbers - median) / feature.spread
    away = np.abs(units)
    return np.where(away <= 1.0, units, np.sign(units) * (1.0 + np.log(np.maximum(away, 1.0))))


def _ranks(feature: Feature, numbers: Numbers) -> Numbers:
    if feature.grid:
        return np.interp(numbers, feature.grid, feature.ranks)
    return np.interp(numbers, feature.code_numbers, np.linspace(0.0, 1.0, feature.code_count))  # nothing else is known

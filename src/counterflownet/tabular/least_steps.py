"""The least step that is enough: where a column goes that must do what conditions say of it."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from numpy import ndarray

from counterflownet.tabular.condition import Atom
from counterflownet.tabular.feature import TIMES, Feature
from counterflownet.tabular.frame import numpy_dtype

SECONDS = 86_400  # in a day
Numbers = Float[ndarray, " row"]


def least_step(atoms: Sequence[Atom], feature: Feature, column: pd.Series) -> Numbers:
    """For each cell the nearest number that makes all ``atoms`` true, of what the column can hold; NaN if none does.

    The number of the cell itself if that is enough.
    """
    own = feature.coordinates(column)
    numbers = np.concatenate([own[:, None], _candidates(atoms, feature, column, own)], axis=1)
    enough = np.isfinite(numbers)
    changed = np.ones(numbers.shape, dtype=np.bool_)
    changed[:, 0] = False
    enough[:, 0] = True
    for atom in atoms:
        enough &= np.broadcast_to(atom.truth(feature, own[:, None], numbers, changed), numbers.shape)
    return _nearest(numbers, own, enough)


def _candidates(
    atoms: Sequence[Atom], feature: Feature, column: pd.Series, own: Numbers
) -> Float[ndarray, "row value"]:
    """Numbers that conditions ask for, as the column can hold them, and the values of its grid."""
    asked = [atom.nearest(feature, own) for atom in atoms]
    if not feature.numeric:
        known = feature.code_numbers
        asked = [np.where(np.isin(numbers, known), numbers, np.nan) for numbers in asked]
    else:
        known = feature.steps.number[feature.steps.on_grid]
        asked = [held for numbers in asked for held in both_held(numbers, feature, column)]
    grid = np.broadcast_to(known, (len(own), len(known)))
    return np.concatenate([grid, *(numbers[:, None] for numbers in asked)], axis=1)


def _nearest(numbers: Float[ndarray, "row value"], own: Numbers, enough: Bool[ndarray, "row value"]) -> Numbers:
    away = np.where(np.isnan(own)[:, None], 0.0, np.abs(numbers - own[:, None]))
    away = np.where(enough, away, np.inf)
    away[:, 0] = np.where(enough[:, 0], -1.0, np.inf)
    nearest = away.argmin(axis=1)
    at = np.arange(len(own))
    return np.where(np.isfinite(away[at, nearest]), numbers[at, nearest], np.nan)


def both_held(numbers: Numbers, feature: Feature, column: pd.Series) -> tuple[Numbers, Numbers]:
    """What the column can hold next to each number: the lowest not below it, the highest not above it."""
    return held_above(numbers, feature, column), -held_above(-numbers, feature, column)


def held_above(numbers: Numbers, feature: Feature, column: pd.Series) -> Numbers:
    """The lowest numbers that the column can hold and that are not below these."""
    if feature.whole or feature.kind in TIMES:
        unit = 1 if feature.whole else SECONDS
        nearest = np.round(numbers * unit) / unit
        return np.where(nearest == numbers, numbers, np.ceil(numbers * unit) / unit)
    dtype = numpy_dtype(column)
    if dtype.kind != "f":
        return numbers
    nearest = numbers.astype(dtype)
    return np.where(nearest < numbers, np.nextafter(nearest, np.inf, dtype=dtype), nearest).astype(np.float64)

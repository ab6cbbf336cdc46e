"""The borders that constraints set: values an answer may stop at although no training row has them."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float
from numpy import ndarray

from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.constraint import MaxChanges
from counterflownet.tabular.feature import Feature, Kind
from counterflownet.tabular.schema import Schema

SECONDS = 86_400  # in a day
Borders = Mapping[int, Float[ndarray, "row border"]]


def borders_of(constraints: CheckedConstraints, schema: Schema, rows: pd.DataFrame) -> Borders:
    """By position of a column, the borders of each row as numbers that the column can hold; NaN where there is none.

    Ordered categories have none: their borders are categories.
    """
    found: dict[int, list[Float[ndarray, " row"]]] = {}
    for (rule, columns), at in constraints.by_rows(rows.index):
        if isinstance(rule, MaxChanges):
            continue
        for name in columns:
            feature, d = schema[name], schema.position(name)
            if feature.numeric:
                pairs = rule.borders(feature, feature.numbers(rows[name].iloc[at]))
                found.setdefault(d, []).extend(_spread_out(pair, at, len(rows), feature, rows[name]) for pair in pairs)
    return {d: np.concatenate(parts, axis=1) for d, parts in found.items() if parts}


def _spread_out(
    pair: tuple[ndarray, ndarray], at: ndarray, row_count: int, feature: Feature, column: pd.Series
) -> Float[ndarray, "row 2"]:
    """The lower and the upper border of the rows ``at``, rounded to the inside; NaN for all other rows."""
    low, high = pair
    numbers = np.full((row_count, 2), np.nan)
    unit = 1 if feature.whole else SECONDS if feature.kind is Kind.DATE else None
    numbers[at, 0] = low if unit is None else np.ceil(low * unit) / unit
    numbers[at, 1] = high if unit is None else np.floor(high * unit) / unit
    numbers[~np.isfinite(numbers)] = np.nan
    if isinstance(column.dtype, np.dtype) and column.dtype.kind == "f":
        return numbers.astype(column.dtype).astype(np.float64)  # what a narrow column can hold of them
    return numbers

"""Values that users give as the numbers behind them: of numbers, dates and durations, and the ranks of categories."""

from numbers import Number
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.typing import NaTType

from counterflownet.errors import ConstraintError, unknown_name_text
from counterflownet.tabular.dates import day_of
from counterflownet.tabular.durations import day_count
from counterflownet.tabular.feature import Feature, Kind


def coordinate_of(constraint: object, feature: Feature, value: Any) -> float:
    """The number behind a value given by a user, or its rank in the order."""
    if not feature.numeric:
        code = feature.code_of_value(value)
        if code is None:
            raise ConstraintError(f"{constraint!r}: {unknown_name_text('value', value, feature.values)}")
        return float(code)
    try:
        number = _number(value, feature)
    except (TypeError, ValueError) as error:
        raise ConstraintError(f"{constraint!r}: {value!r} is not a valid {feature.kind} value ({error}).") from error
    if np.isnan(number):
        raise ConstraintError(f"{constraint!r}: a missing value is not a bound; use None to leave that side open.")
    return number


def _day(value: Any, feature: Feature) -> float:
    """The days since 1970 of a date given by a user, in the column's own time zone unless it has one."""
    if isinstance(value, Number):  # pandas would count nanoseconds
        raise TypeError("a number is no date")
    moment = pd.Timestamp(value)
    if isinstance(moment, NaTType):
        return float("nan")
    if moment.tzinfo is not None and feature.zone is None:
        raise ValueError("it has a time zone, unlike the dates of the column")
    return day_of(moment if moment.tzinfo is not None else moment.tz_localize(feature.zone))


def _number(value: Any, feature: Feature) -> float:
    if feature.kind is Kind.DATE:
        return _day(value, feature)
    return day_count(value) if feature.kind is Kind.DURATION else float(value)

"""Durations in every form they come in, as numbers of days."""

from datetime import timedelta
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.dates import DAY, microseconds

ONE_DAY = pd.Timedelta(days=1)
FORMS = (timedelta, np.timedelta64)  # pandas' own is the first of these, too


def days_of_durations(column: pd.Series) -> NDArray[np.float64]:
    """The days of each duration, to the microsecond; missing ones as NaN."""
    wrong = [value for value in column.dropna() if not isinstance(value, FORMS)]
    if wrong:
        raise InvalidInputError(
            f"column {column.name!r} must hold durations; got {wrong[0]!r}. Convert it with pd.to_timedelta."
        )
    spans = pd.to_timedelta(column).to_numpy(dtype="timedelta64[us]")
    days: NDArray[np.float64] = spans / np.timedelta64(DAY, "us")
    return days


def duration(days: float) -> pd.Timedelta:
    """So many days, to the microsecond."""
    return pd.Timedelta(int(microseconds(np.array([days]))[0]), unit="us")


def day_count(value: Any) -> float:
    """The days of a duration given by a user: a timedelta, text such as "3 days", or a number of days."""
    plain_number = isinstance(value, Real) and not isinstance(value, FORMS)  # numpy's duration passes for a number
    return float(value) if plain_number else pd.Timedelta(value) / ONE_DAY

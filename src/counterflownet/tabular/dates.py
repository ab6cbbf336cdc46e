"""Dates in every form they come in, compared in one: days since the start of 1970."""

from collections.abc import Sequence
from datetime import date, datetime, tzinfo
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import InvalidInputError

DAY = 86_400_000_000  # in microseconds
MICROSECOND = pd.Timedelta(1, "us")
EPOCH = pd.Timestamp("1970-01-01").as_unit("us")


def is_date(value: Any) -> bool:
    """Whether it is a date or a moment, of Python, numpy or pandas."""
    return isinstance(value, (date, np.datetime64)) and not pd.isna(value)


def canonical(value: Any) -> Any:
    """The value itself, or the one form of a date: ``date``, ``datetime`` and ``datetime64`` never equal each other."""
    return pd.Timestamp(value) if is_date(value) else value


def days_of(column: pd.Series) -> NDArray[np.float64]:
    """The days since 1970 to the microsecond; missing dates as NaN."""
    if not pd.api.types.is_datetime64_any_dtype(column.dtype):
        _check_dates(column)
    try:
        moments = pd.to_datetime(column, utc=True).dt.tz_localize(None).to_numpy("datetime64[us]")
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"column {column.name!r} must hold dates: {error}") from error
    days: NDArray[np.float64] = (moments - np.datetime64(0, "us")) / np.timedelta64(DAY, "us")
    return days


def day_of(moment: pd.Timestamp) -> float:
    """The same of a single moment, which a constraint may name for each of many rows."""
    naive = moment if moment.tzinfo is None else moment.tz_convert("UTC").tz_localize(None)
    return (naive.as_unit("us") - EPOCH) // MICROSECOND / DAY


def zone_of(column: pd.Series) -> tzinfo | None:
    """The time zone of a column's dates: UTC if they have several, None if they have none."""
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        zone = getattr(getattr(column.dtype, "pyarrow_dtype", column.dtype), "tz", None)
        return pd.Timestamp(0, tz=zone).tzinfo if isinstance(zone, str) else zone
    zones = {str(zone): zone for zone in (getattr(value, "tzinfo", None) for value in column if is_date(value))}
    if len(zones) > 1 and None in zones.values():
        raise InvalidInputError(
            f"column {column.name!r} mixes dates with and without a time zone. Use one or the other: "
            "pd.to_datetime(..., utc=True) takes dates without one as UTC."
        )
    return next(iter(zones.values()), None) if len(zones) < 2 else pd.Timestamp(0, tz="UTC").tzinfo


def moment(days: float, zone: tzinfo | None) -> pd.Timestamp:
    """The moment ``days`` after the start of 1970, to the microsecond."""
    naive = pd.Timestamp(int(microseconds(np.array([days]))[0]), unit="us")
    return naive if zone is None else naive.tz_localize("UTC").tz_convert(zone)


def microseconds(days: NDArray[np.float64]) -> NDArray[np.int64]:
    """The microseconds in each number of days, rounded to seconds or milliseconds if the days stay the same."""
    midnight = np.floor(days)
    moments = np.zeros(len(days), dtype=np.int64)
    for step in (1, 1_000, 1_000_000):
        steps = np.round((days - midnight) * (DAY // step)).astype(np.int64)
        rounded = midnight.astype(np.int64) * DAY + steps * step
        moments = np.where((step == 1) | (rounded / DAY == days), rounded, moments)
    return moments


def written_like(column: pd.Series, dates: Sequence[Any]) -> list[Any]:
    """The dates in the form that an object column has: plain dates beside plain dates, else moments."""
    present = column.dropna()
    if present.empty:
        return list(dates)
    moments = [pd.Timestamp(value) for value in dates]
    fits = all(value == value.normalize() and value.tzinfo is None for value in moments)
    return [value.date() for value in moments] if fits and all(map(is_plain_date, present)) else moments


def is_plain_date(value: Any) -> bool:
    """Whether it is a day without a time."""
    return isinstance(value, date) and not isinstance(value, datetime)


def _check_dates(column: pd.Series) -> None:
    # pandas would parse text and take numbers for nanoseconds, but the cells themselves would not become dates.
    wrong = [value for value in column if not (is_date(value) or pd.isna(value))]
    if wrong:
        raise InvalidInputError(
            f"column {column.name!r} must hold dates; got {wrong[0]!r}. Convert it with pd.to_datetime "
            "(utc=True if the offsets from UTC differ)."
        )

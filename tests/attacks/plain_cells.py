"""Cells as plain Python, so that they can be compared without anything of the library."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

Cells = list[Any]  # of one column, missing ones as None
DAY = 86_400_000_000  # in microseconds


@dataclass(frozen=True)
class Moment:
    """A date in any form, as microseconds since 1970."""

    number: int


def plain(value: Any) -> Any:
    """A cell as plain Python: missing ones None, dates moments, numbers without numpy's wrapper."""
    if value is None or value is pd.NA or value is pd.NaT or value != value:  # noqa: PLR0124 - NaN
        return None
    if isinstance(value, (date, np.datetime64)):
        moment = pd.Timestamp(value)
        moment = moment if moment.tzinfo is None else moment.tz_convert("UTC").tz_localize(None)
        return Moment(int(moment.as_unit("us")._value))
    return value.item() if isinstance(value, np.generic) else value


def cells_of(frame: pd.DataFrame) -> dict[Any, Cells]:
    return {name: [plain(value) for value in frame[name].astype(object)] for name in frame.columns}

"""Columns of all types in which a number can be, with two of their rows, for values beyond the codes."""

from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from counterflownet._states import States
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.borders import borders_of
from counterflownet.tabular.constraint import MaxStep
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.schema import Schema
from made_states import states

TENTHS = [number * abs(number) / 10 for number in range(-6, 7)]
WHOLE = [*range(0, 30, 3), 100]
DAYS = [datetime(2020, 1, 1) + timedelta(days=number * number) for number in range(13)]  # noqa: DTZ001 - most have none
HOURS = [moment.replace(hour=number, tzinfo=timezone.utc) for number, moment in enumerate(DAYS)]  # noqa: UP017
COLUMNS: dict[str, pd.Series] = {
    **{dtype: pd.Series(WHOLE).astype(dtype) for dtype in ("int8", "uint16", "int64", "Int64", "int64[pyarrow]")},
    **{dtype: pd.Series(TENTHS).astype(dtype) for dtype in ("float16", "float32", "float64", "Float32", "Float64")},
    **{dtype: pd.Series(TENTHS).astype(dtype) for dtype in ("float[pyarrow]", "double[pyarrow]")},
    "whole as objects": pd.Series(WHOLE, dtype=object),
    "sparse": pd.Series(TENTHS).astype(pd.SparseDtype("float64", 0.0)),
    "decimals": pd.Series([Decimal(str(number)) for number in TENTHS], dtype=object),
    **{f"datetime64[{unit}]": pd.Series(DAYS).astype(f"datetime64[{unit}]") for unit in ("s", "us", "ns")},
    "with a zone": pd.Series(HOURS).astype("datetime64[us, Europe/Berlin]"),
    "plain dates": pd.Series([day.date() for day in DAYS], dtype=object),
    "arrow dates": pd.Series([day.date() for day in DAYS]).astype("date32[day][pyarrow]"),
    "arrow moments": pd.Series(HOURS).astype("timestamp[us, tz=UTC][pyarrow]"),
    "moments as objects": pd.Series(HOURS, dtype=object),
    "categories": pd.Series(pd.Categorical(WHOLE)),
}
KINDS = {"categories": "integer"}  # where the type says otherwise
STEP = 2.4  # days, or whatever the column counts


def table_of(name: str, *, bins: int = 3) -> Factuals:
    """Two rows of a table of one such column in few bins, which must not move by more than a step."""
    X = pd.DataFrame({"x": COLUMNS[name]})
    kinds = {"x": KINDS[name]} if name in KINDS else None
    schema = Schema.infer(X, bins=Bins(count=bins, distinct=False), kinds=kinds)
    rows = X.iloc[[4, 7]].reset_index(drop=True)
    return Factuals(schema, rows, borders=borders_of(CheckedConstraints.of(schema, [MaxStep("x", STEP)]), schema, rows))


def at_every_place(table: Factuals) -> States:
    """The second row at all fine values and its borders, and once unedited."""
    (feature,) = table.codec.schema
    (borders,) = (~np.isnan(table.codec.borders_of(0)[1])).nonzero()
    fine = feature.first_fine_place + np.arange(len(feature.fine))
    places = np.concatenate([fine, feature.first_border_place + borders, table.codec.codes[1]])
    edited = np.arange(len(places)) < len(places) - 1
    return states(np.ones(len(places)), places[:, None], edited[:, None])


def as_number(value: Any) -> float:
    """A cell as a plain number: dates in days since 1970, in universal time."""
    if isinstance(value, (date, np.datetime64)):
        moment = pd.Timestamp(value)
        return (moment if moment.tzinfo else moment.tz_localize("UTC")).timestamp() / 86_400
    return float(value)

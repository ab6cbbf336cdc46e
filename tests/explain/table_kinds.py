"""The kinds of table that people bring: all hold the same rows of a loan, in the ways of different libraries."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

COUNT = 60


def chance() -> np.random.Generator:
    """The same numbers for everybody, whoever asks first."""
    return np.random.default_rng(0)


INCOME = chance().integers(1_000, 5_000, COUNT)
JOB = np.array(["low", "middle", "high"])[chance().integers(0, 3, COUNT)]
RATIO = chance().random(COUNT).round(3)
PLAIN = pd.DataFrame({"income": INCOME, "job": JOB, "ratio": RATIO})
DAYS = [date(2024, 1, 1) + timedelta(days=int(day)) for day in chance().integers(0, 200, COUNT)]


@dataclass(frozen=True)
class Brought:
    """A table, the explainer's own settings for it, and columns that must come back as they were."""

    table: Any
    options: dict[str, Any] = field(default_factory=dict)
    untouched: tuple[Any, ...] = ()


def with_column(values: Any, *, untouched: bool = False) -> Brought:
    """The plain table with one column more."""
    return Brought(PLAIN.assign(extra=values), untouched=("extra",) if untouched else ())


def with_nulls(frame: Any) -> Any:
    return frame.with_columns(pl.when(pl.col("income") > 4_500).then(None).otherwise(pl.col("income")).alias("income"))


def polars_types() -> pl.DataFrame:
    return pl.from_pandas(PLAIN).with_columns(
        pl.col("income").cast(pl.Int32),
        pl.col("job").cast(pl.Enum(["low", "middle", "high"])),
        pl.Series("day", DAYS),
        pl.Series("wait", [timedelta(hours=int(hour)) for hour in chance().integers(1, 99, COUNT)]),
        pl.Series("price", [Decimal(int(cents)) / 100 for cents in chance().integers(0, 999, COUNT)]),
        pl.Series("at", [datetime(2024, 1, 1, int(hour)) for hour in chance().integers(0, 23, COUNT)]),  # noqa: DTZ001
        pl.Series("open", chance().random(COUNT) < 0.5),
        pl.Series("number", range(COUNT)),
    )


KINDS: dict[str, Callable[[], Brought]] = {
    "pandas": lambda: Brought(PLAIN),
    "pandas, nullable types": lambda: Brought(PLAIN.convert_dtypes()),
    "pandas, arrow types": lambda: Brought(PLAIN.convert_dtypes(dtype_backend="pyarrow")),
    "pandas, categories": lambda: Brought(PLAIN.astype({"job": "category"})),
    "pandas, ordered categories": lambda: Brought(
        PLAIN.assign(job=pd.Categorical(JOB, ["low", "middle", "high"], ordered=True))
    ),
    "pandas, narrow numbers": lambda: Brought(PLAIN.astype({"income": "uint16", "ratio": "float32"})),
    "pandas, sparse": lambda: with_column(pd.arrays.SparseArray(chance().integers(0, 2, COUNT))),
    "pandas, labels as words": lambda: Brought(PLAIN.set_axis([f"row {n}" for n in range(COUNT)])),
    "pandas, labels twice": lambda: Brought(PLAIN.set_axis(np.arange(COUNT) // 2)),
    "pandas, dates as labels": lambda: Brought(PLAIN.set_axis(pd.to_datetime(DAYS))),
    "pandas, labels in levels": lambda: Brought(
        PLAIN.set_axis(pd.MultiIndex.from_arrays([JOB, range(COUNT)], names=["job", "n"]))
    ),
    "pandas, columns as numbers": lambda: Brought(PLAIN.set_axis([0, 1, 2], axis=1)),
    "dates": lambda: with_column(pd.to_datetime(DAYS)),
    "dates with a zone": lambda: with_column(pd.to_datetime(DAYS).tz_localize("Europe/Rome")),
    "plain dates": lambda: with_column(DAYS),
    "durations": lambda: with_column(pd.to_timedelta(chance().integers(1, 90, COUNT), unit="D")),
    "durations of Python": lambda: with_column([timedelta(minutes=int(n)) for n in chance().integers(1, 9_000, COUNT)]),
    "times of day": lambda: with_column([time(int(hour)) for hour in chance().integers(0, 24, COUNT)]),
    "truth": lambda: with_column(chance().random(COUNT) < 0.5),
    "decimals": lambda: with_column([Decimal(int(cents)) / 100 for cents in chance().integers(0, 999, COUNT)]),
    "missing values": lambda: with_column(np.where(chance().random(COUNT) < 0.3, np.nan, RATIO)),
    "missing words": lambda: with_column(np.where(chance().random(COUNT) < 0.3, None, JOB)),
    "words and numbers": lambda: with_column([1 if drawn < 0.5 else "one" for drawn in chance().random(COUNT)]),
    "numbers of rows": lambda: with_column(range(COUNT), untouched=True),
    "names of rows": lambda: with_column([f"customer {n}" for n in range(COUNT)], untouched=True),
    "huge numbers of rows": lambda: with_column(2**60 + np.arange(COUNT) * 10**6, untouched=True),
    "a constant": lambda: with_column("always", untouched=True),
    "a constant truth": lambda: with_column(values=True, untouched=True),
    "no values": lambda: with_column(np.nan, untouched=True),
    "no values, as objects": lambda: with_column(None, untouched=True),
    "polars": lambda: Brought(pl.from_pandas(PLAIN)),
    "polars, many types": lambda: Brought(polars_types(), untouched=("number",)),
    "polars, nulls": lambda: Brought(with_nulls(pl.from_pandas(PLAIN))),
    "polars, lazy": lambda: Brought(pl.from_pandas(PLAIN).lazy()),
    "pyarrow": lambda: Brought(pa.Table.from_pandas(PLAIN, preserve_index=False)),
    "pyarrow, many types": lambda: Brought(polars_types().to_arrow(), untouched=("number",)),
    "an array of numbers": lambda: Brought(
        PLAIN[["income", "ratio"]].to_numpy(), options={"columns": ["income", "ratio"]}
    ),
    "an array of objects": lambda: Brought(PLAIN.to_numpy(), options={"columns": ["income", "job", "ratio"]}),
    "a structured array": lambda: Brought(PLAIN.astype({"job": object}).to_records(index=False)),
    "a mapping of columns": lambda: Brought(PLAIN.to_dict("list")),
    "a list of mappings": lambda: Brought(PLAIN.to_dict("records")),
}
REFUSED: dict[str, Callable[[], Any]] = {
    "complex numbers": lambda: PLAIN.assign(extra=RATIO * 1j),
    "periods": lambda: PLAIN.assign(extra=pd.period_range("2024-01", periods=COUNT, freq="M")),
    "intervals": lambda: PLAIN.assign(extra=pd.interval_range(0, COUNT)),
    "lists": lambda: PLAIN.assign(extra=[[1]] * COUNT),
    "mappings": lambda: PLAIN.assign(extra=[{"a": 1}] * COUNT),
    "lists in polars": lambda: pl.from_pandas(PLAIN).with_columns(pl.Series("extra", [[1]] * COUNT)),
    "structures in polars": lambda: pl.from_pandas(PLAIN).with_columns(pl.Series("extra", [{"a": 1}] * COUNT)),
    "an array of three dimensions": lambda: np.zeros((3, 3, 3)),
    "an array without names": lambda: np.zeros((3, 3)),
    "levels of columns": lambda: PLAIN.set_axis(pd.MultiIndex.from_product([["a"], PLAIN.columns]), axis=1),
    "text": lambda: "loans.csv",
}

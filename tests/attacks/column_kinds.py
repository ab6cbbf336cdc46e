"""Every kind of column that a table may bring, and the kinds that are refused on purpose."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from counterflownet import Bins

Draw = np.random.Generator
Maker = Callable[[Draw, int], pd.Series]

WORDS = ["ash", "birch", "cedar", "elm", "fir"]
GRADES = ["low", "mid", "high", "top"]
SIGNS = ["é", "日本", "🙂", "ñandú", "ß", "\u202eabc", "e\u0301"]
CONTROLS = ["a\x1b[31m", "b\tc", "d\ne", "f\r", "g\x00h"]
START = pd.Timestamp("2019-03-01")


@dataclass(frozen=True)
class ColumnKind:
    """How such a column is made, what the schema is told, and values that only rows to explain have."""

    make: Maker
    strange: tuple[Any, ...] = ()
    missing: bool = False
    kind: str | None = None
    bins: Bins | None = None
    order: tuple[Any, ...] | None = None
    invented: bool = field(default=False)  # whether new values need not occur in training


def picked(values: list[Any], dtype: Any, *, holes: bool = False) -> Maker:
    """Values drawn from a list."""

    def make(draw: Draw, count: int) -> pd.Series:
        cells = [values[place] for place in draw.integers(0, len(values), count)]
        return with_holes(pd.Series(cells, dtype=object), draw, dtype) if holes else pd.Series(cells, dtype=dtype)

    return make


def whole(low: int, high: int, dtype: str, *, holes: bool = False) -> Maker:
    def make(draw: Draw, count: int) -> pd.Series:
        cells = pd.Series(draw.integers(low, high, count, endpoint=True), dtype=object)
        return with_holes(cells, draw, dtype) if holes else cells.astype(dtype)

    return make


def normal(scale: float, dtype: str, *, digits: int | None = None, holes: bool = False) -> Maker:
    def make(draw: Draw, count: int) -> pd.Series:
        cells = draw.normal(0, scale, count)
        cells = cells if digits is None else cells.round(digits)
        return with_holes(pd.Series(cells, dtype=object), draw, dtype) if holes else pd.Series(cells, dtype=dtype)

    return make


def with_holes(cells: pd.Series, draw: Draw, dtype: Any) -> pd.Series:
    holes = draw.random(len(cells)) < 0.15
    holes[0] = False
    return cells.where(~holes, None).astype(dtype)


def moments(unit: str, days: int, dtype: str, zone: str | None = None, *, holes: bool = False) -> Maker:
    def make(draw: Draw, count: int) -> pd.Series:
        span = int(pd.Timedelta(days=days) / pd.Timedelta(1, unit))
        cells = pd.Series(START + pd.to_timedelta(draw.integers(0, span, count), unit=unit))
        cells = cells.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else cells
        return with_holes(cells.astype(object), draw, dtype) if holes else cells.astype(dtype)

    return make


def days(form: Callable[[date], Any], *, holes: bool = False, dtype: Any = object) -> Maker:
    def make(draw: Draw, count: int) -> pd.Series:
        cells = [form((START + pd.Timedelta(days=int(day))).date()) for day in draw.integers(0, 40, count)]
        return with_holes(pd.Series(cells, dtype=object), draw, dtype) if holes else pd.Series(cells, dtype=dtype)

    return make


def categories(values: list[Any], *, ordered: bool = False, holes: bool = False) -> Maker:
    return picked(values, pd.CategoricalDtype([*values], ordered=ordered), holes=holes)


def mostly(common: Any, rare: list[Any], dtype: Any) -> Maker:
    def make(draw: Draw, count: int) -> pd.Series:
        cells = [rare[draw.integers(len(rare))] if draw.random() < 0.1 else common for _ in range(count)]
        return pd.Series(cells, dtype=dtype)

    return make


def offsets(draw: Draw, count: int) -> pd.Series:
    zones = ["+01:00", "-05:00", "Z"]
    cells = [pd.Timestamp(f"2020-01-{draw.integers(1, 28):02}T06:00{zones[draw.integers(3)]}") for _ in range(count)]
    return pd.Series(cells, dtype=object)


NUMBERS: Mapping[str, ColumnKind] = {
    "int8": ColumnKind(whole(-128, 127, "int8")),
    "int16": ColumnKind(whole(-300, 300, "int16"), strange=(-32768, 32767)),
    "int32": ColumnKind(whole(0, 20, "int32"), strange=(-1, 2**31 - 1)),
    "int64": ColumnKind(whole(0, 500, "int64"), strange=(-900, 10**9)),
    "uint8": ColumnKind(whole(0, 255, "uint8")),
    "uint16": ColumnKind(whole(0, 9, "uint16"), strange=(65535,)),
    "uint32": ColumnKind(whole(0, 2**32 - 1, "uint32")),
    "uint64": ColumnKind(whole(0, 2**50, "uint64"), strange=(2**53 - 1,)),
    "nearly too large": ColumnKind(whole(2**53 - 90, 2**53 - 1, "int64"), strange=(1 - 2**53,)),
    "zero or one": ColumnKind(whole(0, 1, "int64"), strange=(7,)),
    "float16": ColumnKind(normal(3, "float16"), missing=True),
    "float32": ColumnKind(normal(3, "float32"), strange=(99.5,), missing=True),
    "float64": ColumnKind(normal(3, "float64"), strange=(-1e6, 12.25), missing=True),
    "few floats": ColumnKind(normal(1, "float64", digits=1, holes=True), missing=True),
    "huge floats": ColumnKind(normal(1e90, "float64"), strange=(-1e99,)),
    "tiny floats": ColumnKind(normal(1e-300, "float64"), strange=(1.0,)),
    "whole floats": ColumnKind(whole(0, 30, "float64", holes=True), strange=(0.5,), missing=True),
    "Int8": ColumnKind(whole(-9, 9, "Int8", holes=True), strange=(100,), missing=True),
    "Int64": ColumnKind(whole(-400, 400, "Int64", holes=True), strange=(10**12,), missing=True),
    "UInt32": ColumnKind(whole(0, 80, "UInt32"), missing=True),
    "Float32": ColumnKind(normal(5, "Float32", holes=True), missing=True),
    "Float64": ColumnKind(normal(5, "Float64", digits=1, holes=True), strange=(77.7,), missing=True),
    "numbers as objects": ColumnKind(picked([1, 2, 3, 40], object, holes=True), strange=(5,), missing=True),
    "arrow numbers": ColumnKind(whole(0, 99, "int64[pyarrow]", holes=True), strange=(-5,), missing=True),
    "sparse": ColumnKind(mostly(0.0, [0.5, 1.5, 2.5], pd.SparseDtype("float64", 0.0)), strange=(9.5,)),
    "decimals": ColumnKind(picked([Decimal("1.5"), Decimal("2.25"), Decimal(7)], object)),
    "constant": ColumnKind(picked([7], "int64"), strange=(8,)),
    "mostly zero": ColumnKind(mostly(0, list(range(1, 60)), "int64"), strange=(500,)),
    "centres": ColumnKind(
        normal(3, "float64"), bins=Bins(count=9, strategy="uniform", decode="centre", distinct=False), invented=True
    ),
    "whole centres": ColumnKind(
        whole(0, 300, "int64"),
        kind="continuous",
        bins=Bins(count=9, strategy="uniform", decode="centre"),
        invented=True,
    ),
    "quantiles": ColumnKind(
        mostly(0.0, list(np.linspace(1, 9, 50)), "float64"), bins=Bins(count=9, strategy="quantile")
    ),
}
MOMENTS: Mapping[str, ColumnKind] = {
    "seconds": ColumnKind(moments("s", 90, "datetime64[s]"), missing=True),
    "milliseconds": ColumnKind(moments("ms", 2, "datetime64[ms]", holes=True), missing=True),
    "microseconds": ColumnKind(moments("us", 1, "datetime64[us]"), strange=(pd.Timestamp("2031-01-01"),), missing=True),
    "nanoseconds": ColumnKind(moments("D", 30, "datetime64[ns]", holes=True), missing=True),
    "utc": ColumnKind(moments("h", 30, "datetime64[us, UTC]", "UTC", holes=True), missing=True),
    "summer time": ColumnKind(moments("h", 60, "datetime64[ns, Europe/Berlin]", "Europe/Berlin"), missing=True),
    "plain dates": ColumnKind(days(lambda day: day, holes=True), strange=(date(2030, 5, 5),), missing=True),
    "moments as objects": ColumnKind(days(pd.Timestamp), missing=True),
    "datetime64 as objects": ColumnKind(days(lambda day: np.datetime64(day, "s")), missing=True),
    "dates as categories": ColumnKind(days(lambda day: day), kind="categorical", missing=True),
    "mixed offsets": ColumnKind(offsets, missing=True),
    "arrow dates": ColumnKind(days(lambda day: day, dtype="date32[day][pyarrow]"), missing=True),
    "arrow moments": ColumnKind(moments("h", 9, "timestamp[us, tz=UTC][pyarrow]", "UTC"), missing=True),
}
OTHERS: Mapping[str, ColumnKind] = {
    "bool": ColumnKind(picked([True, False], "bool")),
    "boolean": ColumnKind(picked([True, False], "boolean", holes=True), missing=True),
    "bools as objects": ColumnKind(picked([True, False], object, holes=True), missing=True),
    "str": ColumnKind(picked(WORDS, "str", holes=True), strange=("yew",), missing=True),
    "string": ColumnKind(picked(WORDS, "string", holes=True), strange=("yew",), missing=True),
    "text as objects": ColumnKind(picked(WORDS, object, holes=True), strange=("yew", ""), missing=True),
    "arrow text": ColumnKind(picked(WORDS, "string[pyarrow]", holes=True), strange=("yew",), missing=True),
    "numbers as text": ColumnKind(picked(["1", "01", "1.0", " 1"], "str"), strange=("2",)),
    "signs": ColumnKind(picked(SIGNS, "str"), strange=("\ufeff",)),
    "control characters": ColumnKind(picked(CONTROLS, object), strange=("\x07",)),
    "many words": ColumnKind(picked([f"word {number}" for number in range(300)], "str"), strange=("another word",)),
    "several types": ColumnKind(picked([1, "1", 2.5, "two", date(2020, 1, 1)], object, holes=True), missing=True),
    "category": ColumnKind(categories(WORDS, holes=True), missing=True),
    "ordered": ColumnKind(categories(GRADES, ordered=True, holes=True), missing=True),
    "whole categories": ColumnKind(categories([3, 1, 2])),
    "ordered whole": ColumnKind(categories([30, 10, 20], ordered=True)),
    "dated categories": ColumnKind(categories([START, START + pd.Timedelta(days=3)], holes=True), missing=True),
    "unused categories": ColumnKind(picked(GRADES[::2], pd.CategoricalDtype(GRADES, ordered=True)), strange=("mid",)),
    "text in order": ColumnKind(
        picked(GRADES, "str", holes=True), strange=("none",), missing=True, order=tuple(GRADES)
    ),
    "whole in order": ColumnKind(picked([5, 9, 40], "int64"), strange=(6,), kind="ordered"),
    "constant text": ColumnKind(picked(["same"], "str"), strange=("other",)),
}
KINDS: Mapping[str, ColumnKind] = {**NUMBERS, **MOMENTS, **OTHERS}

REFUSED: Mapping[str, tuple[pd.Series, str]] = {
    "period": (pd.Series(pd.period_range("2020", periods=2)), "not supported"),
    "interval": (pd.Series(pd.interval_range(0, 2)), "not supported"),
    "complex": (pd.Series([1j, 2j]), "not supported"),
    "too large": (pd.Series([1, 2**53]), r"whole numbers from 2\*\*53 on"),
    "infinite": (pd.Series([1.0, np.inf]), "is infinite"),
    "lists": (pd.Series([[1], [2]]), "must hold single values"),
    "zones and none": (
        pd.Series([pd.Timestamp("2020-01-01"), pd.Timestamp("2020-01-01T00:00Z")], dtype=object),
        "mixes dates with and without a time zone",
    ),
}

"""Columns of every type that a table may have, drawn at random, and what it means that two are the same."""

from datetime import datetime, timedelta

import pandas as pd
from hypothesis import strategies as st

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - most tables have dates without a zone
LETTERS = list("abcdef")
LARGEST_WHOLE = 2**53 - 1  # larger whole numbers are refused


def _moments(step: timedelta, low: int, high: int) -> st.SearchStrategy[datetime]:
    return st.integers(low, high).map(lambda count: EPOCH + count * step)


_SECONDS = _moments(timedelta(seconds=1), -(10**9), 8 * 10**9)
_MICROSECONDS = _moments(timedelta(microseconds=1), 0, 2 * 10**15)
_ANYTHING = st.one_of(st.integers(-3, 3), st.sampled_from(LETTERS), st.booleans(), st.dates(), st.floats(-2, 2))
_NARROW = st.floats(-(2.0**100), 2.0**100, width=32)
_WIDE = st.floats(-1e90, 1e90)

WITHOUT_MISSING = {
    **{f"int{bits}": st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32)},
    "int64": st.integers(-LARGEST_WHOLE, LARGEST_WHOLE),
    "uint8": st.integers(0, 255),
    "uint64": st.integers(0, LARGEST_WHOLE),
    "bool": st.booleans(),
}
WITH_MISSING = {
    "float32": _NARROW,
    "float64": _WIDE,
    "str": st.text(max_size=3),
    "object": _ANYTHING,
    "category": st.sampled_from(LETTERS),
    "ordered": st.sampled_from(LETTERS),
    "Int8": st.integers(-128, 127),
    "Int64": st.integers(-LARGEST_WHOLE, LARGEST_WHOLE),
    "Float32": _NARROW,
    "boolean": st.booleans(),
    "string": st.text(max_size=3),
    "datetime64[s]": _SECONDS,
    "datetime64[us]": _MICROSECONDS,
    "datetime64[ns]": _MICROSECONDS,
    "datetime64[us, UTC]": _SECONDS,
    "datetime64[ns, Europe/Berlin]": _SECONDS,
}
DTYPES = sorted({**WITHOUT_MISSING, **WITH_MISSING})


def as_column(values: list, dtype: str) -> pd.Series:
    if dtype == "ordered":
        return pd.Series(pd.Categorical(values, LETTERS, ordered=True))
    if dtype == "category":
        return pd.Series(pd.Categorical(values, LETTERS))
    if dtype.startswith("datetime64"):
        return pd.to_datetime(pd.Series(values, dtype=object), utc="," in dtype).astype(dtype)
    return pd.Series(values, dtype=object).astype(dtype)


@st.composite
def columns(draw: st.DrawFn, dtype: str, size: int) -> pd.Series:
    """A column with at least one value that is not missing."""
    elements = {**WITHOUT_MISSING, **WITH_MISSING}[dtype]
    rest = elements if dtype in WITHOUT_MISSING else st.none() | elements
    values = [draw(elements), *draw(st.lists(rest, min_size=size - 1, max_size=size - 1))]
    return as_column(draw(st.permutations(values)), dtype)


@st.composite
def frames(draw: st.DrawFn, dtypes: list[str], size: int) -> pd.DataFrame:
    return pd.DataFrame({f"{dtype}{number}": draw(columns(dtype, size)) for number, dtype in enumerate(dtypes)})


@st.composite
def frames_of_any_types(draw: st.DrawFn) -> pd.DataFrame:
    dtypes = draw(st.lists(st.sampled_from(DTYPES), min_size=1, max_size=4))
    return draw(frames(dtypes, draw(st.integers(1, 8))))


def identical(left: pd.Series, right: pd.Series) -> bool:
    """Whether two columns are of one type and hold the same values: to the bit, and None is not NaN."""
    return left.dtype == right.dtype and [repr(value) for value in left] == [repr(value) for value in right]

"""From cells of text to the types of columns: found once in the training table, and kept for all rows to explain."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pandas as pd

from counterflownet.cli.notes import tell
from counterflownet.errors import InvalidInputError
from counterflownet.tabular.feature import ColumnName, Feature, Kind
from counterflownet.tabular.schema import Schema

TRUTH = {"true": True, "false": False}
WHOLE = r"[+-]?\d+"
MOSTLY = 0.9  # the share of numbers from which on the other values may be words for a missing one
PADDED = r"[+-]?0\d.*"  # 01234 is the name of something, not a number
WITH_OFFSET = r".{10}[T ].*(?:Z|[+-]\d{2}(?::?\d{2})?)"
ISO_DATE = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?"


def typed_as_found(frame: pd.DataFrame, kinds: Mapping[ColumnName, str]) -> pd.DataFrame:
    """The training table with a type for each column of text: what its values look like, or what ``kinds`` says."""
    return pd.DataFrame({name: found_type(frame[name], kinds.get(name)) for name in frame.columns}, index=frame.index)


def found_type(column: pd.Series, kind: str | None = None) -> pd.Series:
    """One column in the type that all its values have: whole numbers, numbers, true and false, dates, or else text."""
    present = column.dropna()
    if not _is_text(column) or present.empty:
        return column
    all_numbers = pd.to_numeric(present, errors="coerce").notna().all() and not present.str.fullmatch(PADDED).any()
    if kind in {Kind.CONTINUOUS, Kind.INTEGER} or (kind != Kind.DATE and all_numbers):
        return _numbers(column)
    if present.str.lower().isin(list(TRUTH)).all():
        truth = column.astype(object).str.lower().map(TRUTH)
        return truth.astype(bool) if column.notna().all() else truth.astype(object).where(column.notna(), None)
    if kind == Kind.DATE or (kind is None and present.str.fullmatch(ISO_DATE).all()):
        return _dates(column)
    if kind is None:
        tell(*_doubts(present))
    return column


def _doubts(present: pd.Series) -> Iterator[str]:
    """What is worth saying of a column of text that nearly is one of numbers."""
    words = present[pd.to_numeric(present, errors="coerce").isna()]
    if 0 < len(words) <= len(present) * (1 - MOSTLY):
        yield (
            f"column {present.name!r} is taken for categories because of {words.iloc[0]!r} in row {words.index[0]}. If "
            f"that means a missing value: --missing {words.iloc[0]!r}"
        )


def typed_as_trained(frame: pd.DataFrame, schema: Schema, dtypes: Mapping[Any, Any]) -> pd.DataFrame:
    """The columns of the schema in the types they had in training; what else the table has is left out."""
    if not set(schema.names) <= set(frame.columns):
        return frame  # the library's own error says which are missing
    columns = {feature.name: _as_trained(frame[feature.name], feature, dtypes[feature.name]) for feature in schema}
    return pd.DataFrame(columns, index=frame.index)


def value_of(text: str, values: tuple[Any, ...]) -> Any:
    """The value that a text names: by its letters, as true or false, or as a number; the text itself if it is none."""
    named = {str(value): value for value in values}
    if text in named:
        return named[text]
    plain = text.strip().lower()
    if plain in TRUTH and TRUTH[plain] in values:
        return TRUTH[plain]
    if any(isinstance(value, str) for value in values):
        return text
    number = number_of(text)
    return next((value for value in values if value == number), number)


def number_of(text: str) -> int | float | str:
    """The number that a text is, whole if it is written so; the text itself if it is none."""
    for read in (int, float):
        with suppress(ValueError):
            return read(text)
    return text


def _as_trained(column: pd.Series, feature: Feature, dtype: Any) -> pd.Series:
    if column.dtype == dtype:
        return column
    if feature.kind is Kind.DATE and column.isna().all():  # which has no time zone to be converted from
        return pd.Series(pd.NaT, column.index, dtype, name=column.name)
    return _cast(_read(column, feature) if _is_text(column) else column, dtype)


def _read(column: pd.Series, feature: Feature) -> pd.Series:
    if feature.kind is Kind.DATE:
        return _dates(column)
    if feature.numeric:
        return _numbers(column)
    known = {text: value_of(text, feature.values) for text in column.dropna().unique()}
    return column.astype(object).map(known).astype(object).where(column.notna(), None)


def _cast(column: pd.Series, dtype: Any) -> pd.Series:
    """The column in the type of training, or as it is if that cannot hold its values."""
    if isinstance(dtype, pd.CategoricalDtype):
        unseen = [value for value in column.dropna().unique() if value not in dtype.categories]
        dtype = pd.CategoricalDtype([*dtype.categories, *unseen], ordered=dtype.ordered)
    try:
        cast = column.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return column
    same = (cast.astype(object) == column.astype(object)) | column.isna()
    return cast if same.all() else column


def _numbers(column: pd.Series) -> pd.Series:
    present = column.dropna()
    read = pd.to_numeric(present, errors="coerce")
    if read.isna().any():
        raise _no_value(column, present[read.isna()], "numbers")
    if len(present) == len(column) and present.str.strip().str.fullmatch(WHOLE).all():
        with suppress(OverflowError):  # beyond 64 bits
            return column.astype(object).map(int).astype("int64")
    # Digit by digit as Python reads them: to_numeric may be off in the last one.
    return column.astype(object).map(float, na_action="ignore").astype("float64")


def _dates(column: pd.Series) -> pd.Series:
    try:
        return pd.to_datetime(column, format="ISO8601")
    except (ValueError, OverflowError):
        read = pd.to_datetime(column, format="ISO8601", errors="coerce", utc=True)
        if column.dropna().str.fullmatch(WITH_OFFSET).all() and read.notna().equals(column.notna()):
            return read  # different offsets, as summer and winter have: the same moments in UTC
        raise _no_value(column, column[read.isna() & column.notna()], "dates such as 2024-01-31") from None


def _is_text(column: pd.Series) -> bool:
    return bool(pd.api.types.is_string_dtype(column.dtype))


def _no_value(column: pd.Series, wrong: pd.Series, claim: str) -> InvalidInputError:
    if wrong.empty:
        return InvalidInputError(
            f"column {column.name!r} mixes dates with and without a time zone; use one or the other."
        )
    word = wrong.iloc[0]
    return InvalidInputError(
        f"column {column.name!r} must hold {claim}; got {word!r} in row {wrong.index[0]}. If that means a missing "
        f"value: --missing {word!r}"
    )

"""The columns of a table: inferred from a DataFrame, editable by hand, saved as JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from counterflownet._printable import printable
from counterflownet._space import CodeSpace
from counterflownet.errors import InvalidInputError, check_one_of, counted, listed, unknown_name
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.categories import check_category_order
from counterflownet.tabular.feature import TIMES, ColumnName, Feature, Kind
from counterflownet.tabular.frame import TRAINING, check_finite, check_not_empty, check_table, in_order, training_frame
from counterflownet.tabular.inference import inferred_feature

_NUMBERS = ("edges", "fine", "grid", "ranks")  # the parts of a feature that are rising numbers
_SCALES = ("mean", "deviation", "spread")


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order."""

    features: tuple[Feature, ...]

    @classmethod
    def infer(
        cls,
        X: Any,
        *,
        bins: Bins | int | Mapping[ColumnName, Bins | int] | None = None,
        kinds: Mapping[ColumnName, str] | None = None,
        orders: Mapping[ColumnName, Sequence[Any]] | None = None,
    ) -> "Schema":
        """The schema of the training rows.

        Args:
            X: The training rows, as a frame of pandas, polars or pyarrow, or a mapping from columns to values.
            bins: For all numeric columns, or a mapping for some of them; an int is a number of bins.
            kinds: Overrides for the inferred kind of a column, such as ``{"zip": "categorical"}``. A column that would
                be left alone, because it names rows or never varies, is used if its kind is given.
            orders: The values of ordered columns, from lowest to highest.
        """
        X = training_frame(X)
        check_table(X, TRAINING)
        check_not_empty(X, TRAINING)
        check_finite(X, TRAINING)
        kinds = dict.fromkeys(orders or {}, Kind.ORDERED) | {k: _kind(v) for k, v in (kinds or {}).items()}
        by_column = bins if isinstance(bins, Mapping) else dict.fromkeys(X.columns, bins)
        _check_names([*kinds, *by_column], X.columns)
        told = {name: (_bins(by_column.get(name)), kinds.get(name), (orders or {}).get(name)) for name in X.columns}
        features = tuple(inferred_feature(X[name], *given) for name, given in told.items())
        if all(feature.alone for feature in features):  # a table of one column: what numbers its rows is all there is
            features = tuple(inferred_feature(X[name], *given, leave_names=False) for name, given in told.items())
        for feature in features:
            check_category_order(feature, X[feature.name])
        return cls(features)

    def replace(self, *features: Feature) -> "Schema":
        """The schema with these ``features`` instead of those of the same names."""
        new = {feature.name: feature for feature in features}
        _check_names(new, self.names)
        return Schema(tuple(new.get(feature.name, feature) for feature in self.features))

    @cached_property
    def names(self) -> tuple[ColumnName, ...]:
        return tuple(feature.name for feature in self.features)

    @cached_property
    def space(self) -> CodeSpace:
        counts = tuple(feature.code_count for feature in self.features)
        return CodeSpace(counts, tuple(feature.has_order for feature in self.features))

    def position(self, name: ColumnName) -> int:
        """The position of a column."""
        try:
            return self._positions[name]
        except (KeyError, TypeError):  # a name that cannot be looked up is no column, either
            _check_names([name], self.names)
            raise

    @cached_property
    def _positions(self) -> dict[ColumnName, int]:
        return {name: place for place, name in enumerate(self.names)}

    def __getitem__(self, name: ColumnName) -> Feature:
        return self.features[self.position(name)]

    def __iter__(self) -> Iterator[Feature]:
        return iter(self.features)

    def __len__(self) -> int:
        return len(self.features)

    def ordered_rows(self, rows: pd.DataFrame, what: str) -> pd.DataFrame:
        """The rows, checked, with exactly our columns in our order; other columns are left out."""
        ordered = in_order(rows, self.names, what)
        check_table(ordered, what)
        check_finite(ordered, what)
        for feature in self.features:
            check_category_order(feature, ordered[feature.name])
        return ordered

    @property
    def left_alone(self) -> dict[ColumnName, str]:
        """The columns that no answer changes, and why: those that name rows, are constant or have no values."""
        return {feature.name: feature.alone for feature in self.features if feature.alone}

    def without_fine_values(self) -> "Schema":
        """The same with no more values of a column than its grid has, for files that shall tell little of the table."""
        return Schema(tuple(replace(feature, fine=feature.grid) for feature in self.features))

    def to_json(self) -> list[dict[str, Any]]:
        """Plain lists and numbers from which ``from_json`` restores the schema."""
        return [_feature_to_json(feature) for feature in self.features]

    @classmethod
    def from_json(cls, data: Iterable[Mapping[str, Any]]) -> "Schema":
        schema = cls(tuple(_feature_from_json(entry) for entry in data))
        if not schema.names or len(set(schema.names)) < len(schema.names):
            raise InvalidInputError(f"a schema needs columns of different names; got {listed(schema.names)}.")
        return schema

    def __repr__(self) -> str:
        names = [printable(str(name)) for name in self.names]
        width = max(map(len, names))
        lines = [f"  {name:<{width}}  {_summary(feature)}" for name, feature in zip(names, self.features, strict=True)]
        return "\n".join([f"Schema({len(self)} columns)", *lines])


def _kind(text: str) -> Kind:
    check_one_of("kind of column", text, list(Kind))
    return Kind(text)


def _bins(given: Bins | int | None) -> Bins:
    if given is None:
        return Bins()
    return given if isinstance(given, Bins) else Bins(count=given)


def _check_names(names: Iterable[ColumnName], columns: Iterable[Any]) -> None:
    known = list(columns)
    for name in names:
        if name not in known:
            raise unknown_name("column", name, known)


def _summary(feature: Feature) -> str:
    if feature.alone:
        return f"left alone: {feature.alone}"
    if feature.numeric:
        low, high = _end_text(feature.values[0]), _end_text(feature.values[-1])
        return f"{feature.kind}, {low} to {high}, {counted(feature.code_count, 'code')}"
    shown = ", ".join(printable(str(value)) for value in feature.values[:6])
    more = ", ..." if feature.code_count > 6 else ""
    return f"{feature.kind}, {counted(feature.code_count, 'code')}: {shown}{more}"


def _end_text(value: Any) -> str:
    """An end of a column's range; of a date that is all days, without the time."""
    return str(value).removesuffix(" 00:00:00")


def _feature_to_json(feature: Feature) -> dict[str, Any]:
    values = [value.isoformat() if feature.kind in TIMES else value for value in feature.values]
    odd = [value for value in values if not isinstance(value, (bool, int, float, str))]
    if odd and odd != [None]:
        raise InvalidInputError(
            f"column {feature.name!r} holds {type(odd[0]).__name__} values, which cannot be saved; convert to text."
        )
    zone = None if feature.zone is None else str(feature.zone)
    lists = {name: list(getattr(feature, name)) for name in _NUMBERS}
    return asdict(feature) | {"kind": str(feature.kind), "values": values, "zone": zone} | lists


def _feature_from_json(entry: Mapping[str, Any]) -> Feature:
    kind = Kind(entry["kind"])
    values = tuple(_value(text, kind, entry["zone"]) for text in entry["values"])
    parts: dict[str, Any] = {name: tuple(map(float, entry[name])) for name in _NUMBERS}
    parts |= {name: float(entry[name]) for name in _SCALES}
    feature = Feature(entry["name"], kind, values, alone=str(entry.get("alone", "")), **parts)
    if not _makes_sense(feature):
        raise InvalidInputError(
            f"column {feature.name!r} cannot be restored: its values, edges or scale make no sense."
        )
    return feature


def _makes_sense(feature: Feature) -> bool:
    """Whether the values are such as a table holds and, if they are numbers, rise within their edges."""
    if not isinstance(feature.name, (str, int)) or isinstance(feature.name, bool):
        return False
    if feature.alone and feature.values == (None,):
        return not feature.numeric
    if not feature.numeric:
        return all(isinstance(value, (bool, int, float, str)) and value == value for value in feature.values)  # noqa: PLR0124
    rising = [feature.code_numbers, *(np.asarray(getattr(feature, name), dtype=np.float64) for name in _NUMBERS)]
    scale = np.array([feature.mean, feature.deviation, feature.spread], dtype=np.float64)
    finite = all(np.isfinite(part).all() for part in (*rising, scale))
    return bool(finite and (scale[1:] > 0).all() and all((np.diff(part) >= 0).all() for part in rising))


def _value(saved: Any, kind: Kind, zone: str | None) -> Any:
    if kind is Kind.DURATION:
        return pd.Timedelta(saved)
    return _moment(saved, zone) if kind is Kind.DATE else saved


def _moment(text: str, zone: str | None) -> pd.Timestamp | date:
    if "T" not in text:
        return date.fromisoformat(text)
    moment = pd.Timestamp(text)
    return moment if zone is None else moment.tz_convert(zone)

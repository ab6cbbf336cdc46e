"""Rows to codes, and edited codes back to rows: unedited cells come back bit for bit."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.tabular.binning import code_of
from counterflownet.tabular.categories import with_categories
from counterflownet.tabular.computed import Computed, Remembered
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName, Kind
from counterflownet.tabular.follows import Carried, Which, followed_numbers
from counterflownet.tabular.left_alone import CONSTANT
from counterflownet.tabular.rule_book import RuleBook
from counterflownet.tabular.schema import Schema


class Codec:
    """Some rows, their codes, and the way back.

    Each column becomes a pool: the values of all codes, then the rows' own values. A decoded cell is one element of its
    pool, so an unedited cell is exactly the value that was given, whatever its type.

    An edited cell may also be at a *place* beyond the codes, between which answers are fitted more finely: those of the
    column's fine numbers, then those of the ``borders`` that constraints set for each row (see :class:`Feature`).

    What follows from edits by the rules of a ``book`` is decoded with them, so that nobody can forget it.
    """

    def __init__(
        self,
        schema: Schema,
        rows: pd.DataFrame,
        borders: Mapping[int, Float[ndarray, "row border"]] | None = None,
        book: RuleBook | None = None,
    ) -> None:
        self.schema = schema
        self.rows = rows
        self.book = book
        self.borders = borders or {}
        self.columns = [rows[feature.name] for feature in schema]  # for one row, extracting columns costs the most
        columns = list(zip(schema, self.columns, strict=True))
        self.codes: Int[ndarray, "row feature"] = np.stack(
            [feature.encode(column) for feature, column in columns], axis=1
        )
        self._pools = [
            _own_pool(column)
            if feature.alone not in {"", CONSTANT} and len(column)
            else _pool(feature.values_for, column, feature.values)
            for feature, column in columns
        ]
        self._finer_pools: dict[int, Any] = {}
        self._own_numbers: dict[int, Float[ndarray, " row"]] = {}
        self._remembered: dict[int, Remembered] = {}

    @cached_property
    def offsets(self) -> Float[ndarray, "row feature"]:
        """Where each value lies within its code, from -1 to 1; 0 if it is not a number."""
        columns = zip(self.schema, self.columns, self.codes.T, strict=True)
        return np.stack([feature.offsets(column, codes) for feature, column, codes in columns], axis=1)

    def __len__(self) -> int:
        return len(self.rows)

    def decode(self, states: States) -> pd.DataFrame:
        """The rows with their edited cells replaced, and those that follow."""
        return self.decode_carried(Carried(self, states))

    def decode_carried(self, carried: Carried) -> pd.DataFrame:
        """The same where it is known already what follows."""
        return pd.DataFrame(
            {feature.name: self._decoded_column(carried, d) for d, feature in enumerate(self.schema)}, copy=False
        )

    def decoded_columns(self, carried: Carried, names: Sequence[ColumnName], at: Int[ndarray, " some"]) -> pd.DataFrame:
        """Some columns of some states."""
        columns = {name: self._decoded_column(carried, self.schema.position(name)) for name in names}
        return pd.DataFrame(columns, copy=False).take(at)

    def _decoded_column(self, carried: Carried, d: int) -> Any:
        values = self.cells(d, carried.row, carried.places[:, d], carried.moved[:, d])
        if d in carried.loose:
            values = self._with_loose(d, values, *carried.loose[d])
        # objects as such, since pandas would guess a type for them
        return pd.Series(values, dtype=object) if values.dtype == object else values

    def _with_loose(self, d: int, values: Any, at: Int[ndarray, " some"], loose: pd.Series) -> Any:
        """The cells with values that stand for no place."""
        feature, cells = self.schema.features[d], pd.Series(values)
        whole = feature.whole and feature.kind is not Kind.DATE
        given = tuple(None if pd.isna(value) else int(value) if whole else value for value in loose.tolist())
        categories = sorted({*feature.values, *(value for value in given if value is not None)})
        pool = _pool(lambda column: feature.as_held_by(column, given), cells, categories)
        picked = len(given) + np.arange(len(cells))
        picked[at] = np.arange(len(given))
        return pool.take(picked)

    def own_numbers(self, d: int) -> Float[ndarray, " row"]:
        """The number (or rank, or code) of each row's own value, NaN if missing or never seen."""
        if d not in self._own_numbers:
            numbers = self.schema.features[d].coordinates_of(self.codes[:, d], self.columns[d]).astype(np.float64)
            numbers.setflags(write=False)
            self._own_numbers[d] = numbers
        return self._own_numbers[d]

    @cached_property
    def followed_numbers(self) -> dict[ColumnName, dict[Which, Float[ndarray, " row"]]]:
        """Where columns go that follow from conditions (see :func:`followed_numbers`)."""
        return {} if self.book is None else followed_numbers(self.book, self.rows)

    def computed(self, rule: Derived, place: Int[ndarray, " cell"]) -> Computed | None:
        """What a rule makes of the one column that it computes from, at these places; None if that is not enough."""
        d = self.schema.position(rule.from_[0])
        if len(rule.from_) > 1 or (place >= self.schema.features[d].first_border_place).any():
            return None  # a border is another value in each row
        if id(rule) not in self._remembered:
            asked = partial(self._computed_at, rule, d)
            self._remembered[id(rule)] = Remembered(self.schema.features[d].first_border_place, asked)
        return self._remembered[id(rule)][place]

    def _computed_at(self, rule: Derived, d: int, place: Int[ndarray, " place"]) -> Computed:
        cells = self.cells(d, np.zeros_like(place), place, np.ones(len(place), dtype=np.bool_))
        column = pd.Series(cells, dtype=object) if cells.dtype == object else pd.Series(cells)
        return Computed.of(rule, self.schema, pd.DataFrame({rule.from_[0]: column}))

    def as_codes(self, states: States) -> States:
        """The states with every edit at the code in whose bin it is."""
        states = states[np.arange(len(states))]
        row, places, edited = states.numpy()
        for d, feature in enumerate(self.schema):
            (at,) = (edited[:, d] & (places[:, d] >= feature.first_fine_place)).nonzero()
            if len(at):
                places[at, d] = code_of(self.numbers(d, row[at], places[at, d]), np.asarray(feature.edges))
        return states

    def places_of(self, d: int, row: Int[ndarray, " cell"], number: Float[ndarray, " cell"]) -> Int[ndarray, " cell"]:
        """The places that stand for these numbers in a column; -1 where none does."""
        feature = self.schema.features[d]
        if not feature.numeric:
            return np.where(np.isnan(number), -1, number).astype(np.int64)
        steps = feature.steps
        at = np.minimum(np.searchsorted(steps.number, number), len(steps.number) - 1)
        places = np.where(steps.number[at] == number, steps.place[at], -1)
        borders = self.borders_of(d)[row]
        if borders.shape[1]:
            match = borders == number[:, None]
            places = np.where(
                (places < 0) & match.any(axis=1), feature.first_border_place + match.argmax(axis=1), places
            )
        return places

    def borders_of(self, d: int) -> Float[ndarray, "row border"]:
        """The borders of one column as numbers, NaN where a row has none."""
        return self.borders.get(d, np.zeros((len(self), 0)))

    def numbers(self, d: int, row: Int[ndarray, " cell"], place: Int[ndarray, " cell"]) -> Float[ndarray, " cell"]:
        """The number (or rank) of cells of one column that are at these places."""
        feature = self.schema.features[d]
        known = feature.place_numbers
        border = place - feature.first_border_place
        if d not in self.borders or (border < 0).all():
            return known[place]
        numbers = known[np.minimum(place, len(known) - 1)]
        (beyond,) = (border >= 0).nonzero()
        numbers[beyond] = self.borders[d][row[beyond], border[beyond]]
        return numbers

    def cells(
        self, d: int, row: Int[ndarray, " cell"], place: Int[ndarray, " cell"], edited: Bool[ndarray, " cell"]
    ) -> Any:
        """The cells of one column; those that were not edited are the rows' own."""
        feature = self.schema.features[d]
        if not (edited & (place >= feature.first_fine_place)).any():
            return self._pools[d].take(np.where(edited, place, feature.code_count + row))
        if d not in self._finer_pools:
            categories = self._finer_categories(d)
            self._finer_pools[d] = _pool(partial(self._finer_values, d), self.columns[d], categories)
        fine_end, border_count = feature.code_count + len(feature.fine), self.borders_of(d).shape[1]
        border = place - feature.first_border_place
        beyond = np.where(border < 0, place - 2, fine_end + row * border_count + border)
        picked = np.where(place < feature.code_count, place, beyond)
        return self._finer_pools[d].take(np.where(edited, picked, fine_end + border_count * len(self) + row))

    def _finer_values(self, d: int, column: pd.Series) -> pd.Series:
        """The values of all codes, of all fine numbers, and of the rows' borders."""
        feature, borders = self.schema.features[d], self._border_values(d)
        values = feature.values_for(column, finer=True)
        return pd.concat([values, feature.as_held_by(column, borders)], ignore_index=True) if borders else values

    def _border_values(self, d: int) -> tuple[Any, ...]:
        feature, borders = self.schema.features[d], self.borders_of(d).ravel()
        numbers = np.where(np.isnan(borders), feature.code_numbers[0], borders)  # no state is at a border of nobody
        return feature.values_of(numbers)

    def _finer_categories(self, d: int) -> Sequence[Any]:
        """All that a column of categories, which may be numbers, must be able to hold."""
        if not isinstance(self.columns[d].dtype, pd.CategoricalDtype):
            return ()
        feature = self.schema.features[d]
        return sorted({*feature.values, *feature.fine_values, *self._border_values(d)})


def _pool(values_for: Callable[[pd.Series], pd.Series], column: pd.Series, categories: Sequence[Any]) -> Any:
    """The values followed by the column, in the column's own type if it can hold them all."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = with_categories(column, categories)
    values = values_for(column)
    if values.dtype == column.dtype and not isinstance(column.dtype, pd.CategoricalDtype):
        if isinstance(column.dtype, np.dtype):
            return np.concatenate([values.to_numpy(), column.to_numpy()])
        return column.array._concat_same_type([values.array, column.array])  # noqa: SLF001 - part of their interface
    pool = pd.concat([values, column], ignore_index=True)
    if pool.dtype != column.dtype and _altered(pool.iloc[len(values) :], column):
        pool = pd.concat([values.astype(object), column.astype(object)], ignore_index=True)
    return pool.to_numpy() if isinstance(pool.dtype, np.dtype) else pool.array


def _own_pool(column: pd.Series) -> Any:
    """The pool of a column that names rows, or is empty: its first value stands where no edit ever leads."""
    pool = column.take(np.concatenate([[0], np.arange(len(column))]))
    return pool.to_numpy() if isinstance(pool.dtype, np.dtype) else pool.array


def _altered(held: pd.Series, column: pd.Series) -> bool:
    """Whether a wider type, such as a float for large integers, would change the values."""
    present = column.notna().to_numpy()
    pairs = zip(held[present].astype(object), column[present].astype(object), strict=True)
    return any(kept != given for kept, given in pairs)

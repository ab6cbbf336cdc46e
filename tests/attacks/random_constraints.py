"""Random constraints of every kind, as a class and its arguments, so that a checker need not look inside."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import numpy as np
import pandas as pd

from counterflownet import (
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
    Schema,
)
from counterflownet.tabular import Feature

from .column_kinds import Draw

Rule = tuple[type, tuple[Any, ...]]


def random_rules(draw: Draw, schema: Schema, most: int = 4) -> list[Rule]:
    """Up to ``most`` rules that fit the table; they may exclude each other."""
    makers: list[Callable[[Draw, Schema], Rule]] = [
        _immutable, _mutable, _one_way, _range, _range, _listed, _listed, _step, _most,
    ]  # fmt: skip
    return [makers[draw.integers(len(makers))](draw, schema) for _ in range(draw.integers(0, most + 1))]


def made(rules: list[Rule]) -> list[Any]:
    """The constraints themselves."""
    return [kind(*given) for kind, given in rules]


def _one_of(draw: Draw, things: Any) -> Any:
    things = list(things)
    return things[draw.integers(len(things))]


def _some(draw: Draw, things: Any, most: int) -> list[Any]:
    things = list(things)
    places = draw.permutation(len(things))[: draw.integers(1, min(most, len(things)) + 1)]
    return [things[place] for place in places]


def _with_order(schema: Schema) -> list[Feature]:
    return [feature for feature in schema if feature.has_order]


def _immutable(draw: Draw, schema: Schema) -> Rule:
    return Immutable, tuple(_some(draw, schema.names, 2))


def _mutable(draw: Draw, schema: Schema) -> Rule:
    return Mutable, tuple(_some(draw, schema.names, len(schema)))


def _one_way(draw: Draw, schema: Schema) -> Rule:
    ordered = _with_order(schema)
    if not ordered:
        return _immutable(draw, schema)
    return _one_of(draw, [Increasing, Decreasing]), tuple(feature.name for feature in _some(draw, ordered, 2))


def _range(draw: Draw, schema: Schema) -> Rule:
    ordered = _with_order(schema)
    if not ordered:
        return _listed(draw, schema)
    feature = _one_of(draw, ordered)
    low, high = sorted(draw.integers(0, feature.code_count, 2))
    bounds = [_spelled(draw, feature.values[low]), _spelled(draw, feature.values[high])]
    if draw.random() < 0.4:
        bounds[draw.integers(2)] = None
    return Range, (feature.name, *bounds)


def _listed(draw: Draw, schema: Schema) -> Rule:
    feature = _one_of(draw, schema)
    values = [_spelled(draw, value) for value in _some(draw, feature.values, 4)]
    return _one_of(draw, [OneOf, NotOneOf, NotOneOf]), (feature.name, values)


def _step(draw: Draw, schema: Schema) -> Rule:
    ordered = _with_order(schema)
    if not ordered:
        return _most(draw, schema)
    feature = _one_of(draw, ordered)
    if str(feature.kind) == "date":
        width = float(feature.width * draw.uniform(0.01, 1))
        return MaxStep, (feature.name, timedelta(days=width) if draw.random() < 0.5 else width)
    if not feature.numeric:
        return MaxStep, (feature.name, int(draw.integers(1, feature.code_count + 1)))
    return MaxStep, (feature.name, float(feature.width * draw.uniform(0.01, 1)))


def _most(draw: Draw, schema: Schema) -> Rule:
    return MaxChanges, (int(draw.integers(1, len(schema) + 1)),)


def _spelled(draw: Draw, value: Any) -> Any:
    """A date in any of its forms; anything else as it is."""
    if not isinstance(value, date):
        return value
    moment = pd.Timestamp(value)
    forms: list[Callable[[pd.Timestamp], Any]] = [pd.Timestamp, pd.Timestamp.to_pydatetime]
    if moment.tzinfo is None:
        forms.append(lambda given: np.datetime64(given, "us"))
        if moment == moment.normalize():
            forms.append(pd.Timestamp.date)
    return _one_of(draw, forms)(moment)

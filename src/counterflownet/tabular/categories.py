"""How the categories of a column's type and those of the schema come together."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from counterflownet.errors import InvalidInputError, listed
from counterflownet.tabular.feature import Feature, Kind


def check_category_order(feature: Feature, column: pd.Series) -> None:
    """An error if a column's type puts ordered categories in another order than the schema, or leaves it open."""
    if feature.kind is not Kind.ORDERED or not getattr(column.dtype, "ordered", False):
        return
    places = [(feature.code_of_value(value), value) for value in column.cat.categories]
    shared = [code for code, _ in places if code is not None]
    if shared != sorted(shared):
        raise InvalidInputError(
            f"the categories of column {feature.name!r} come in another order than in the schema: "
            f"{listed(map(repr, column.cat.categories))} instead of {listed(map(repr, feature.values))}. Put them in "
            "the schema's order with .cat.set_categories([...], ordered=True)."
        )
    unknown = [value for code, value in places if code is None]
    lacking = [value for code, value in enumerate(feature.values) if code not in shared]
    if unknown and lacking:
        raise InvalidInputError(
            f"the order of column {feature.name!r} is unknown: its type has {listed(map(repr, unknown))}, which the "
            f"schema does not know, and lacks {listed(map(repr, lacking))}. List all of them, from lowest to highest, "
            "with .cat.set_categories([...], ordered=True)."
        )


def with_categories(column: pd.Series, values: Sequence[Any]) -> pd.Series:
    """The column with a category for each of the values: in their order, unless it has other categories."""
    ours, theirs = set(values), set(column.cat.categories)
    if ours <= theirs:
        return column
    if theirs <= ours:
        return column.cat.set_categories(list(values))
    return column.cat.add_categories([value for value in values if value not in theirs])

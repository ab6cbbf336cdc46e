"""Rules that a table seems to obey, for a person to accept or to refuse."""

from collections.abc import Iterator, Mapping

import pandas as pd

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.constraint import Immutable, Increasing
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName, Feature
from counterflownet.tabular.frame import as_frame, check_not_empty
from counterflownet.tabular.relations.found import relations
from counterflownet.tabular.relations.seen import MOST_COLUMNS
from counterflownet.tabular.relations.usual_names import Usual, usual
from counterflownet.tabular.rule import OneHot
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.suggestion import Suggestion, Suggestions


def suggest_rules(X: pd.DataFrame, *, schema: Schema | None = None) -> Suggestions:
    """The rules that all rows of a table keep and that are unlikely to be accidents, with what speaks for each.

    Found are columns that follow from another (``Derived.lookup``), numbers or dates that are never above others
    (``LessEqual``), groups of flags of which exactly one is set (``OneHot``), columns that always move together
    (``Together``), and columns whose names say that people cannot change them (``Immutable``, ``Increasing``). No row
    breaks what is suggested, but it is you who knows whether it is a rule: read them, and give those you like, or all
    of them as ``.rules``, to ``constraints=``. Of more than 200 columns, the first 200 are compared.

    Args:
        X: The training rows, without the column to be predicted.
        schema: The columns as the explainer sees them; inferred if left out.

    Returns:
        The suggestions: a sequence that shows itself as code.
    """
    rows = as_frame(X, "the table")
    if schema is not None and not isinstance(schema, Schema):
        raise InvalidInputError(f"schema must be a Schema, such as Schema.infer(X); got {schema!r}.")
    schema = Schema.infer(rows) if schema is None else schema
    rows = schema.ordered_rows(rows, "the table")
    check_not_empty(rows, "the table")
    found = _put_together(schema, relations(schema, rows))
    return Suggestions(found, len(rows), min(len(schema), MOST_COLUMNS), len(schema))


def _put_together(schema: Schema, joint: tuple[Suggestion, ...]) -> tuple[Suggestion, ...]:
    """What joins columns and what their names say, without what the other says already."""
    named = {feature.name: said for feature, said in _said(schema)}
    kept = tuple(one for one in joint if not _goes_without_saying(one, schema, named))
    derived = {one.rule.column for one in kept if isinstance(one.rule, Derived)}
    return (*kept, *(_by_name(feature, said) for feature, said in _said(schema) if feature.name not in derived))


def _goes_without_saying(suggestion: Suggestion, schema: Schema, named: Mapping[ColumnName, Usual]) -> bool:
    """Whether columns that cannot change keep it anyway, or one of these would follow from a column that can."""
    rule = suggestion.rule
    if isinstance(rule, Derived):
        return named.get(rule.column) is Usual.FIXED and not named.keys() >= set(rule.from_)
    return isinstance(rule, OneHot) and all(named.get(name) is Usual.FIXED for name in rule.columns(schema))


def _said(schema: Schema) -> Iterator[tuple[Feature, Usual]]:
    """The columns whose names say something, and what."""
    for feature in schema:
        if (said := usual(feature)) is not None:
            yield feature, said


def _by_name(feature: Feature, said: Usual) -> Suggestion:
    rule = Immutable if said is Usual.FIXED else Increasing
    return Suggestion(rule(feature.name), 0, f"by its name, {feature.name!r} {said.value}")

"""Relations that all training rows keep: found at fit, saved with the explainer, counted where answers break them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.derived import Derived, LookedUp
from counterflownet.tabular.relations.found import relations
from counterflownet.tabular.rule import Constraint, LessEqual, OneHot, Rule, Together
from counterflownet.tabular.rule_records import record_of, rule_of
from counterflownet.tabular.schema import Schema

MOST_RELATIONS = 100  # more, and a table repeats itself: each is judged in every call
KINDS = (Derived, LessEqual, OneHot, Together)


@dataclass(frozen=True, slots=True)
class Oddities:
    """How many answers break a relation that all training rows keep.

    ``count`` is the number of such answers, and ``by_rule`` tells it for each relation that was broken, by the line of
    code that states it: given as a constraint, it holds in every answer.
    """

    count: int = 0
    by_rule: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return self.count > 0


def relations_at_fit(schema: Schema, rows: pd.DataFrame, constraints: Iterable[Constraint]) -> tuple[Rule, ...]:
    """What joins columns in every training row, and the lookups that were given: these belong to the table as well."""
    given = [rule for rule in constraints if isinstance(rule, Derived) and rule.looked_up]
    known = {rule.columns(schema) for rule in given}
    found = [one.rule for one in relations(schema, rows)[:MOST_RELATIONS] if isinstance(one.rule, Rule)]
    return (*given, *(rule for rule in found if rule.columns(schema) not in known))


def oddities(schema: Schema, rules: Sequence[Rule], before: pd.DataFrame, after: pd.DataFrame) -> Oddities:
    """How many rows of ``after`` break which relation, each as an answer to the row beside it."""
    odd = np.zeros(len(after), dtype=np.bool_)
    by_rule: dict[str, int] = {}
    for rule in rules if len(after) else ():
        broken = ~rule.kept(schema, before, after)
        odd |= broken
        by_rule |= {repr(rule): int(broken.sum())} if broken.any() else {}
    return Oddities(int(odd.sum()), by_rule)


def relation_records(rules: Iterable[Rule], *, private: bool) -> list[dict[str, Any]]:
    """The relations for a file; in a ``private`` one without lookups, which show cells of a row side by side."""
    return [record_of(rule) for rule in rules if not (private and isinstance(rule, Derived))]


def relations_of(records: Any, schema: Schema) -> tuple[Rule, ...]:
    """The relations of a file, or an error if one of them is none or does not fit the columns."""
    rules = [rule_of(record) for record in _checked_list(records)]
    for rule in rules:
        if not isinstance(rule, KINDS):
            raise InvalidInputError(f"{rule!r} is nothing that training rows could keep.")
        rule.columns(schema)
        if isinstance(rule, Derived):
            _check_values(rule, schema)
    return tuple(rule for rule in rules if isinstance(rule, Rule))


def _checked_list(records: Any) -> list[Any]:
    joint = {"derived", "less_equal", "one_hot", "together"}
    if not isinstance(records, list) or not all(isinstance(one, dict) and joint & set(one) for one in records):
        raise InvalidInputError("the relations of the training rows are not a list of rules.")
    return records


def _check_values(rule: Derived, schema: Schema) -> None:
    values = rule.by.values.values() if isinstance(rule.by, LookedUp) else ()
    fitting = (int, float) if schema[rule.column].numeric else (str, bool, int, float)
    if not all(isinstance(value, fitting) and value == value for value in values):  # noqa: PLR0124 - no NaN
        raise InvalidInputError(f"{rule!r} has values that its column cannot hold.")

"""Conditions written as the sentences that :mod:`counterflownet.tabular.condition_text` reads."""

import re
from datetime import date, timedelta
from typing import Any

import pandas as pd

from counterflownet.errors import ConstraintError
from counterflownet.tabular.condition import (
    Above,
    AllOf,
    AnyOfThem,
    Atom,
    Below,
    Condition,
    Equals,
    FallsBy,
    Opposite,
    RisesBy,
)
from counterflownet.tabular.condition_text import ALONE
from counterflownet.tabular.frame import plain

PLAIN_WORD = re.compile(r"[^\W\d][\w.-]*")
READ_OTHERWISE = {
    "not",
    "and",
    "or",
    "is",
    "above",
    "below",
    "by",
    "at",
    "least",
    "true",
    "false",
    "inf",
    "nan",
    *ALONE,
}
VERBS = {kind: verb for verb, kind in ALONE.items()} | {
    Equals: "is",
    Above: "is above",
    Below: "is below",
    RisesBy: "rises by",
    FallsBy: "falls by",
}


def sentence_of(condition: Condition) -> str:
    """The sentence of a condition.

    >>> from counterflownet import Equals, Rises, RisesBy
    >>> sentence_of(Rises("education") & ~(Equals("job", "cook") | RisesBy("years on job", at_least=2)))
    'education rises and not (job is cook or "years on job" rises by 2)'
    """
    if isinstance(condition, Opposite):
        return f"not {_part(condition.condition)}"
    if isinstance(condition, AllOf | AnyOfThem):
        joint = "and" if isinstance(condition, AllOf) else "or"
        return f"{_part(condition.one, joint)} {joint} {_part(condition.other)}"
    assert isinstance(condition, Atom)  # noqa: S101 - there are no others
    verb = VERBS[type(condition)]
    value = getattr(condition, "value", getattr(condition, "at_least", None))
    said = "" if type(condition) in ALONE.values() else f" {_value(condition, value)}"
    return f"{_word(condition.column)} {verb}{said}"


def _part(condition: Condition, joint: str = "") -> str:
    """A part of a longer sentence; what is joined the same way from left to right needs no parentheses."""
    same = (joint == "and" and isinstance(condition, AllOf)) or (joint == "or" and isinstance(condition, AnyOfThem))
    alone = same or isinstance(condition, Atom | Opposite)
    return sentence_of(condition) if alone else f"({sentence_of(condition)})"


def _word(text: Any) -> str:
    """A name or a text; in quotes unless it is a single word that cannot be read as anything else."""
    if isinstance(text, int):
        return str(text)
    if PLAIN_WORD.fullmatch(text) and text not in READ_OTHERWISE:
        return str(text)
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _value(condition: Condition, value: Any) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, timedelta):
        return repr(pd.Timedelta(value) / pd.Timedelta(days=1))
    if isinstance(value, date):
        return _word(value.isoformat())
    if isinstance(value, str):
        return _word(value)
    raise ConstraintError(f"{condition!r} cannot be written as a sentence: its value is no number, text or date.")

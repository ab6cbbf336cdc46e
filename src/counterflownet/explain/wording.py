"""Changes as sentences for the person they concern, in any language there is a file for."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from counterflownet._printable import printable
from counterflownet.explain.labels import ColumnLabel, Labels
from counterflownet.explain.present.wording import change_texts, is_large, probability_text, value_text
from counterflownet.explain.texts import Texts, texts


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes different in one column; ``follows`` if a rule brings it about without anybody's doing."""

    column: Hashable
    old: Any
    new: Any
    follows: bool = False


def sentence(change: Change, labels: Labels | None = None, language: str = "en") -> str:
    """A change as a sentence.

    >>> sentence(Change("amount", 6000, 12500), Labels.of({"amount": {"label": "the loan", "unit": "EUR"}}))
    'The loan rises from 6,000 EUR to 12,500 EUR.'
    >>> sentence(Change("housing", "rent", "own"), language="de")
    'Housing ändert sich von rent zu own.'
    """
    labels, words = labels or Labels(), texts(language)
    old, new = value_pair(change.old, change.new, labels.column(change.column), words)
    pattern = words["change"][_kind(change.old, change.new)]
    text = capital(pattern.format(column=printable(labels.name_of(change.column)), old=old, new=new))
    return words["change"]["follows"].format(sentence=text) if change.follows else text


def value(given: Any, column: Hashable, labels: Labels | None = None, language: str = "en") -> str:
    """A single cell as it is told: with its unit, its label, and numbers as the language writes them."""
    told, words = (labels or Labels()).column(column), texts(language)
    return _written(given, value_text(given), told, words, grouped=is_large(given))


def value_pair(old: Any, new: Any, told: ColumnLabel, words: Texts) -> tuple[str, str]:
    """Two cells of one column, with as many digits as it takes to see that they differ."""
    grouped = is_large(old) or is_large(new)
    plain = change_texts(old, new)
    cells = zip((old, new), plain, strict=True)
    first, second = (_written(cell, text, told, words, grouped=grouped) for cell, text in cells)
    return plain if first == second else (first, second)


def probability(given: float, language: str = "en", least: float | None = None) -> str:
    """A probability in per cent."""
    return decimal(probability_text(given, least), language)


def number(given: float, language: str = "en", told: ColumnLabel | None = None, text: str = "") -> str:
    """A number by itself, as the language writes it, with its unit; ``text`` is how it is rounded."""
    rounded, words = text or value_text(given, 6), texts(language)
    return _written(float(given), rounded, told or ColumnLabel(), words, grouped=is_large(given))


def decimal(text: str, language: str = "en") -> str:
    """The text of a number with the decimal sign of the language."""
    return text.replace(".", texts(language)["numbers"]["decimal"])


def enumerated(names: Sequence[str], language: str = "en", joined_by: str = "and") -> str:
    """Several names as part of a sentence: ``a, b and c``."""
    *others, last = names
    return f"{', '.join(others)} {texts(language)['values'][joined_by]} {last}" if others else last


def phrase(section: str, name: str, language: str = "en", **parts: str) -> str:
    """Any other text of the language's file, with its parts filled in, such as ``phrase("row", "locked", ...)``."""
    return capital(texts(language)[section][name].format(**parts))


def capital(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def _kind(old: Any, new: Any) -> str:
    if old is None or (pd.api.types.is_scalar(old) and pd.isna(old)):
        return "known"
    if isinstance(old, (date, np.datetime64)):
        return "later" if pd.Timestamp(new) > pd.Timestamp(old) else "earlier"
    if _is_number(old) and _is_number(new):
        return "rises" if new > old else "falls"
    return "other"


def _is_number(given: Any) -> bool:
    numbers = (Real, timedelta, np.timedelta64)
    return isinstance(given, numbers) and not isinstance(given, (bool, np.bool_))


def _written(given: Any, text: str, told: ColumnLabel, words: Texts, *, grouped: bool) -> str:
    if str(given) in told.values:
        return printable(told.values[str(given)])
    if isinstance(given, (bool, np.bool_)):
        return words["values"]["true" if given else "false"]
    if given is None or (pd.api.types.is_scalar(given) and pd.isna(given)):
        return words["values"]["missing"]
    if isinstance(given, (date, np.datetime64)):
        return _moment(given, words)
    if isinstance(given, (Real, np.number)):
        text = _number(text, words, grouped=grouped and told.separator)
        return words["numbers"]["unit"].format(number=text, unit=printable(told.unit)) if told.unit else text
    return text.replace("_", " ") if isinstance(given, str) else text


def _number(text: str, words: Texts, *, grouped: bool) -> str:
    """A number as Python writes it, in the language's own signs."""
    whole, point, rest = text.partition(".")
    if grouped and whole.lstrip("-").isdecimal():
        whole = f"{int(whole):,}".replace(",", words["numbers"]["thousands"])
    return whole + (words["numbers"]["decimal"] if point else "") + rest


def _moment(given: Any, words: Texts) -> str:
    time = pd.Timestamp(given)
    whole_day = not isinstance(given, (datetime, np.datetime64)) or time == time.normalize()
    return time.strftime(words["numbers"]["date" if whole_day else "time"])

"""Conditions as sentences: ``education rises and not (job stays)``, read into the library's objects."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from counterflownet.errors import ConstraintError
from counterflownet.tabular.condition import (
    Above,
    Below,
    Changes,
    Condition,
    Equals,
    Falls,
    FallsBy,
    Rises,
    RisesBy,
    Stays,
)
from counterflownet.tabular.feature import ColumnName

TOKEN = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+))""")
ALONE: dict[str, Callable[[ColumnName], Condition]] = {
    "rises": Rises,
    "falls": Falls,
    "changes": Changes,
    "stays": Stays,
}
BY = {"rises": RisesBy, "falls": FallsBy}
COMPARED = {"above": Above, "below": Below}
VERBS = {*ALONE, "is", *COMPARED}
JOINTS = {"and", "or", ")"}
LONGEST = 300  # characters of a sentence that an error repeats
MOST_WORDS = 200  # and as many parentheses inside each other at most
EXAMPLE = (
    'Write, for example, "education rises", "age rises by 2", "job is skilled", "income is above 3000", joined by and, '
    'or, not and parentheses; a name that contains one of these words stands in double quotes: "\\"rises and falls\\" '
    'changes".'
)


class Token(NamedTuple):
    """A word of a sentence; what stands in quotes means nothing but itself."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Meaning:
    """What names and values in a sentence stand for; without a table, numbers and true and false are recognised."""

    column: Callable[[Token], ColumnName]
    value: Callable[[ColumnName, Token], Any]


def condition_of(text: str, meaning: Meaning | None = None) -> Condition:
    """The condition that a sentence describes, or an error that shows how one is written."""
    reader = _Reader(text, meaning or Meaning(_column, lambda _, token: _plain(token)))
    condition = reader.any_of()
    if reader.left():
        raise reader.error(f"{reader.shown()!r} is not expected there")
    return condition


def _column(token: Token) -> ColumnName:
    return int(token.text) if token.text.isdecimal() and not token.quoted else token.text


def _plain(token: Token) -> Any:
    if token.quoted:
        return token.text
    if token.text in {"true", "false"}:
        return token.text == "true"
    for read in (int, float):
        with suppress(ValueError):
            return read(token.text)
    return token.text


class _Reader:
    """Reads the tokens of one sentence from left to right."""

    def __init__(self, text: str, meaning: Meaning) -> None:
        self.text, self.meaning, self.place = text, meaning, 0
        self.tokens = self._tokens(text) if isinstance(text, str) else []

    def _tokens(self, text: str) -> list[Token]:
        found, place = [], 0
        while text[place:].strip():
            match = TOKEN.match(text, place)
            if match is None:
                raise self.error("a double quote is not closed")
            quoted = match[1] is not None
            found.append(Token(re.sub(r"\\(.)", r"\1", match[1]) if quoted else match[2] or match[3], quoted))
            place = match.end()
        if len(found) > MOST_WORDS:
            raise self.error(f"it has {len(found)} words, and {MOST_WORDS} are enough for anybody")
        return found

    def any_of(self) -> Condition:
        condition = self._all_of()
        while self._take("or"):
            condition = condition | self._all_of()
        return condition

    def _all_of(self) -> Condition:
        condition = self._part()
        while self._take("and"):
            condition = condition & self._part()
        return condition

    def _part(self) -> Condition:
        if self._take("not"):
            return ~self._part()
        if not self._take("("):
            return self._statement()
        condition = self.any_of()
        if not self._take(")"):
            raise self.error("a parenthesis is not closed")
        return condition

    def _statement(self) -> Condition:
        words = self._words("a column", VERBS | JOINTS)
        verb = next((word for word in sorted(VERBS) if self._take(word)), None)
        if verb is None:  # told before the column is looked for, whose name would seem to be all words up to here
            found = f"got {self.shown()!r}" if self.left() else "nothing follows"
            raise self.error(f"after the column {words.text!r} comes rises, falls, changes, stays or is; {found}")
        column = self.meaning.column(words)
        if verb in BY and self._take("by"):
            return BY[verb](column, at_least=self._amount())
        if verb in ALONE:
            return ALONE[verb](column)
        return self._comparison(column, verb)

    def _comparison(self, column: ColumnName, verb: str) -> Condition:
        negated = verb == "is" and self._take("not")
        verb = next((word for word in sorted(COMPARED) if verb == "is" and self._take(word)), verb)
        value = self.meaning.value(column, self._words("a value", JOINTS))
        condition = COMPARED.get(verb, Equals)(column, value)
        return ~condition if negated else condition

    def _amount(self) -> int | float:
        if self._take("at"):
            self._take("least")
        amount = _plain(self._words("a number", JOINTS))
        if isinstance(amount, bool) or not isinstance(amount, (int, float)):
            raise self.error(f"{amount!r} is not a number")
        return amount

    def _words(self, what: str, ends: set[str]) -> Token:
        """All words up to the next that has a meaning, as one; or what stands in quotes."""
        if self.left() and self.tokens[self.place].quoted:
            self.place += 1
            return self.tokens[self.place - 1]
        words = []
        while self.left() and not self.tokens[self.place].quoted and self.shown() not in ends | {"("}:
            words.append(self.shown())
            self.place += 1
        if not words:
            raise self.error(f"{what} is missing {f'before {self.shown()!r}' if self.left() else 'at the end'}")
        return Token(" ".join(words), quoted=False)

    def _take(self, word: str) -> bool:
        """Whether the next token is this word; it is passed then."""
        found = self.left() and self.tokens[self.place] == Token(word, quoted=False)
        self.place += found
        return found

    def left(self) -> bool:
        return self.place < len(self.tokens)

    def shown(self) -> str:
        return self.tokens[self.place].text

    def error(self, what: str) -> ConstraintError:
        return ConstraintError(f"cannot read the condition {str(self.text)[:LONGEST]!r}: {what}. {EXAMPLE}")

"""Changes, assumptions and values in plain sentences."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from counterflownet._printable import printable
from counterflownet.explain import wording
from counterflownet.explain.labels import ColumnLabel
from counterflownet.explain.letter.texts import Texts
from counterflownet.explain.present.wording import prediction_text, probability_text, value_text
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, ClassesTarget
from counterflownet.explain.texts import texts
from counterflownet.tabular import constraint as one_column
from counterflownet.tabular.condition_wording import sentence_of
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.rule import IfThen, LessEqual, OneHot, Together

OF_COLUMNS = {
    one_column.Immutable: "immutable",
    one_column.Mutable: "mutable",
    one_column.Increasing: "increasing",
    one_column.Decreasing: "decreasing",
    Together: "together",
    OneHot: "one_hot",
}


class Sentences:
    """Words for what an explanation holds, in one language."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def column(self, name: Any) -> str:
        """A column, as the template calls it, or its own name with spaces."""
        return self.texts.named("column", str(name)) or value_text(name).replace("_", " ")

    def label(self, label: Any) -> str:
        """A class, in quotes unless the template has a word for it."""
        return self.texts.named("class", str(label)) or self.texts("quote", text=value_text(label))

    def target(self, target: Any) -> str:
        """What was asked for: a class, several, or where a number is to lie."""
        if isinstance(target, ClassesTarget):
            classes = self.joined([self.label(label) for label in target.classes], "or")
            return self.texts("any_of" if isinstance(target, AnyOf) else "not", classes=classes)
        if not isinstance(target, Between | AtLeast | AtMost):
            return self.label(target)
        ends = {end: wording.number(getattr(target, end), self.texts.language) for end in ("low", "high")}
        return self.texts({Between: "between", AtLeast: "at_least", AtMost: "at_most"}[type(target)], **ends)

    def value(self, value: Any) -> str:
        """A cell as a person would write it."""
        return self._worded(value, wording.value(value, None, language=self.texts.language))

    def change(self, column: Any, old: Any, new: Any, sentence: str = "change") -> str:
        """What would have had to be different."""
        before, after = wording.value_pair(old, new, ColumnLabel(), texts(self.texts.language))
        return self.texts(
            sentence, column=self.column(column), old=self._worded(old, before), new=self._worded(new, after)
        )

    def probability(self, probability: float, least: float | None) -> str:
        return self._decimal(probability_text(float(probability), least))

    def prediction(self, prediction: float, target: Any) -> str:
        """The number of a regressor, never rounded across an end of what was asked for."""
        return self._decimal(prediction_text(float(prediction), target))

    def joined(self, parts: Sequence[str], word: str = "and") -> str:
        """Parts of a sentence one after the other."""
        return parts[0] if len(parts) == 1 else self.texts(word).join([", ".join(parts[:-1]), parts[-1]])

    def day(self, day: date) -> str:
        month = self.texts("months").split()[day.month - 1]
        return self.texts("date", day=day.day, month=month, year=day.year)

    def assumptions(self, constraints: Sequence[Any]) -> list[str]:
        """What was assumed, a sentence each: columns of the same constraint together."""
        told: dict[str, list[str]] = {}
        others: list[str] = []
        for rule in constraints:
            kind = OF_COLUMNS.get(type(rule))
            if kind in {"immutable", "increasing", "decreasing"}:
                told.setdefault(kind, []).extend(map(self.column, rule.names))
            else:
                others += self._assumption(rule, kind)
        gathered = [self.texts(kind, columns=", ".join(dict.fromkeys(names))) for kind, names in told.items()]
        return list(dict.fromkeys([*gathered, *others]))

    def _assumption(self, rule: Any, kind: str | None) -> Iterator[str]:
        if kind is not None:
            yield self.texts(kind, columns=", ".join(map(self.column, rule.names)))
        elif isinstance(rule, one_column.Range):
            yield from self._range(rule)
        elif isinstance(rule, one_column.OneOf | one_column.NotOneOf):
            name = "one_of" if isinstance(rule, one_column.OneOf) else "not_one_of"
            yield self.texts(name, column=self.column(rule.column), values=", ".join(map(self.value, rule.values)))
        elif isinstance(rule, one_column.MaxStep):
            yield self.texts("max_step", column=self.column(rule.column), amount=self.value(rule.amount))
        elif isinstance(rule, one_column.MaxChanges):
            yield self.texts("max_changes", count=rule.count)
        else:
            yield self._joint(rule)

    def _joint(self, rule: Any) -> str:
        if isinstance(rule, LessEqual):
            return self.texts("less_equal", low=self.column(rule.low), high=self.column(rule.high))
        if isinstance(rule, Derived):
            sources = ", ".join(map(self.column, rule.from_))
            return self.texts("derived", column=self.column(rule.column), columns=sources)
        if isinstance(rule, IfThen):
            parts = printable(sentence_of(rule.condition)), printable(sentence_of(rule.requirement))
            return self.texts("if_then", condition=parts[0], requirement=parts[1])
        return printable(repr(rule))

    def _range(self, rule: one_column.Range) -> Iterator[str]:
        ends = [None if end is None else self.value(end) for end in (rule.low, rule.high)]
        known = "range_low" if ends[1] is None else "range_high" if ends[0] is None else "range_both"
        if ends != [None, None]:
            yield self.texts(known, column=self.column(rule.column), low=ends[0], high=ends[1])

    def _worded(self, value: Any, text: str) -> str:
        """The text of a value, in the words of the language."""
        if isinstance(value, bool | np.bool_):
            return self.texts("true" if value else "false")
        if isinstance(value, str):
            return self.texts("quote", text=self.texts.named("value", value) or text)
        missing = value is None or (pd.api.types.is_scalar(value) and pd.isna(value))
        return self.texts("missing") if missing else text

    def _decimal(self, text: str) -> str:
        return text.replace(".", self.texts("decimal"))

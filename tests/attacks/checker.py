"""What every answer must keep, checked with plain Python on the decoded cells and nothing of the library's code."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd

from .border_values import BorderValues, ColumnRule
from .plain_cells import DAY, Cells, Moment, cells_of, plain
from .random_constraints import Rule


@dataclass(frozen=True, eq=False)
class Asked:
    """A call and what it was about."""

    training: Mapping[Any, Cells]
    invented: Mapping[Any, Cells]  # of columns whose codes stand for values that training need not have
    orders: Mapping[Any, Sequence[Any]]  # of columns whose order is not that of numbers or dates
    rows: pd.DataFrame
    rules: Sequence[Rule]
    row_rules: Mapping[Any, Sequence[Rule]]
    targets: Sequence[int]  # per row, as the number of a class
    model: Callable[[pd.DataFrame], np.ndarray]
    minimal: bool
    choosing: bool  # whether answers were chosen (valid, all different) or are samples as drawn

    def rules_of(self, row: int) -> list[Rule]:
        return [*self.rules, *self.row_rules.get(self.rows.index[row], ())]


def breaches(asked: Asked, answers: pd.DataFrame, row: np.ndarray, changed: np.ndarray) -> list[str]:
    """What is wrong with the answers, in words; nothing if all is well."""
    check = _Check(asked, answers, row.tolist(), changed)
    found = [*check.dtypes(), *check.cells(), *check.rules()]
    if asked.choosing:
        found += [*check.validity(), *check.doubles()]
        found += check.superfluous() if asked.minimal else []
    return found


class _Check:
    def __init__(self, asked: Asked, answers: pd.DataFrame, row: list[int], changed: np.ndarray) -> None:
        self.asked, self.answers, self.row = asked, answers, row
        self.changed = dict(zip(asked.rows.columns, changed.T.tolist(), strict=True))
        self.before, self.after = cells_of(asked.rows), cells_of(answers)

    def dtypes(self) -> Iterator[str]:
        if list(self.answers.columns) != list(self.asked.rows.columns):
            yield f"columns {list(self.answers.columns)} instead of {list(self.asked.rows.columns)}"
        for name in self.answers.columns:
            given, got = self.asked.rows[name].dtype, self.answers[name].dtype
            if not _same_type(given, got):
                yield f"column {name!r} came as {given} and returned as {got}"

    def cells(self) -> Iterator[str]:
        for name, after in self.after.items():
            seen = set(self.asked.training[name]) - {None}
            known = seen | set(self.asked.invented.get(name, ()))
            borders = BorderValues(seen, str(self.asked.rows[name].dtype))
            for number, (row, new, flag) in enumerate(zip(self.row, after, self.changed[name], strict=True)):
                old = self.before[name][row]
                if not flag and (type(old) is not type(new) or old != new):
                    yield f"answer {number} of row {row}: {name!r} is not marked as changed, but {old!r} became {new!r}"
                if flag and (old == new or new is None):
                    yield f"answer {number} of row {row}: {name!r} is marked as changed from {old!r} to {new!r}"
                if flag and new not in known and not borders.holds(new, old, self.numeric_rules(name, row)):
                    yield f"answer {number} of row {row}: {name!r} became {new!r}, which training never had"

    def numeric_rules(self, name: Any, row: int) -> list[ColumnRule]:
        """The rules of a row that set borders to numbers or dates of a column."""
        if name in self.asked.orders:
            return []
        rules = [(kind.__name__, given) for kind, given in self.asked.rules_of(row)]
        return [(kind, given[1:]) for kind, given in rules if kind in {"Range", "MaxStep"} and given[0] == name]

    def rules(self) -> Iterator[str]:
        for number, row in enumerate(self.row):
            for rule in self.asked.rules_of(row):
                if not self.holds(rule, row, lambda name, number=number: self.after[name][number]):
                    yield f"answer {number} of row {row} breaks {rule[0].__name__}{rule[1]!r}"

    def holds(self, rule: Rule, row: int, after: Callable[[Any], Any]) -> bool:
        kind, given = rule[0].__name__, rule[1]
        if kind in {"MaxChanges", "Mutable"}:
            moved = [name for name in self.before if after(name) != self.before[name][row]]
            return len(moved) <= given[0] if kind == "MaxChanges" else set(moved) <= set(given)
        names = given if kind in {"Immutable", "Increasing", "Decreasing"} else given[:1]
        return all(self.holds_of_cell(kind, given[1:], name, self.before[name][row], after(name)) for name in names)

    def holds_of_cell(self, kind: str, given: tuple[Any, ...], name: Any, old: Any, new: Any) -> bool:
        if old == new and kind in {"Immutable", "Increasing", "Decreasing", "MaxStep"}:
            return True
        if new is None:
            return old is None
        if kind in {"Range", "OneOf", "NotOneOf"}:
            return self.permits(kind, given, name, new)
        if kind == "Immutable" or old is None or self.size(name, old) is None:
            return False  # nothing is known to be above, below or near a missing or unknown value
        step = self.size(name, new) - self.size(name, old)
        if kind == "MaxStep":
            return abs(step) <= _amount(given[0]) * (1 + 1e-9)
        return step > 0 if kind == "Increasing" else step < 0

    def permits(self, kind: str, given: tuple[Any, ...], name: Any, new: Any) -> bool:
        if kind != "Range":
            return (new in [plain(value) for value in given[0]]) == (kind == "OneOf")
        (low, high), size = given, self.size(name, new)
        if size is None:
            return False
        above = low is None or size >= self.size(name, plain(low))
        return above and (high is None or size <= self.size(name, plain(high)))

    def size(self, name: Any, value: Any) -> Any:
        order = self.asked.orders.get(name)
        if order is not None:
            return order.index(value) if value in order else None
        return (
            value.number / DAY if isinstance(value, Moment) else float(value) if isinstance(value, Decimal) else value
        )

    def validity(self) -> Iterator[str]:
        for number, good in enumerate(self.hits(self.answers, self.row)):
            if not good:
                yield f"answer {number} of row {self.row[number]} is not of the target class when asked again"

    def hits(self, frame: pd.DataFrame, row: list[int]) -> list[bool]:
        if not len(frame):
            return []
        chances = self.asked.model(frame)
        target = np.asarray(self.asked.targets)[row]
        return (chances.argmax(axis=1) == target).tolist()

    def doubles(self) -> Iterator[str]:
        keys = [tuple(map(repr, cells)) for cells in zip(self.row, *self.after.values(), strict=True)]
        if len(set(keys)) < len(keys):
            yield f"{len(keys) - len(set(keys))} answers are doubles"

    def superfluous(self) -> Iterator[str]:
        """Changes without which the answer is of the target class too and keeps all rules."""
        names = list(self.after)
        flags = np.array([self.changed[name] for name in names]).T.reshape(len(self.row), len(names))
        answer, column = flags.nonzero()
        row = [self.row[number] for number in answer]
        undone = self.undone(answer, np.asarray(row, dtype=np.int64), column)
        for place, good in enumerate(self.hits(undone, row)):
            number, name = answer[place], names[column[place]]
            if good and self.keeps_rules_without(number, row[place], name):
                yield f"answer {number} of row {row[place]} does not need its change of {name!r}"

    def undone(self, answer: np.ndarray, row: np.ndarray, column: np.ndarray) -> pd.DataFrame:
        parts = {}
        for place, name in enumerate(self.after):
            both = pd.concat([self.answers[name], self.asked.rows[name]], ignore_index=True)
            take = np.where(column == place, len(self.answers) + row, answer)
            parts[name] = both.take(take).reset_index(drop=True)
        return pd.DataFrame(parts)

    def keeps_rules_without(self, number: int, row: int, undone: Any) -> bool:
        def after(name: Any) -> Any:
            return self.before[name][row] if name == undone else self.after[name][number]

        return all(self.holds(rule, row, after) for rule in self.asked.rules_of(row))


def _same_type(given: Any, got: Any) -> bool:
    """Whether it is the same type; one of categories may have got those of training besides."""
    if isinstance(given, pd.CategoricalDtype) and isinstance(got, pd.CategoricalDtype):
        return given.ordered == got.ordered and set(given.categories) <= set(got.categories)
    return given == got


def _amount(given: Any) -> float:
    return given / timedelta(days=1) if isinstance(given, timedelta) else given


def excluded(rules: Sequence[Rule], columns: Sequence[Any], values: Mapping[Any, Sequence[Any]]) -> bool:
    """Whether rules exclude each other in every row: one says the opposite, or they leave no value of a column."""
    for one, other in (("Immutable", "Mutable"), ("Increasing", "Decreasing")):
        named = [{name for kind, given in rules if kind.__name__ == which for name in given} for which in (one, other)]
        if named[0] & named[1]:
            return True
    return any(_none_left([rule for rule in rules if rule[1][0] == name], values[name]) for name in columns)


def _none_left(rules: Sequence[Rule], values: Sequence[Any]) -> bool:
    about = [(kind.__name__, given[1:]) for kind, given in rules if kind.__name__ in {"Range", "OneOf", "NotOneOf"}]
    return bool(about) and not any(
        all(_permits(kind, given, value, values) for kind, given in about) for value in values
    )


def _permits(kind: str, given: tuple[Any, ...], value: Any, values: Sequence[Any]) -> bool:
    if kind != "Range":
        return (value in [plain(one) for one in given[0]]) == (kind == "OneOf")
    low, high = (None if bound is None else values.index(plain(bound)) for bound in given)
    place = values.index(value)
    return (low is None or place >= low) and (high is None or place <= high)

"""What rules promise of answers, checked with plain Python on single cells and nothing of the library's code."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Size = Callable[[str, Any], Any]  # a cell as something that can be compared, None if it is missing


def broken(rules: Sequence[Any], before: Row, after: Row, changed: set[str], size: Size) -> Iterator[str]:
    """What is wrong with an answer, in words."""
    for rule in rules:
        if not keeps(rule, before, after, size):
            yield f"{rule!r} is broken"
    for name in before:
        if (
            name not in changed
            and not same(before[name], after[name])
            and not may_follow(rules, name, before, after, size)
        ):
            yield f"{name!r} became {after[name]!r} instead of {before[name]!r}, and nothing says so"
        if name in changed and same(before[name], after[name]):
            yield f"{name!r} is marked as changed and is not"
    computed = {rule.column for rule in rules if kind(rule) == "Derived"}
    if computed & changed:
        yield f"{computed & changed} is computed, but was edited"


def keeps(rule: Any, before: Row, after: Row, size: Size) -> bool:
    name = kind(rule)
    if name == "LessEqual":
        low, high = size(rule.low, after[rule.low]), size(rule.high, after[rule.high])
        if low is None or high is None:
            return True
        return low + rule.offset < high if rule.strict else low + rule.offset <= high
    if name == "OneHot":
        return sum(after[column] == 1 for column in rule.names) == 1
    if name == "Together":
        ways = [direction(column, before, after, size) for column in rule.names]
        return len(set(ways)) == 1 and ways[0] is not None
    if name == "IfThen":
        return not true(rule.condition, before, after, size) or true(rule.requirement, before, after, size)
    return computed_right(rule, before, after)


def computed_right(rule: Any, before: Row, after: Row) -> bool:
    if all(same(before[name], after[name]) for name in rule.from_):
        return same(before[rule.column], after[rule.column])
    wanted = rule.told(after)
    return same(wanted, after[rule.column]) or abs(wanted - after[rule.column]) <= 1e-6 * abs(wanted)


def may_follow(rules: Sequence[Any], name: str, before: Row, after: Row, size: Size) -> bool:
    """Whether a rule moves the cell: it is computed, one of a group, or sent where it had to go and no further."""
    for rule in rules:
        if (kind(rule) == "Derived" and rule.column == name) or (kind(rule) == "OneHot" and name in rule.names):
            return True
        if kind(rule) == "IfThen" and rule.as_ == "consequence" and rule.requirement.column == name:
            met = true(rule.requirement, before, {**after, name: before[name]}, size)
            return true(rule.condition, before, after, size) and not met
    return False


def true(condition: Any, before: Row, after: Row, size: Size) -> bool:
    name = kind(condition)
    if name == "AllOf":
        return true(condition.one, before, after, size) and true(condition.other, before, after, size)
    if name == "AnyOfThem":
        return true(condition.one, before, after, size) or true(condition.other, before, after, size)
    if name == "Opposite":
        return not true(condition.condition, before, after, size)
    return atom_true(name, condition, before, after, size)


def atom_true(name: str, condition: Any, before: Row, after: Row, size: Size) -> bool:
    column = condition.column
    if name in {"Changes", "Stays"}:
        return same(before[column], after[column]) == (name == "Stays")
    old, new = size(column, before[column]), size(column, after[column])
    if new is None:
        return False
    if name in {"Equals", "Above", "Below"}:
        value = size(column, condition.value)
        return {"Equals": new == value, "Above": new > value, "Below": new < value}[name]
    step = getattr(condition, "at_least", None)
    if old is None:
        return False
    if step is None:
        return new > old if name == "Rises" else new < old
    return new >= old + step if name == "RisesBy" else new <= old - step


def direction(column: str, before: Row, after: Row, size: Size) -> int | None:
    if same(before[column], after[column]):
        return 0
    old, new = size(column, before[column]), size(column, after[column])
    return None if old is None or new is None else (1 if new > old else -1)


def same(one: Any, other: Any) -> bool:
    return (one is None and other is None) or (one is not None and other is not None and one == other)


def kind(thing: Any) -> str:
    return "Derived" if hasattr(thing, "from_") else type(thing).__name__

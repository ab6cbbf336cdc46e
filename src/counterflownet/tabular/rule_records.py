"""Constraints and rules as plain mappings, for files: each has a key that says what kind it is."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any

import pandas as pd

from counterflownet.errors import ConstraintError, listed, unknown_name_text
from counterflownet.tabular import constraint as one_column
from counterflownet.tabular.condition_text import condition_of
from counterflownet.tabular.condition_wording import sentence_of
from counterflownet.tabular.derived import Derived, LookedUp
from counterflownet.tabular.frame import plain
from counterflownet.tabular.rule import Constraint, IfThen, LessEqual, OneHot, Together

Record = Mapping[str, Any]
OF_COLUMNS: dict[str, Callable[..., Constraint]] = {
    "immutable": one_column.Immutable,
    "mutable": one_column.Mutable,
    "increasing": one_column.Increasing,
    "decreasing": one_column.Decreasing,
    "together": Together,
    "one_hot": OneHot,
}
OF_ONE_COLUMN: dict[str, tuple[Callable[..., Constraint], tuple[str, ...]]] = {
    "range": (one_column.Range, ("low", "high")),
    "one_of": (one_column.OneOf, ("values",)),
    "not_one_of": (one_column.NotOneOf, ("values",)),
    "max_step": (one_column.MaxStep, ("amount",)),
}
OPTIONS: dict[str, tuple[str, ...]] = {
    "max_changes": (),
    "less_equal": ("strict", "offset"),
    "derived": ("from", "values"),
    "if": ("then", "consequence"),
    **dict.fromkeys(OF_COLUMNS, ()),
    **{kind: names for kind, (_, names) in OF_ONE_COLUMN.items()},
}


def record_of(rule: Any) -> dict[str, Any]:
    """The rule as a mapping of text, numbers and lists; an error if it holds a function."""
    for kind, of_columns in OF_COLUMNS.items():
        if type(rule) is of_columns:
            return {kind: list(rule.names)}
    for kind, (of_one, names) in OF_ONE_COLUMN.items():
        if type(rule) is of_one:
            said = {name: _plain(getattr(rule, name)) for name in names}
            return {kind: rule.column} | {name: value for name, value in said.items() if value is not None}
    return _joint_record(rule)


def _joint_record(rule: Any) -> dict[str, Any]:
    if isinstance(rule, one_column.MaxChanges):
        return {"max_changes": rule.count}
    if isinstance(rule, LessEqual):
        said = {"strict": rule.strict, "offset": _plain(rule.offset)}
        return {"less_equal": [rule.low, rule.high]} | {name: value for name, value in said.items() if value}
    if isinstance(rule, IfThen):
        applied = {"consequence": True} if rule.as_ == "consequence" else {}
        return {"if": sentence_of(rule.condition), "then": sentence_of(rule.requirement)} | applied
    if isinstance(rule, Derived) and isinstance(rule.by, LookedUp):
        pairs = [[_plain(key), _plain(value)] for key, value in rule.by.values.items()]
        return {"derived": rule.column, "from": rule.from_[0], "values": pairs}
    why = "it is computed by a function, which only your program has" if isinstance(rule, Derived) else "it is no rule"
    raise ConstraintError(
        f"{rule!r} cannot be written to a file: {why}. Objects such as LessEqual('a', 'b') or Derived.lookup(...) can."
    )


def rule_of(record: Any) -> Constraint:
    """The rule that a mapping describes; an error says what is wrong with it."""
    kind = _kind(record)
    try:
        if kind in OF_COLUMNS:
            return OF_COLUMNS[kind](*_list(record, kind))
        if kind in OF_ONE_COLUMN:
            of_one, names = OF_ONE_COLUMN[kind]
            return of_one(record[kind], **{name: record[name] for name in names if name in record})
        return JOINT[kind](record)
    except KeyError as error:
        raise ConstraintError(f"a rule of the kind {kind!r} lacks {error.args[0]!r}: {dict(record)!r}.") from error
    except TypeError as error:
        raise ConstraintError(
            f"a rule of the kind {kind!r} cannot be understood: {dict(record)!r} ({error})."
        ) from error


def _kind(record: Any) -> str:
    if not isinstance(record, Mapping):
        raise ConstraintError(f"a rule is a table such as {{less_equal = ['a', 'b']}}; got {record!r}.")
    kinds = [name for name in record if name in OPTIONS]
    if not kinds:
        first = next(iter(record), "")
        raise ConstraintError(unknown_name_text("kind of rule", first, OPTIONS, f"Found in: {dict(record)!r}."))
    kind = str(kinds[0])
    unknown = [name for name in record if name not in {kind, *OPTIONS[kind]}]
    if unknown:
        allowed = listed(OPTIONS[kind]) or "nothing"
        raise ConstraintError(
            f"a rule of the kind {kind!r} has {unknown[0]!r}; besides {kind!r} it may have {allowed}."
        )
    return kind


def _list(record: Record, name: str) -> list[Any]:
    if not isinstance(record[name], list):
        raise ConstraintError(f"{name!r} needs a list, such as {name} = ['a', 'b']; got {record[name]!r}.")
    return record[name]


def _derived(record: Record) -> Derived:
    pairs = _list(record, "values")
    if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise ConstraintError(f"the values of {record['derived']!r} are pairs such as ['HS-grad', 9]; got {pairs!r}.")
    values = {plain(source): value for source, value in pairs}
    return Derived(record["derived"], [record["from"]], LookedUp(record["from"], values))


def _less_equal(record: Record) -> LessEqual:
    low, high, *more = [*_list(record, "less_equal"), None, None][:3]
    if high is None or more != [None]:
        raise ConstraintError(f"less_equal needs two columns: less_equal = ['a', 'b']; got {record['less_equal']!r}.")
    return LessEqual(low, high, strict=bool(record.get("strict", False)), offset=record.get("offset", 0))


def _if_then(record: Record) -> IfThen:
    consequence = record.get("consequence", False)
    return IfThen(
        condition_of(record["if"]), condition_of(record["then"]), "consequence" if consequence else "requirement"
    )


JOINT: dict[str, Callable[[Record], Constraint]] = {
    "max_changes": lambda record: one_column.MaxChanges(record["max_changes"]),
    "less_equal": _less_equal,
    "derived": _derived,
    "if": _if_then,
}


def _plain(value: Any) -> Any:
    """A value as files hold it: dates as text, which the rules read, and steps of time in days."""
    value = plain(value)
    if isinstance(value, timedelta):
        return pd.Timedelta(value) / pd.Timedelta(days=1)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)) or hasattr(value, "tolist"):
        return [_plain(entry) for entry in value]
    return value

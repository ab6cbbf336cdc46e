"""Rules as a TOML file that a person can read, check and change."""

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from counterflownet.errors import ConstraintError
from counterflownet.files import write_atomically
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.rule_records import record_of, rule_of

HEAD = """\
# Rules that answers keep: `counterflownet explain ... --rules FILE`, or read_rules(FILE) in Python.
# Delete what you do not want; every [[rule]] stands for itself.
"""


def write_rules(path: str | Path, rules: Iterable[Any]) -> Path:
    """The path, after constraints, rules or suggestions were written to it as TOML.

    Args:
        path: Where to, such as ``rules.toml``.
        rules: Constraints and rules, or what :func:`suggest_rules` returned, whose sentences become comments.

    Returns:
        The path.
    """
    return write_atomically(path, rules_text(rules))


def rules_text(rules: Iterable[Any]) -> str:
    """The same as text."""
    return "\n".join([HEAD, *(_entry(rule) for rule in rules)])


def read_rules(path: str | Path) -> list[Constraint]:
    """The constraints and rules of a TOML file, to be given as ``constraints=``.

    Args:
        path: A file as :func:`write_rules` writes it.

    Returns:
        The rules, in the order of the file.
    """
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConstraintError(f"{str(path)!r} cannot be read as TOML: {error}.") from error
    unknown = [name for name in content if name != "rule"]
    records = content.get("rule", [])
    if unknown or not isinstance(records, list):
        raise ConstraintError(
            f"{str(path)!r} has {unknown[0] if unknown else 'rule'!r} outside of a rule; begin each with a line "
            "[[rule]], followed by a line such as less_equal = ['a', 'b']."
        )
    return [_read(record, number, path) for number, record in enumerate(records, start=1)]


def _read(record: Any, number: int, path: str | Path) -> Constraint:
    try:
        return rule_of(record)
    except ConstraintError as error:
        raise ConstraintError(f"rule {number} of {str(path)!r}: {error}") from error


def _entry(given: Any) -> str:
    rule, sentence = getattr(given, "rule", given), getattr(given, "sentence", "")
    comment = [f"# {line}" for line in sentence.splitlines()]
    return "\n".join([*comment, "[[rule]]", *_lines(record_of(rule))]) + "\n"


def _lines(record: dict[str, Any]) -> Iterator[str]:
    for name, value in record.items():
        if value and isinstance(value, list) and isinstance(value[0], list):  # what is looked up: a line for each
            yield "\n".join([f"{name} = [", *(f"  {_toml(pair)}," for pair in value), "]"])
        else:
            yield f"{name} = {_toml(value)}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return '"' + "".join(map(_sign, str(value))) + '"'


def _sign(sign: str) -> str:
    if sign in '"\\':
        return f"\\{sign}"
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"

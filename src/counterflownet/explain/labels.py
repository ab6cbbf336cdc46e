"""What columns, values and classes are called where people read them, and the units of numbers."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from counterflownet.errors import InvalidInputError, unknown_name

ENTRIES = ("label", "unit", "values", "separator")
PARTS = ("columns", "classes", "prediction")
BETWEEN_WORDS = re.compile(  # as in DaysLate, TotalSF, Times90Days and LoanIDNumber, but not in iPhone or HbA1c
    r"(?<=[^\W\dA-Z_]{2}|[A-Z][a-z])(?=[A-Z][a-z]|[A-Z]{2}|\d{2})|(?<=\d)(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[A-Z][a-z])"
)


@dataclass(frozen=True, slots=True)
class ColumnLabel:
    """How one column is told: its name (an article may be part of it), its unit, and the names of its values.

    ``separator`` says whether large numbers are written with thousands separators, which a post code is not.
    """

    label: str = ""
    unit: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    separator: bool = True


@dataclass(frozen=True, slots=True)
class Labels:
    """How columns and classes are told, by their names as text; what is not named is told as the table has it.

    ``prediction`` is what a regressor's number is called, and its unit.
    """

    columns: Mapping[str, ColumnLabel] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    prediction: ColumnLabel = ColumnLabel()

    @classmethod
    def of(cls, given: Any) -> "Labels":
        """The labels from what a user gives.

        Args:
            given: Labels, None, a mapping from column to its name (or to ``{"label": ..., "unit": ..., "values":
                {...}}``), a mapping with the parts ``columns``, ``classes`` and ``prediction``, or a TOML file with
                these parts.
        """
        if given is None:
            return cls()
        if isinstance(given, Labels):
            return given
        if isinstance(given, (str, Path)):
            return _of_parts(_read(Path(given)), repr(str(given)))
        if not isinstance(given, Mapping):
            raise InvalidInputError(f"labels must be a mapping or a TOML file; got {type(given).__name__}.")
        has_parts = bool(given) and set(given) <= set(PARTS) and all(isinstance(p, Mapping) for p in given.values())
        return _of_parts(given if has_parts else {"columns": given}, "labels")

    def column(self, name: Any) -> ColumnLabel:
        """What is known of a column."""
        return self.columns.get(str(name), ColumnLabel())

    def name_of(self, name: Any) -> str:
        """What a column is called: without a label its own name, with spaces between its words."""
        return self.column(name).label or _in_words(str(name))

    def class_of(self, label: Any) -> str:
        """What a class is called."""
        return self.classes.get(str(label), str(label))


def _in_words(name: str) -> str:
    """The name with its words apart, as in ``hire date`` for ``hire_date`` and ``HireDate``."""
    first, *others = BETWEEN_WORDS.split(name.replace("_", " "))
    return " ".join([first, *(word.lower() if word.istitle() else word for word in others)])


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInputError(f"the labels file {str(path)!r} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"the labels file {str(path)!r} cannot be read as TOML: {error}.") from error


def _of_parts(parts: Mapping[str, Any], what: str) -> Labels:
    for part in parts:
        if part not in PARTS:
            raise unknown_name(f"part of {what}", part, PARTS)
    columns = {str(name): _column(name, entry) for name, entry in parts.get("columns", {}).items()}
    classes = {str(name): str(text) for name, text in parts.get("classes", {}).items()}
    return Labels(columns, classes, _column("prediction", parts.get("prediction", {})))


def _column(name: Any, entry: Any) -> ColumnLabel:
    if isinstance(entry, (str, ColumnLabel)):
        return ColumnLabel(label=entry) if isinstance(entry, str) else entry
    if not isinstance(entry, Mapping):
        raise InvalidInputError(f"the label of column {name!r} must be text or a mapping; got {entry!r}.")
    for key in entry:
        if key not in ENTRIES:
            raise unknown_name(f"entry for column {name!r} in labels", key, ENTRIES)
    values = {str(value): str(text) for value, text in entry.get("values", {}).items()}
    return ColumnLabel(
        str(entry.get("label", "")), str(entry.get("unit", "")), values, bool(entry.get("separator", True))
    )

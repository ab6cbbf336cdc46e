"""Suggested rules: each with what speaks for it and the line of code that states it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import overload

from counterflownet._printable import printable
from counterflownet.errors import counted
from counterflownet.tabular.rule import Constraint


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A rule that all rows keep, how many of them speak for it, and why it is suggested.

    ``support`` is 0 for what only the name of a column says.
    """

    rule: Constraint
    support: int
    sentence: str

    @property
    def code(self) -> str:
        """The line of code that states the rule."""
        return repr(self.rule)

    def __repr__(self) -> str:
        return f"{printable(self.code)}  # {printable(self.sentence)}"


@dataclass(frozen=True, repr=False)
class Suggestions(Sequence[Suggestion]):
    """What :func:`suggest_rules` found: a sequence that shows itself as code to paste."""

    found: tuple[Suggestion, ...]
    row_count: int
    compared: int
    column_count: int

    @property
    def rules(self) -> list[Constraint]:
        """The rules themselves, to be given as ``constraints=``."""
        return [suggestion.rule for suggestion in self.found]

    @overload
    def __getitem__(self, place: int) -> Suggestion: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Suggestion, ...]: ...
    def __getitem__(self, place: int | slice) -> Suggestion | tuple[Suggestion, ...]:
        return self.found[place]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.found)

    @property
    def heading(self) -> str:
        """How many rules there are, and what they were looked for in."""
        count = counted(len(self), "rule") if self.found else "no rules"
        searched = f"{self.row_count:,} rows of {counted(self.column_count, 'column')}"
        part = f" (only the first {self.compared} columns were compared)" if self.compared < self.column_count else ""
        return f"{count} suggested by {searched}{part}"

    def __repr__(self) -> str:
        if not self.found:
            return f"[]  # {self.heading}"
        lines = [f"    # {printable(one.sentence)}\n    {printable(one.code)}," for one in self.found]
        return "\n".join([f"[  # {self.heading}", *lines, "]"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td style='text-align:left'><code>{escape(printable(one.code))}</code></td>"
            f"<td style='text-align:left'>{escape(printable(one.sentence))}</td>"
            f"<td>{f'{one.support:,}' if one.support else 'by its name'}</td></tr>"
            for one in self.found
        )
        head = "<thead><tr><th>rule</th><th>why</th><th>rows</th></tr></thead>"
        return f"<p>{escape(self.heading)}</p><table>{head}<tbody>{rows}</tbody></table>"

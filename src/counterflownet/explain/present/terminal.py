"""An explanation in the terminal: coloured where a person looks at it, plain text everywhere else."""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from counterflownet._printable import printable
from counterflownet.explain.present import wording

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

MOST_ROWS = 5
MOST_COUNTERFACTUALS = 5
WIDTHS = (40, 120)  # narrower cannot be read in columns, wider tears the reward away from its changes
BESIDE_CHANGES = 24  # room for the rank before the changes and the reward behind them
NOT_VALID = ", not valid"


def terminal_text(explanation: "Explanation") -> str:
    """The explanation's first rows and counterfactuals, and how many were left out."""
    written = StringIO()
    console = _console(written, coloured=_wants_colour())
    beside = BESIDE_CHANGES + (0 if explanation.valid.all() else len(NOT_VALID))
    for part in _parts(explanation, console.width - beside):
        console.print(part, highlight=False)
    return _encodable("\n".join(line.rstrip() for line in written.getvalue().split("\n")).rstrip("\n"))


def _parts(explanation: "Explanation", room: int) -> Iterator[RenderableType]:
    yield Text.assemble(("Explanation", "bold"), ": ", wording.summary_text(explanation))
    counts = wording.outcome_counts(explanation)
    if set(counts) - {"complete"}:
        yield Text("outcomes: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    rows = explanation.numbers_by_row(MOST_ROWS)
    packed = {
        number: _packed(_changes(explanation, number), room)
        for numbers_of_row in rows
        for number in numbers_of_row[:MOST_COUNTERFACTUALS].tolist()
    }
    wide = min(room, max((cell_len(line.plain) for lines in packed.values() for line in lines), default=0))
    for position, numbers_of_row in enumerate(rows):
        yield _heading(explanation, position)
        yield _counterfactuals(explanation, numbers_of_row[:MOST_COUNTERFACTUALS], packed, wide)
        yield from _remarks(explanation, position, numbers_of_row)
    if len(explanation.factuals) > len(rows):
        left_out = wording.counted(len(explanation.factuals) - len(rows), "more row")
        yield Text(f"... and {left_out} (to_frame() has all counterfactuals)", style="dim")


def _heading(explanation: "Explanation", position: int) -> Text:
    return Text.assemble(
        (f"row {wording.value_text(explanation.factuals.index[position])}", "bold"),
        f": predicted {wording.class_text(explanation.predicted[position])}, wanted ",
        (wording.class_text(explanation.targets[position]), "bold"),
    )


def _counterfactuals(
    explanation: "Explanation", numbers: NDArray[np.int64], packed: dict[int, list[Text]], wide: int
) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", width=4)
    grid.add_column(width=wide, overflow="fold")
    grid.add_column(no_wrap=True)
    for number in numbers.tolist():
        reward = f"reward {wording.score_text(float(explanation.reward[number]))}"
        verdict = "" if explanation.valid[number] else NOT_VALID
        rank = Text(f"{explanation.rank[number]}.", style="dim")
        grid.add_row(rank, Text("\n").join(packed[number]), Text(reward + verdict, style="dim"))
    return grid


def _remarks(explanation: "Explanation", position: int, numbers_of_row: NDArray[np.int64]) -> Iterator[Padding]:
    if len(numbers_of_row) > MOST_COUNTERFACTUALS:
        left_out = wording.counted(len(numbers_of_row) - MOST_COUNTERFACTUALS, "more counterfactual")
        yield Padding(Text(f"... and {left_out} (to_frame() has all)", style="dim"), (0, 0, 0, 2))
    if not explanation.outcomes[position].complete:
        yield Padding(Text(printable(explanation.outcomes[position].reason), style="yellow"), (0, 0, 0, 2))


def _changes(explanation: "Explanation", number: int) -> list[Text]:
    changes = []
    for column, old_value, new_value in explanation.changes(number):
        old, new = wording.change_texts(old_value, new_value)
        changes.append(Text.assemble((wording.value_text(column), "cyan"), f": {old} -> ", (new, "bold green")))
    return changes or [Text("no change")]


def _packed(changes: Sequence[Text], room: int) -> list[Text]:
    """Lines of whole changes: a change moves to the next line rather than being torn apart."""
    lines = [changes[0]]
    for change in changes[1:]:
        joined = Text("; ").join([lines[-1], change])
        if cell_len(joined.plain) < room:  # one place is kept for the semicolon at the line's end
            lines[-1] = joined
        else:
            lines[-1] = lines[-1] + Text(";")
            lines.append(change)
    return lines


def _console(file: StringIO, *, coloured: bool) -> Console:
    narrowest, widest = WIDTHS
    return Console(
        file=file,
        width=max(narrowest, min(shutil.get_terminal_size((100, 24)).columns, widest)),
        force_terminal=coloured,
        force_jupyter=False,
        color_system="standard" if coloured else None,  # the sixteen colours follow the reader's own theme
        no_color=not coloured,
        legacy_windows=False,
    )


def _wants_colour() -> bool:
    # A program without a console (pythonw, a service) has no stdout at all.
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _encodable(text: str) -> str:
    # A repr that cannot be printed is worse than one with escapes in it.
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)

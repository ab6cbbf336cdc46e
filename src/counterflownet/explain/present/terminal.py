"""An explanation in the terminal: coloured where a person looks at it, plain text everywhere else."""

import os
import shutil
import sys
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from counterflownet._printable import printable
from counterflownet.errors import counted
from counterflownet.explain.present import wording
from counterflownet.explain.present.terminal_table import tables

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

MOST_ROWS = 5
MOST_COUNTERFACTUALS = 5
WIDTHS = (40, 120)  # narrower cannot be read in columns, wider tears the reward away from its changes


def terminal_text(explanation: "Explanation") -> str:
    """The explanation's first rows and counterfactuals, and how many were left out."""
    written = StringIO()
    console = _console(written, coloured=_wants_colour())
    for part in _parts(explanation, console.width):
        console.print(part, highlight=False)
    return _encodable("\n".join(line.rstrip() for line in written.getvalue().split("\n")).rstrip("\n"))


def _parts(explanation: "Explanation", width: int) -> Iterator[RenderableType]:
    yield Text.assemble(("Explanation", "bold"), ": ", wording.summary_text(explanation))
    counts = wording.outcome_counts(explanation)
    if set(counts) - {"complete"}:
        yield Text("outcomes: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    if explanation.note:
        yield Text(f"note: {explanation.note}", style="yellow")
    if explanation.oddities:
        yield Text(wording.oddities_text(explanation), style="yellow")
    rows = explanation.numbers_by_row(MOST_ROWS)
    shown = tables(explanation, [numbers_of_row[:MOST_COUNTERFACTUALS] for numbers_of_row in rows], width)
    for position, numbers_of_row in enumerate(rows):
        yield _heading(explanation, position)
        yield shown[position]
        yield from _remarks(explanation, position, numbers_of_row)
    if len(explanation.factuals) > len(rows):
        left_out = counted(len(explanation.factuals) - len(rows), "more row")
        yield Text(f"... and {left_out} (to_frame() has all counterfactuals)", style="dim")


def _heading(explanation: "Explanation", position: int) -> Text:
    return Text.assemble(
        (f"row {wording.value_text(explanation.factuals.index[position])}", "bold"),
        f": predicted {wording.predicted_text(explanation, position)}, wanted ",
        (wording.wanted_text(explanation, position), "bold"),
        wording.before_text(explanation, position),
    )


def _remarks(explanation: "Explanation", position: int, numbers_of_row: NDArray[np.int64]) -> Iterator[Padding]:
    if len(numbers_of_row) > MOST_COUNTERFACTUALS:
        left_out = counted(len(numbers_of_row) - MOST_COUNTERFACTUALS, "more counterfactual")
        yield Padding(Text(f"... and {left_out} (to_frame() has all)", style="dim"), (0, 0, 0, 2))
    if not explanation.outcomes[position].complete:
        yield Padding(Text(printable(explanation.outcomes[position].reason), style="yellow"), (0, 0, 0, 2))


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

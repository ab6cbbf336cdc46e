"""The counterfactuals of some rows as tables for the terminal: changes, probability and reward, all in one width."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from counterflownet.explain.present import wording
from counterflownet.explain.present.grouping import by_strategy

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation

RANK, GAP = 4, 2  # the width of a rank, and of what is left free between two columns
NARROWEST = 8  # the width of the changes in a terminal that has no room
VARIATION = "~ "  # before what changes the same columns in the same directions as an answer above it


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """What is told of one counterfactual."""

    rank: int
    variation: bool
    changes: list[Text]
    probability: str
    score: str

    @classmethod
    def of(cls, explanation: "Explanation", number: int, *, variation: bool) -> "Line":
        verdict = "" if explanation.valid[number] else ", not valid"
        return cls(
            rank=int(explanation.rank[number]),
            variation=variation,
            changes=_changes(explanation, number),
            probability=wording.told_of(explanation, explanation.probability[number], int(explanation.row[number])),
            score=f"reward {wording.score_text(float(explanation.reward[number]))}{verdict}",
        )

    def packed(self, room: int) -> list[Text]:
        """Lines of whole changes: a change moves to the next line rather than being torn apart."""
        lines = [Text.assemble((VARIATION if self.variation else "", "dim"), self.changes[0])]
        for change in self.changes[1:]:
            joined = Text("; ").join([lines[-1], change])
            if cell_len(joined.plain) < room:  # one place is kept for the semicolon at the line's end
                lines[-1] = joined
            else:
                lines[-1] = lines[-1] + Text(";")
                lines.append(Text.assemble(" " * len(VARIATION) if self.variation else "", change))
        return lines


def tables(explanation: "Explanation", rows: Sequence[NDArray[np.int64]], width: int) -> list[Table]:
    """A table for the counterfactuals of each row; their columns stand under each other."""
    lines = [[Line.of(explanation, n, variation=again) for n, again in by_strategy(explanation, row)] for row in rows]
    every = [line for lines_of_row in lines for line in lines_of_row]
    score, likely = (max((len(getattr(x, name)) for x in every), default=0) for name in ("score", "probability"))
    room = max(width - RANK - likely - score - 3 * GAP, NARROWEST)
    packed = {line: line.packed(room) for line in every}
    widest = max((cell_len(text.plain) for texts in packed.values() for text in texts), default=0)
    return [_table([(x, packed[x]) for x in of_row], wide=min(room, widest), likely=likely) for of_row in lines]


def _table(lines: Sequence[tuple[Line, list[Text]]], *, wide: int, likely: int) -> Table:
    grid = Table.grid(padding=(0, GAP, 0, 0))
    grid.add_column(justify="right", width=RANK)
    grid.add_column(width=wide, overflow="fold")
    grid.add_column(justify="right", width=likely, no_wrap=True)
    grid.add_column(no_wrap=True)
    for line, changes in lines:
        rank = Text(f"{line.rank}.", style="dim")
        grid.add_row(rank, Text("\n").join(changes), Text(line.probability), Text(line.score, style="dim"))
    return grid


def _changes(explanation: "Explanation", number: int) -> list[Text]:
    """The changes, then what follows from them, which nobody has to do."""
    changes = []
    for column, old_value, new_value in explanation.changes(number):
        old, new = wording.told_change(old_value, new_value)
        changes.append(Text.assemble((wording.value_text(column), "cyan"), f": {old} -> ", (new, "bold green")))
    for column, old_value, new_value in explanation.followed(number):
        old, new = wording.told_change(old_value, new_value)
        changes.append(Text(f"follows: {wording.value_text(column)}: {old} -> {new}", style="dim"))
    return changes or [Text("no change")]

"""What an answer may change, read by the study itself on decoded rows, and as constraints for the library."""

from dataclasses import dataclass

import numpy as np

from counterflownet import Constraint, Immutable, Increasing, MaxChanges
from counterflownet_bench.studies.answers_space import Coordinates, Flags, TableSpace, changed_cells


@dataclass(frozen=True, slots=True)
class Rules:
    """Columns that stay, columns that may only rise, and how many may change. None of these requires a change."""

    immutable: tuple[str, ...] = ()
    increasing: tuple[str, ...] = ()
    most_changes: int | None = None

    def constraints(self) -> list[Constraint]:
        found: list[Constraint] = []
        if self.immutable:
            found.append(Immutable(*self.immutable))
        if self.increasing:
            found.append(Increasing(*self.increasing))
        if self.most_changes is not None:
            found.append(MaxChanges(self.most_changes))
        return found

    def most(self, space: TableSpace) -> int:
        """How many columns may change at once."""
        return len(space.columns) if self.most_changes is None else self.most_changes

    def cells_allowed(self, space: TableSpace, before: Coordinates, after: Coordinates) -> Flags:
        """Which cells stay or may become what they are."""
        stays = ~changed_cells(before, after)
        immutable = np.isin(space.names, self.immutable)
        falls = np.isin(space.names, self.increasing) & ~(after > before)
        return stays | ~(immutable | falls)

    def allowed(self, space: TableSpace, before: Coordinates, after: Coordinates) -> Flags:
        """Which rows keep every rule."""
        few = changed_cells(before, after).sum(axis=1) <= self.most(space)
        return self.cells_allowed(space, before, after).all(axis=1) & few

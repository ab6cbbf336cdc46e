"""Does a row have an answer at all? A long random search, for rows without an answer of one or two changes."""

from dataclasses import dataclass

import numpy as np

from counterflownet_bench.studies.answers_judge import Judge
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_space import Coordinates, Flags

DRAWS = 20_000
FEW = 5


@dataclass(frozen=True, eq=False)
class RandomSearch:
    """Half of the draws change up to FEW columns, the others any number.

    Half take values of the grids, each as likely as any other, and half those of a training row (of ``donors``) that
    has the class that is wanted: where all columns may change, such a row is an answer itself.
    """

    judge: Judge
    rules: Rules
    donors: Coordinates

    def finds(self, own: Coordinates, generator: np.random.Generator, draws: int = DRAWS) -> bool:
        """Whether any draw is valid; all of them keep the rules."""
        values = self._values(generator, draws)
        open_cells = self.rules.cells_allowed(self.judge.space, own[None], values) & (values != own)
        states = np.where(self._drawn(open_cells, generator), values, own)
        return bool(self.judge.valid(states).any())

    def _values(self, generator: np.random.Generator, draws: int) -> Coordinates:
        grids = [generator.choice(column.grid(), size=draws) for column in self.judge.space.columns]
        values = np.column_stack(grids)
        if len(self.donors):
            half = draws // 2
            values[:half] = generator.choice(self.donors, size=half)
        return values

    def _drawn(self, open_cells: Flags, generator: np.random.Generator) -> Flags:
        """Which of the open cells change: as many as drawn, each as likely as any other."""
        most, draws = self.rules.most(self.judge.space), len(open_cells)
        limit = np.where(np.arange(draws) % 2, most, min(FEW, most))
        count = generator.integers(1, limit + 1)
        turn = np.where(open_cells, generator.random(open_cells.shape), np.inf).argsort(axis=1).argsort(axis=1)
        return open_cells & (turn < count[:, None])

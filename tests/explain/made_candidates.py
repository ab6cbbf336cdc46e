"""Candidates with the leads one wants, on a small table of categories."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from counterflownet._states import States
from counterflownet.reward.candidates import Candidates
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.schema import Schema

FEATURES = 6
TABLE = pd.DataFrame({f"c{d}": ["a", "b", "c"] for d in range(FEATURES)})
FACTUALS = Factuals(Schema.infer(TABLE), TABLE.iloc[[0, 0]].reset_index(drop=True))


def asking(lead_of: Callable[[int, tuple[int, ...]], float]) -> Callable[[States], Candidates]:
    """How a search asks, if the target leads by this much in a state of a row with these codes."""

    def ask(states: States) -> Candidates:
        pairs = zip(states.row.tolist(), states.codes.tolist(), strict=True)
        lead = np.tanh(np.array([lead_of(row, tuple(codes)) for row, codes in pairs], dtype=float))
        probabilities = np.column_stack([(1 - lead) / 2, (1 + lead) / 2])
        target = np.ones(len(states), dtype=np.int64)
        return Candidates(FACTUALS, states, target, FACTUALS.codec.decode(states), probabilities)

    return ask


def rows_of(states: States) -> Sequence[tuple[int, ...]]:
    """Row and codes of each state."""
    return [(row, *codes) for row, codes in zip(states.row.tolist(), states.codes.tolist(), strict=True)]

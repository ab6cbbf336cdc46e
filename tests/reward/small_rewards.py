"""A table, a classifier and candidates small enough to compute rewards by hand."""

import numpy as np
import pandas as pd

from counterflownet._states import States
from counterflownet.reward.candidates import Candidates
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.schema import Schema
from made_states import states

X = pd.DataFrame({"age": [20, 30, 60], "income": [0.5, 1.5, 2.5], "job": ["cook", "nurse", "pilot"]})
SCHEMA = Schema.infer(X)
EVERYTHING = np.ones((1, 3), dtype=bool)


class Stub:
    """A classifier that says what it was told to, and remembers the rows it was asked about."""

    classes = ("no", "yes")

    def __init__(self, *probabilities: list[float]) -> None:
        self.answer = np.array(probabilities)
        self.asked: list[pd.DataFrame] = []

    def probabilities(self, rows: pd.DataFrame) -> np.ndarray:
        self.asked.append(rows.copy())
        return np.broadcast_to(self.answer, (len(rows), self.answer.shape[1])).copy()


def factuals(rows: pd.DataFrame = X) -> Factuals:
    return Factuals(SCHEMA, rows, scale="range")  # whose distances are easy to compute by hand


def edits(*codes: list[int | None]) -> States:
    """Edits of the first row; None leaves a column alone."""
    changed = np.array([[code is not None for code in state] for state in codes])
    filled = np.array([[0 if code is None else code for code in state] for state in codes])
    return states(np.zeros(len(codes)), filled, changed)


def candidates(
    *codes: list[int | None],
    probabilities=((0.3, 0.7),),
    target: int = 1,
    rows: pd.DataFrame = X,
    confidence: float | None = None,
) -> Candidates:
    given, edited = factuals(rows), edits(*codes)
    table = np.broadcast_to(np.array(probabilities), (len(codes), len(probabilities[0])))
    targets = np.full(len(codes), target)
    return Candidates(given, edited, targets, given.codec.decode(edited), table, confidence)

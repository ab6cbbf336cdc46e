"""The classifier of the demo: a scorecard, as banks have used for decades, read from a table of points."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scorecard:
    """Points for every value, added up: of words by what they are, of numbers along a line through some ``knots``."""

    classes_: tuple[str, str]
    start: float
    words: Mapping[str, Mapping[Any, float]]
    knots: Mapping[str, tuple[list[float], list[float]]]

    @classmethod
    def read(cls, path: Path) -> "Scorecard":
        """The scorecard of a JSON file."""
        data = json.loads(path.read_text(encoding="utf-8"))
        words = {name: {_value(text): points for text, points in by.items()} for name, by in data["words"].items()}
        knots = {name: (at, points) for name, (at, points) in data["knots"].items()}
        return cls(tuple(data["classes"]), data["start"], words, knots)

    def predict_proba(self, rows: pd.DataFrame) -> Points:
        """The probability of each class; a value that the card does not know, or a missing one, brings no points."""
        total = np.full(len(rows), self.start)
        for name, points in self.words.items():
            total += [points.get(value, 0.0) for value in rows[name].tolist()]  # for few rows quicker than a lookup
        for name, (at, height) in self.knots.items():
            total += np.nan_to_num(np.interp(rows[name].to_numpy(dtype=float, na_value=np.nan), at, height))
        good = 1.0 / (1.0 + np.exp(-total))
        return np.column_stack([1.0 - good, good])

    def predict(self, rows: pd.DataFrame) -> NDArray[np.object_]:
        """The more probable class of each row."""
        return np.array(self.classes_, dtype=object)[self.predict_proba(rows).argmax(axis=1)]


def _value(text: str) -> Any:
    """A value as the table holds it: JSON's keys are text."""
    return {"true": True, "false": False}.get(text, text)

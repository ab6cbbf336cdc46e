"""Answers as people read them: each change in a few words."""

from typing import Any

import numpy as np
import pandas as pd

from counterflownet_bench.studies.answers_checks import GivenAnswers
from counterflownet_bench.studies.examples_page import shown_value

ROWS = 4


def examples(given: GivenAnswers, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """The answers of the first rows, each in one line."""
    after = given.judge.space.frame(given.after)
    return [
        {
            "row": int(place),
            "answers": [changes(rows.iloc[place], after.iloc[number]) for number in np.flatnonzero(given.row == place)],
        }
        for place in range(min(ROWS, len(rows)))
    ]


def changes(before: pd.Series, after: pd.Series) -> str:
    """Old and new value of each column that changes."""
    moved = [name for name in before.index if before[name] != after[name]]
    return "; ".join(f"{name} {_text(before[name])} -> {_text(after[name])}" for name in moved)


def _text(value: Any) -> str:
    return shown_value(value.item() if isinstance(value, np.generic) else value)

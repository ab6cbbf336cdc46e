"""A small table with relations between its columns, and rows of it under rules."""

import numpy as np
import pandas as pd
import torch

from counterflownet import Schema
from counterflownet._states import States, unedited
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.prepared import compiled, prepared

GRADES = ["low", "mid", "top"]
TABLE = pd.DataFrame(
    {
        "age": [20, 30, 40, 50, 60, 25],
        "grade": pd.Categorical(["low", "mid", "top", "low", "mid", "top"], categories=GRADES, ordered=True),
        "rank": [1, 2, 3, 1, 2, 3],
        "paid": [1, 2, 3, 4, 5, 2],
        "owed": [2, 3, 4, 5, 6, 6],
        "red": [1, 0, 0, 1, 0, 0],
        "green": [0, 1, 0, 0, 1, 0],
        "blue": [0, 0, 1, 0, 0, 1],
    }
)
SCHEMA = Schema.infer(TABLE)


class Ruled:
    """Rows under constraints and rules, as a search sees them."""

    def __init__(self, rows, constraints, by_label=None):
        self.checked = CheckedConstraints.of(SCHEMA, constraints, by_label, rows.index)
        self.codec = prepared(self.checked, SCHEMA, rows).codec
        self.allowance = compiled(self.checked, self.codec)
        self.allowed = self.allowance.allowed

    def state(self, row=0, **values):
        """The row with these columns edited to the codes of these values."""
        states = unedited(torch.from_numpy(self.codec.codes), torch.tensor([row]))
        for name, value in values.items():
            d = SCHEMA.position(name)
            states.codes[0, d] = SCHEMA.features[d].code_of_value(value)
            states.edited[0, d] = True
        return states

    def decoded(self, row=0, **values):
        return self.codec.decode(self.state(row, **values)).iloc[0]

    def offered(self, states: States) -> dict:
        """The values that may be set next, by column."""
        codes = self.allowed.joint.moves(self.allowed, states).codes[0].numpy()
        found = {
            feature.name: [feature.values[code] for code in np.flatnonzero(codes[SCHEMA.space.span(d)])]
            for d, feature in enumerate(SCHEMA)
        }
        return {name: values for name, values in found.items() if values}

    def may_stop(self, states: States) -> bool:
        return bool(self.allowed.joint.moves(self.allowed, states).stop[0])

"""Small tables with a classifier that is a function of decoded rows: states by value, an oracle that keeps count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from counterflownet import Constraint, Schema
from counterflownet._states import States
from counterflownet.explain.oracle import Oracle
from counterflownet.explain.proposals import Proposals
from counterflownet.explain.tightening import Tightening
from counterflownet.explain.tracks import Ground
from counterflownet.reward.candidates import Candidates
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.borders import borders_of
from counterflownet.tabular.factuals import Factuals

Probability = Callable[[pd.DataFrame], Any]  # of the target, for each row


@dataclass(eq=False)
class Made:
    """Rows of a table, what constraints leave of them, and a classifier whose every question is remembered."""

    rows: pd.DataFrame
    train: pd.DataFrame
    probability: Probability
    constraints: Sequence[Constraint] = ()
    confidence: float | None = None
    asked: list[pd.DataFrame] = field(default_factory=list)

    def __post_init__(self) -> None:
        amounts = self.train.select_dtypes("integer").columns  # though they look like numbers of rows
        schema = Schema.infer(self.train, kinds=dict.fromkeys(amounts, "integer"))
        checked = CheckedConstraints.of(schema, list(self.constraints))
        book = checked.book(schema, self.rows.index)
        self.table = Factuals(schema, self.rows, borders=borders_of(checked, schema, self.rows), book=book)
        self.allowance: Allowance = checked.compiled(self.table.codec)
        self.ground = Ground(self.table, self.allowance.ways, self.allowance.allowed.required.numpy())
        self.oracle = Oracle(self.ask)

    def ask(self, states: States) -> Candidates:
        rows = self.table.codec.decode(states)
        self.asked.append(rows)
        likely = np.asarray(self.probability(rows), dtype=float)
        target = np.ones(len(states), dtype=np.int64)
        return Candidates(self.table, states, target, rows, np.column_stack([1 - likely, likely]), self.confidence)

    @property
    def proposals(self) -> Proposals:
        return Proposals(self.ground, self.allowance.allowed)

    def tightened(self, *states: States, **how: Any) -> pd.DataFrame:
        """The rows that tightening makes of the states, with the number of their factual as index."""
        found = Tightening(self.ground, self.oracle, **how).tightened(States.joined(list(states)))
        return self.decoded(found)

    def decoded(self, states: States) -> pd.DataFrame:
        return self.table.codec.decode(states).set_axis(states.row.tolist(), axis=0)

    def state(self, values: Mapping[str, Any], row: int = 0) -> States:
        """The row with some values replaced: by places of the table, wherever they are."""
        codes = self.table.codec.codes[[row]].copy()
        edited = np.zeros(codes.shape, dtype=np.bool_)
        for name, value in values.items():
            d = self.table.codec.schema.position(name)
            codes[0, d], edited[0, d] = self._place(d, value), True
        return States.of_arrays(np.array([row]), codes, edited)

    def _place(self, d: int, value: Any) -> int:
        feature = self.table.codec.schema.features[d]
        if not feature.numeric:
            return int(feature.code_of_value(value))
        (number,) = feature.numbers(pd.Series([value]))
        at = np.flatnonzero(feature.steps.number == number)
        return int(feature.steps.place[at[0]])

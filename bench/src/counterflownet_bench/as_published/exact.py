"""Samples in exact proportion to the paper's reward, where the rows that can be reached can be counted.

It is what the paper's method would be if training left nothing to be desired, so a reading can be held against the
printed numbers without asking how long to train.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet.seeds import numpy_generator
from counterflownet.tabular import States
from counterflownet_bench.as_published.reward import PublishedReward
from counterflownet_bench.as_published.table import Table
from counterflownet_bench.baselines.method import Given, Task, class_numbers
from counterflownet_bench.metrics import without_copies

MOST = 100_000  # states of one row


@dataclass(frozen=True, slots=True, eq=False)
class FittedExactly:
    """Nothing was learned: every state of a row is looked at when the row is asked about."""

    task: Task
    reward: PublishedReward

    @property
    def training(self) -> Mapping[str, Any]:
        return {"steps": 0, "ended": "exact"}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:
        """K independent samples of each row; if selected, those that are valid, each once, the best first."""
        wanted = class_numbers(self.task.classifier.classes, targets)
        ordered = rows[list(self.task.schema.names)].reset_index(drop=True)
        table = Table.of(self.task, ordered, reassign=self.reward.reading.reassign)
        found, row = [], []
        for number, target in enumerate(wanted.tolist()):
            sampled = self._samples(table, number, target, count, selected=selection != "raw")
            kept = without_copies(ordered, sampled, np.full(len(sampled), number))
            found.append(sampled.take(kept))
            row.append(np.full(len(kept), number))
        every = pd.concat(found, ignore_index=True)[list(self.task.train.columns)]
        return Given.of_rows(every, np.concatenate(row), row_count=len(rows), count=count)

    def _samples(self, table: Table, row: int, target: int, count: int, *, selected: bool) -> pd.DataFrame:
        """Samples of one row; each row has random numbers of its own."""
        codes, ways = reachable(table, row)
        own = np.full(len(codes), row)
        changed = codes != table.codes[row].numpy()
        states = table.codec.decode(States.of_arrays(own, codes, changed))
        value, valid = self.reward.value(states, table.codec.rows.take(own), changed, np.full(len(codes), target))
        log_mass = self.reward.log_tempered(value) + np.log(ways)
        mass = np.exp(log_mass - log_mass.max())
        chance = numpy_generator(self.task.seed, "exactly as published", row)
        drawn = chance.choice(len(codes), size=count, p=mass / mass.sum())
        if selected:
            drawn = np.unique(drawn[valid[drawn]])
            drawn = drawn[np.argsort(-value[drawn], kind="stable")]
        return states.take(drawn).reset_index(drop=True)


def reachable(table: Table, row: int) -> tuple[Int[ndarray, "state feature"], Float[ndarray, " state"]]:
    """All codes that a row can end with, and in how many ways: to leave a code and to set it again are two."""
    own, allowed, starts = table.codes[row].numpy(), table.allowed[row].numpy(), table.codec.schema.space.starts
    options, again = [], []
    for d, held in enumerate(own.tolist()):
        legal = np.flatnonzero(allowed[starts[d] : starts[d + 1]])
        options.append([held, *legal[legal != held].tolist()])
        again.append(held in legal)
    size = int(np.prod([len(each) for each in options]))
    if size > MOST:
        raise InvalidInputError(f"a row can end in {size:,} states; exact samples are drawn from {MOST:,} at most.")
    codes = np.array(list(product(*options)), dtype=np.int64)
    unchanged: Bool[ndarray, "state feature"] = codes == own
    return codes, 2.0 ** (unchanged & np.array(again)).sum(axis=1)

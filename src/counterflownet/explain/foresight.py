"""What a few rows will be asked about in any case, asked with the rows themselves.

A call of the classifier costs as much as hundreds of rows in it, so that somebody who asks about one row waits mostly
for calls. Of many rows, nothing is foreseen: there, calls are cheap, and some rows need not be looked at at all.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States, unedited
from counterflownet.explain.learned import Learned
from counterflownet.explain.proposals import Proposals
from counterflownet.explain.single_edits import Edits
from counterflownet.explain.tracks import Ground
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.prepared import compiled, prepared
from counterflownet.tabular.rule_judge import rules_kept

FEW_ROWS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Foreseen:
    """Rows made ready, and what the classifier says of them and of their single changes."""

    table: Factuals
    allowance: Allowance
    edits: Edits
    states: States
    rows: pd.DataFrame
    outputs: Float[ndarray, "state output"]

    @property
    def of_factuals(self) -> Float[ndarray, "row output"]:
        return self.outputs[: len(self.table)]

    def about(self, asked: Int[ndarray, " asked"]) -> Bool[ndarray, " state"]:
        """Which of the states are those of factuals that are asked about."""
        return np.isin(self.states.row.numpy(), asked)


def foreseen(learned: Learned, constraints: CheckedConstraints, rows: pd.DataFrame) -> Foreseen:
    """The rows and their single changes, asked about in one call."""
    table = prepared(constraints, learned.schema, rows, learned.scale)
    allowance = compiled(constraints, table.codec)
    proposals = Proposals(ground_of(table, allowance), allowance.allowed)
    possible = np.setdiff1d(np.arange(len(table)), list(allowance.contradictions))
    factuals = unedited(torch.from_numpy(table.codec.codes), torch.arange(len(table)))
    edits = proposals.mended(proposals.singles(possible), lambda states: rules_kept(table.codec, states))
    states = States.joined([factuals, edits.states])
    decoded = table.codec.decode(states)
    return Foreseen(table, allowance, edits, states, decoded, learned.reward.classifier.probabilities(decoded))


def ground_of(table: Factuals, allowance: Allowance) -> Ground:
    """What answers to the rows of a table are looked for on."""
    return Ground(table, allowance.ways, allowance.allowed.required.numpy(), allowance.stand_ins)

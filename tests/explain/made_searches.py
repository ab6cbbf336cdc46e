"""A search on a made ground: a reward whose every part is known, and a policy that was never trained."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import torch
from made_grounds import Made

from counterflownet._states import States
from counterflownet.explain.examples import Examples
from counterflownet.explain.sampler import Sampler
from counterflownet.explain.search import Search
from counterflownet.flow.context import Questions
from counterflownet.flow.model import FlowModel
from counterflownet.reward.candidates import EditedRows
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import Temperature
from counterflownet.reward.terms import Plausibility, Proximity, Sparsity, Validity


class Random(Plausibility):
    """How plausible a state is depends on the state alone and on nothing one could guess; remembers who was asked."""

    def __init__(self, most: float = 2.0) -> None:
        super().__init__(LocalOutlierFactor(np.zeros((1, 1), dtype=np.float32)))
        object.__setattr__(self, "most", most)
        object.__setattr__(self, "looked_at", [])

    def log_values(self, candidates: EditedRows, *, roughly: bool = False) -> np.ndarray:
        keys = candidates.states.keys()
        self.looked_at.extend(keys.tolist())
        return self.of(keys)

    def of(self, keys: np.ndarray) -> np.ndarray:
        return -self.most * (keys % np.uint64(99_991)).astype(float) / 99_991


class Asking:
    """The classifier of a made ground, for a reward."""

    classes = ("no", "yes")

    def __init__(self, made: Made) -> None:
        self.made = made

    def probabilities(self, rows: pd.DataFrame) -> np.ndarray:
        self.made.asked.append(rows)
        likely = np.asarray(self.made.probability(rows), dtype=float)
        return np.column_stack([1 - likely, likely])


def made_search(made: Made, weights: Mapping[str, float], plausible: Plausibility | None = None) -> Search:
    """The search for the second class, of all rows; ``weights`` of proximity and sparsity, over all columns."""
    schema, table = made.table.codec.schema, made.table
    counted = np.ones(len(schema), dtype=np.bool_)
    terms = [(Proximity(counted), weights["proximity"]), (Sparsity(counted), weights["sparsity"])]
    terms += [] if plausible is None else [(plausible, weights["plausibility"])]
    reward = Reward(Asking(made), ((Validity(), 1.0), *terms), Temperature())
    model = FlowModel(schema.space, 2, width=8, seed=0)
    codes = torch.from_numpy(table.codec.codes)
    questions = Questions(codes, torch.ones(len(table), dtype=torch.int64), made.allowance.allowed)
    examples = Examples(schema, made.rows.iloc[:0], reward.classifier, None)
    return Search(Sampler(model.policy, 8, 0), reward, questions, made.ground, examples)


def no_states(made: Made) -> States:
    return made.state({})[np.zeros(0, dtype=np.int64)]

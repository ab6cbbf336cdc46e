"""What a reward's terms of distance and of changes say of every code, for the flow to know before it learns."""

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.flow.known import Reach
from counterflownet.reward.reward import Reward
from counterflownet.reward.terms import Proximity, Sparsity
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.scale import scaled


def reach_of(reward: Reward, table: Factuals, rows: Int[ndarray, " row"]) -> Reach | None:
    """How far codes are from the values of some rows; None where the reward is no product to the power of beta."""
    if reward.temperature.kind != "power":
        return None
    near = next(term for term, _ in reward.terms if isinstance(term, Proximity))
    few = next(term for term, _ in reward.terms if isinstance(term, Sparsity))
    summed = near.counted & (near.norm == 1.0)  # another norm is not a sum over changes
    parts = [_distances(table, d, rows, counted=bool(counted)) for d, counted in enumerate(summed)]
    counted = torch.from_numpy(few.counted).float().expand(len(rows), -1)
    return Reach(torch.from_numpy(np.concatenate(parts, axis=1)).float(), counted)


def _distances(table: Factuals, d: int, rows: Int[ndarray, " row"], *, counted: bool) -> Float[ndarray, "row code"]:
    feature = table.codec.schema.features[d]
    if not counted or not feature.has_order:
        return np.full((len(rows), feature.code_count), float(counted))
    before, after = table.coordinates[rows, d], feature.code_numbers
    moved = scaled(feature, after, table.scale) - scaled(feature, before, table.scale)[:, None]
    return np.nan_to_num(np.abs(moved), nan=1.0)  # a change of a missing value counts 1

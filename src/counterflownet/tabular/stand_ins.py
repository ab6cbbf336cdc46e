"""Stand-ins: what the flow may choose in a column of which constraints leave values, but none that stands for a bin."""

from collections.abc import Mapping

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.tabular.binning import code_of
from counterflownet.tabular.codec import Codec

NONE = -1


def stand_ins(
    codec: Codec,
    d: int,
    rows: Int[ndarray, " row"],
    steps: Bool[ndarray, "row step"],
    borders: Bool[ndarray, "row border"],
) -> tuple[Int[ndarray, " row"], Int[ndarray, " row"]]:
    """For each row the place of the permitted value nearest to its own, and the code whose bin it is in.

    NONE and 0 where no other value is permitted.
    """
    feature = codec.schema.features[d]
    own = feature.coordinates(codec.columns[d].iloc[rows])[:, None]
    border_numbers = codec.borders_of(d)[rows]
    number = np.concatenate([np.broadcast_to(feature.steps.number, steps.shape), border_numbers], axis=1)
    place = np.concatenate([feature.steps.place, feature.first_border_place + np.arange(borders.shape[1])])
    nearest = _nearest(number, own, np.concatenate([steps, borders], axis=1))
    at = np.maximum(nearest, 0)
    codes = code_of(np.nan_to_num(number[np.arange(len(rows)), at]), np.asarray(feature.edges))
    return np.where(nearest >= 0, place[at], NONE), np.where(nearest >= 0, codes, 0)


def settled(states: States, places: Mapping[int, Int[ndarray, " row"]]) -> States:
    """The states with every edit of a column that has stand-ins, by its position, at the place of its row's."""
    if not places:
        return states
    states = states[np.arange(len(states))]  # copies, since others may still need the codes
    row, place, edited = states.numpy()
    for d, stand_in in places.items():
        (at,) = (edited[:, d] & (stand_in[row] != NONE)).nonzero()
        place[at, d] = stand_in[row[at]]
    return states


def _nearest(
    number: Float[ndarray, "row value"], own: Float[ndarray, "row 1"], permitted: Bool[ndarray, "row value"]
) -> Int[ndarray, " row"]:
    """Which of the permitted numbers is nearest to the row's own, but not the same; NONE if there is none."""
    away = np.where(np.isnan(own), 0.0, np.abs(number - own))  # all are as near to a missing value
    away = np.where(permitted & (number != own), away, np.inf)
    if away.shape[1] == 0:
        return np.full(len(away), NONE)
    nearest = away.argmin(axis=1)
    return np.where(np.isfinite(away[np.arange(len(away)), nearest]), nearest, NONE)

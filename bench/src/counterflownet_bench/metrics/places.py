"""Answers in places: K for each instance, some of them empty; and the means that leave empty places out."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Bool, Float
from numpy import ndarray

from counterflownet.errors import InvalidInputError


def check_places(present: Bool[ndarray, "row place"], valid: Bool[ndarray, "row place"]) -> None:
    """An error unless there are places, and only answers that are there are valid."""
    if 0 in present.shape:
        raise InvalidInputError(f"at least one instance and one place are needed; got the shape {present.shape}.")
    if (valid & ~present).any():
        row, place = np.argwhere(valid & ~present)[0].tolist()
        raise InvalidInputError(f"place {place} of instance {row} is valid but empty; a missing answer is never valid.")


def check_changes(present: Bool[ndarray, "row place"], changed: Bool[ndarray, "row place feature"]) -> None:
    """An error if an answer changes nothing: a copy of the factual is no counterfactual."""
    copies = present & ~changed.any(axis=2)
    if copies.any():
        row, place = np.argwhere(copies)[0].tolist()
        raise InvalidInputError(
            f"the answer in place {place} of instance {row} is a copy of the factual ({int(copies.sum())} are). "
            "Leave such places empty: no answer is an answer."
        )


def instance_means(values: Float[ndarray, "row place"], counted: Bool[ndarray, "row place"]) -> Float[ndarray, " row"]:
    """Each instance's mean over its counted places; NaN for an instance that has none."""
    count = counted.sum(axis=1)
    total = np.where(counted, values, 0.0).sum(axis=1)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def pair_means(
    apart: Callable[[int], Float[ndarray, "row later"]], counted: Bool[ndarray, "row place"]
) -> Float[ndarray, " row"]:
    """Each instance's mean distance over pairs of counted places.

    ``apart(k)`` has the distances from place k to every later place. An instance with one counted place has no variety
    and gets 0; an instance with none gets NaN.
    """
    row_count, place_count = counted.shape
    total, pairs = np.zeros(row_count), np.zeros(row_count)
    for k in range(place_count - 1):
        both = counted[:, k, None] & counted[:, k + 1 :]
        total += np.where(both, apart(k), 0.0).sum(axis=1)
        pairs += both.sum(axis=1)
    return np.where(counted.any(axis=1), total / np.maximum(pairs, 1), np.nan)


def mean_of_known(values: Float[ndarray, " some"]) -> float:
    """The mean over what is not NaN; NaN if nothing is left."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def shares(flags: Bool[ndarray, "*some feature"]) -> Float[ndarray, "*some"]:
    """The share of features that are flagged; NaN if there are no features of this kind."""
    feature_count = flags.shape[-1]
    return flags.sum(axis=-1) / feature_count if feature_count else np.full(flags.shape[:-1], np.nan)

"""Protocol A: rows as codes, every metric in percent (paper, table metrics_protocol_a).

Each metric is computed per instance and then averaged over instances. Missing places count as invalid; sparsity,
diversity and unary leave them out, and leave out an instance that has no answer at all. NaN says that nothing was left
to average.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics.places import (
    check_changes,
    check_places,
    instance_means,
    mean_of_known,
    pair_means,
    shares,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)  # eq=False: == on arrays has no single truth value
class CodedEvaluation:
    """Factuals and up to K answers each, as codes (the number of a bin, or a category's place in its order).

    ``valid`` says that the predicted class is the target. ``changed`` compares the raw values: a number may move inside
    its bin, so a changed cell can keep its code, but not the other way round. ``increasing`` flags the monotone
    features. What stands in an empty place is never looked at.
    """

    factual: Int[ndarray, "row feature"]
    counterfactual: Int[ndarray, "row place feature"]
    changed: Bool[ndarray, "row place feature"]
    present: Bool[ndarray, "row place"]
    valid: Bool[ndarray, "row place"]
    increasing: Bool[ndarray, " feature"]

    def __post_init__(self) -> None:
        check_places(self.present, self.valid)
        check_changes(self.present, self.changed)
        if (self.present[..., None] & self.recoded & ~self.changed).any():
            raise InvalidInputError("a cell has another code but the same value; codes must follow from values.")

    @property
    def recoded(self) -> Bool[ndarray, "row place feature"]:
        """Which cells have another code than the factual."""
        return self.counterfactual != self.factual[:, None, :]


def sparsity(e: CodedEvaluation) -> float:
    """Share of features whose code is the factual's, over all answers, valid or not."""
    return 100.0 * mean_of_known(instance_means(1.0 - shares(e.recoded), e.present))


def diversity(e: CodedEvaluation) -> float:
    """Mean pairwise Hamming distance of an instance's answers, valid or not, divided by the number of features.

    An instance with one answer has diversity 0.
    """
    return 100.0 * mean_of_known(pair_means(lambda k: _hamming(e, k), e.present))


def harmonic_mean(e: CodedEvaluation) -> float:
    """Harmonic mean of the two means over instances, sparsity and diversity; 0 if both are 0."""
    first, second = sparsity(e), diversity(e)
    total = first + second
    return 2.0 * first * second / total if total != 0.0 else 0.0


def validity(e: CodedEvaluation) -> float:
    """Share of all K places whose answer is in the target class; an empty place is not."""
    return 100.0 * float(e.valid.mean())


def coverage(e: CodedEvaluation) -> float:
    """Share of instances with at least one valid answer."""
    return 100.0 * float(e.valid.any(axis=1).mean())


def unary(e: CodedEvaluation) -> float:
    """Mean over monotone features of the share of answers, valid or not, whose code is at least the factual's.

    Without monotone features nothing can be violated: 100.
    """
    if not e.increasing.any():
        return 100.0
    kept = (e.counterfactual >= e.factual[:, None, :])[..., e.increasing]
    return 100.0 * mean_of_known(instance_means(shares(kept), e.present))


def sparsity_l2c(e: CodedEvaluation) -> float:
    """Sparsity as L2C's code has it: over all answers, and any change of a number counts, even inside its bin."""
    return 100.0 * mean_of_known(instance_means(1.0 - shares(e.changed), e.present))


def diversity_l2c(e: CodedEvaluation) -> float:
    """Diversity as L2C's code has it.

    Over pairs of valid answers only, divided by one more than the number of features (its rows carry the constant
    target column), and 0 for every instance with fewer than two valid answers.
    """
    feature_count = e.factual.shape[1]
    means = pair_means(lambda k: _hamming(e, k), e.valid)
    return 100.0 * float(np.nan_to_num(means).mean()) * feature_count / (feature_count + 1)


def unchanged_codes(e: CodedEvaluation) -> float:
    """Share of answers that have the factual's codes throughout: numbers moved, but none of them to another bin."""
    return 100.0 * mean_of_known(1.0 - np.asarray(e.recoded.any(axis=2))[e.present])


CODED_METRICS: Mapping[str, Callable[[CodedEvaluation], float]] = MappingProxyType(
    {
        "sparsity": sparsity,
        "diversity": diversity,
        "harmonic_mean": harmonic_mean,
        "validity": validity,
        "coverage": coverage,
        "unary": unary,
        "sparsity_l2c": sparsity_l2c,
        "diversity_l2c": diversity_l2c,
        "unchanged_codes": unchanged_codes,
    }
)


def _hamming(e: CodedEvaluation, k: int) -> Float[ndarray, "row later"]:
    """Share of features in which place k differs from each later place."""
    return shares(e.counterfactual[:, k, None, :] != e.counterfactual[:, k + 1 :, :])

"""The metrics of Protocol B (paper, table metrics_protocol_b), each under whichever convention the record is in.

Everything but validity and diversity is taken over valid answers, all instances together. NaN says that there was
nothing to average.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from counterflownet_bench.metrics.mixed import ConventionEvaluation
from counterflownet_bench.metrics.places import mean_of_known, pair_means, shares

EPSILON = 0.05


def validity(e: ConventionEvaluation) -> float:
    """Share of all K places whose answer is in the target class; an empty place is not."""
    return float(e.answers.valid.mean())


def proximity_continuous(e: ConventionEvaluation) -> float:
    """L1 distance over numeric features: the sum under ``range``, the mean under ``zscore``."""
    return mean_of_known(e.moved.mean(axis=1) if e.averaged and e.moved.shape[1] else e.moved.sum(axis=1))


def sparsity_categorical(e: ConventionEvaluation) -> float:
    """Share of categorical features that were changed."""
    codes = e.answers.codes != e.answers.factual_codes[:, None, :]
    return mean_of_known(shares(codes[e.answers.valid]))


def epsilon_sparsity(e: ConventionEvaluation) -> float:
    """Share of numeric features that were moved by more than 0.05 units."""
    return mean_of_known(shares(e.moved > EPSILON))


def lof(e: ConventionEvaluation) -> float:
    """Median logarithm of the local outlier factor."""
    factors = e.factors[e.answers.valid]
    return float(np.median(np.log(factors))) if len(factors) else float("nan")


def diversity(e: ConventionEvaluation) -> float:
    """Mean pairwise (L1 in units + Hamming) / D of an instance's answers, valid or not, averaged over instances.

    An instance with one answer has diversity 0; one with none is left out.
    """
    return mean_of_known(pair_means(lambda k: _apart(e, k), e.answers.present))


def diversity_valid(e: ConventionEvaluation) -> float:
    """The same over valid answers only."""
    return mean_of_known(pair_means(lambda k: _apart(e, k), e.answers.valid))


def sparsity_all(e: ConventionEvaluation) -> float:
    """Share of all features that were changed, by however little."""
    return mean_of_known(shares(e.answers.changed[e.answers.valid]))


MIXED_METRICS: Mapping[str, Callable[[ConventionEvaluation], float]] = MappingProxyType(
    {
        "validity": validity,
        "proximity_continuous": proximity_continuous,
        "sparsity_categorical": sparsity_categorical,
        "epsilon_sparsity": epsilon_sparsity,
        "lof": lof,
        "diversity": diversity,
        "diversity_valid": diversity_valid,
        "sparsity_all": sparsity_all,
    }
)


def _apart(e: ConventionEvaluation, k: int) -> Float[ndarray, "row later"]:
    """The distance from place k to each later place, divided by the number of features."""
    numbers, codes = e.answers.numbers, e.answers.codes
    moved = np.abs(numbers[:, k, None, :] - numbers[:, k + 1 :, :]) / e.unit
    differing = codes[:, k, None, :] != codes[:, k + 1 :, :]
    return (moved.sum(axis=2) + differing.sum(axis=2)) / (numbers.shape[2] + codes.shape[2])

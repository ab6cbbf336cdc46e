from itertools import combinations, product

import numpy as np
import pytest

from counterflownet_bench.benchmark.bound import _best, bounds, envelope, feature_curve, free_codes, harmonic_bound
from counterflownet_bench.datasets import load_benchmark, protocol_names

COUNT = 4


def brute_force(free: list[int]) -> float:
    """The best harmonic mean of all sets of answers to one row whose features have so many free codes."""
    best = 0.0
    points = [sorted({_point(codes) for codes in product(range(number + 1), repeat=COUNT)}) for number in free]
    for chosen in product(*points):
        sparsity, diversity = (float(np.mean(part)) for part in zip(*chosen, strict=True))
        best = max(best, 2 * sparsity * diversity / (sparsity + diversity) if sparsity + diversity else 0.0)
    return best


def _point(codes: tuple[int, ...]) -> tuple[float, float]:
    pairs = list(combinations(codes, 2))
    return codes.count(0) / COUNT, sum(a != b for a, b in pairs) / len(pairs)


def bound_of(free: list[int]) -> float:
    steps = [np.diff(envelope(feature_curve(number, COUNT)), axis=0) / len(free) for number in free]
    return _best(np.concatenate(steps))


@pytest.mark.parametrize("free", [[1], [3], [1, 2], [0, 2, 3]])
def test_no_set_of_answers_passes_it_and_mixtures_of_rows_come_near(free):
    assert bound_of(free) >= brute_force(free) - 1e-9
    assert bound_of(free) == pytest.approx(brute_force(free), abs=0.05)  # one row cannot mix, many can


@pytest.mark.parametrize("free", [0, 1, 2, 5])
def test_the_curve_of_a_feature_is_the_best_that_answers_can_do(free):
    best = {}
    for codes in product(range(free + 1), repeat=COUNT):
        sparsity, diversity = _point(codes)
        best[sparsity] = max(diversity, best.get(sparsity, 0.0))
    assert dict(feature_curve(free, COUNT).tolist()) == pytest.approx(best)


def test_constraints_leave_fewer_codes_free():
    data = load_benchmark("german_credit")
    free = dict(zip(data.card.features, free_codes(data).T, strict=True))
    assert free["Foreign-worker"].max() == 0
    assert set(free["age"].tolist()) == {0, 1, 2, 3}  # it may only rise
    assert set(free["Credit-amount"].tolist()) == {3}


def test_the_bound_that_is_shown_is_the_one_that_is_computed():
    assert set(bounds()) == set(protocol_names("a"))
    assert bounds()["german_credit"] == pytest.approx(harmonic_bound(load_benchmark("german_credit")), abs=1e-3)


@pytest.mark.needs_data
@pytest.mark.parametrize("name", protocol_names("a"))
def test_every_bound_that_is_shown_is_the_one_that_is_computed(name):
    assert bounds()[name] == pytest.approx(harmonic_bound(load_benchmark(name)), abs=1e-3)

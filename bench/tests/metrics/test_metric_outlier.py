import numpy as np
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics import OutlierFactor


def test_the_factor_of_a_case_computed_by_hand():
    # Points 0, 1, 2, 4 on a line, one neighbour. Nearest distances are 1, 1, 1, 2, so the densities of the points are
    # 1 / max(distance, neighbour's own nearest distance) = 1, 1, 1, 1/2. The query at 7 has its neighbour 4 at
    # distance 3: density 1/3 and factor (1/2) / (1/3).
    line = np.array([[0.0], [1.0], [2.0], [4.0]])
    assert OutlierFactor(line, 1)(np.array([[7.0]])) == pytest.approx([1.5])


def test_rows_far_out_have_a_larger_factor_than_rows_inside():
    train = np.random.default_rng(0).normal(size=(200, 3))
    inside, outside = OutlierFactor(train)(np.array([[0.0, 0.0, 0.0], [9.0, 9.0, 9.0]]))
    assert inside < 1.2 < outside


def test_repeated_queries_get_the_same_factor_in_their_own_places():
    train = np.random.default_rng(0).normal(size=(50, 2))
    queries = np.array([[3.0, 0.0], [0.0, 0.0], [3.0, 0.0]])
    found = OutlierFactor(train)(queries)
    assert found[0] == found[2] != found[1]
    assert found == pytest.approx([OutlierFactor(train)(query[None])[0] for query in queries])


def test_no_queries_have_no_factors():
    assert OutlierFactor(np.zeros((30, 2)))(np.empty((0, 2))).shape == (0,)


def test_too_few_training_rows_are_an_error():
    with pytest.raises(InvalidInputError, match="20 training rows are too few for 20 neighbours"):
        OutlierFactor(np.zeros((20, 2)))
    with pytest.raises(InvalidInputError, match="neighbours must be at least 1"):
        OutlierFactor(np.zeros((20, 2)), 0)

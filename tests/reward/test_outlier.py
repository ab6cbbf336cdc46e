import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn import neighbors

from counterflownet.reward.neighbours import NeighbourIndex
from counterflownet.reward.outlier import LocalOutlierFactor


def rows(count: int, *, seed: int = 0, spread: float = 1.0) -> np.ndarray:
    """Two clusters of different density, as standardised numbers and flags."""
    draw = np.random.default_rng(seed)
    numbers = draw.normal(size=(count, 4)) * np.where(draw.random((count, 1)) < 0.5, 0.2, 1.0) * spread
    return np.hstack([numbers, np.eye(3)[draw.integers(3, size=count)]]).astype(np.float32)


def by_scikit_learn(reference: np.ndarray, asked: np.ndarray) -> np.ndarray:
    count = min(20, len(reference) - 1)
    known = neighbors.LocalOutlierFactor(novelty=True, n_neighbors=count).fit(reference.astype(np.float64))
    return -known.score_samples(asked.astype(np.float64))


@pytest.mark.parametrize("count", [2, 5, 21, 300])
def test_factors_are_those_of_scikit_learn(count):
    reference, asked = rows(count), rows(100, seed=1, spread=3.0)
    found = LocalOutlierFactor(reference, exact=True)(asked)
    assert found == pytest.approx(by_scikit_learn(reference, asked), rel=1e-5)


def test_factors_of_a_large_reference_are_those_of_scikit_learn_when_searched_exactly():
    reference, asked = rows(3_000), rows(200, seed=1, spread=2.0)
    found = LocalOutlierFactor(reference, exact=True)(asked)
    assert found == pytest.approx(by_scikit_learn(reference, asked), rel=1e-5)


def test_factors_of_a_large_reference_keep_their_order_when_searched_nearly_exactly():
    reference, asked = rows(5_000), rows(500, seed=1, spread=2.0)
    exact = LocalOutlierFactor(reference, exact=True)(asked)
    nearly = LocalOutlierFactor(reference)(asked)
    assert spearmanr(exact, nearly).statistic > 0.99
    assert np.mean(np.abs(nearly / exact - 1)) < 0.01


def test_a_row_that_the_search_does_not_find_beside_itself_loses_the_farthest_neighbour(monkeypatch):
    reference, asked = rows(60), rows(20, seed=1)
    wanted = LocalOutlierFactor(reference)(asked)
    whole = NeighbourIndex.nearest

    def without_itself(index, queries, count, **width):
        distance, near = whole(index, queries, count + 1, **width)
        return (distance[:, 1:], near[:, 1:]) if len(queries) == len(reference) else (distance[:, :-1], near[:, :-1])

    monkeypatch.setattr(NeighbourIndex, "nearest", without_itself)
    assert LocalOutlierFactor(reference)(asked) == pytest.approx(wanted, rel=1e-6)


def test_rows_of_the_reference_itself_are_judged_as_new_rows():
    reference = rows(100)
    found = LocalOutlierFactor(reference)(reference)
    assert found == pytest.approx(by_scikit_learn(reference, reference), rel=1e-5)


def test_far_from_all_data_the_factor_is_large():
    factor = LocalOutlierFactor(rows(200))
    assert factor(np.full((1, 7), 50.0, dtype=np.float32))[0] > 10


def test_one_row_has_no_density_around_it():
    assert LocalOutlierFactor(rows(1))(rows(3, seed=1)).tolist() == [1.0, 1.0, 1.0]


def test_nothing_asked_is_nothing_answered():
    assert LocalOutlierFactor(rows(10))(rows(0)).shape == (0,)


def test_repeated_rows_count_once():
    reference = rows(50)
    fitted = LocalOutlierFactor.fit(np.repeat(reference, 30, axis=0), reference_rows=None, seed=0)
    assert len(fitted.reference) == 50
    assert np.isfinite(fitted(rows(20, seed=1))).all()
    assert fitted(rows(20, seed=1)) == pytest.approx(LocalOutlierFactor(np.unique(reference, axis=0))(rows(20, seed=1)))


def test_a_reference_of_one_repeated_row_is_no_reason_to_fail():
    fitted = LocalOutlierFactor.fit(np.ones((40, 3), dtype=np.float32), reference_rows=None, seed=0)
    assert fitted(np.zeros((1, 3), dtype=np.float32)).tolist() == [1.0]


def test_no_more_reference_rows_are_drawn_than_asked_for():
    table = rows(400)
    drawn = LocalOutlierFactor.fit(table, reference_rows=100, seed=0).reference
    assert len(np.unique(drawn, axis=0)) == 100
    assert {tuple(row) for row in drawn} <= {tuple(row) for row in table}


def test_the_reference_depends_on_the_seed_and_not_on_the_order_of_rows():
    table = rows(400)
    first, shuffled, other = (
        LocalOutlierFactor.fit(given, reference_rows=100, seed=seed).reference
        for given, seed in ((table, 0), (table[::-1], 0), (table, 1))
    )
    assert (first == shuffled).all()
    assert (first != other).any()

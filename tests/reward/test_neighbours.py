import numpy as np
import pytest

from counterflownet.reward import neighbours
from counterflownet.reward.neighbours import NeighbourIndex


def points(count: int, *, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 6)).astype(np.float32)


def test_small_sets_are_searched_exactly():
    known, asked = points(200), points(30, seed=1)
    distance, found = NeighbourIndex(known).nearest(asked, 5)
    apart = np.linalg.norm(asked[:, None].astype(float) - known[None], axis=2)
    assert (found == np.argsort(apart, axis=1)[:, :5]).all()
    assert distance == pytest.approx(np.sort(apart, axis=1)[:, :5], rel=1e-6)


def test_the_distance_of_a_point_to_itself_is_nothing_however_far_from_the_origin():
    known = points(50) + 1_000
    distance, found = NeighbourIndex(known).nearest(known, 1)
    assert (distance == 0).all()
    assert (found[:, 0] == np.arange(50)).all()


def test_large_sets_are_searched_nearly_exactly():
    known, asked = points(2_000), points(200, seed=1)
    _, exact = NeighbourIndex(known, exact=True).nearest(asked, 10)
    _, found = NeighbourIndex(known).nearest(asked, 10)
    shared = [len(set(one) & set(other)) for one, other in zip(exact, found, strict=True)]
    assert np.mean(shared) > 9.8


def test_distances_in_large_sets_are_exact_for_what_was_found():
    known, asked = points(1_500), points(20, seed=1)
    distance, found = NeighbourIndex(known).nearest(asked, 3)
    assert distance == pytest.approx(np.linalg.norm(asked[:, None] - known[found], axis=2), rel=1e-5)
    assert (np.diff(distance, axis=1) >= 0).all()


@pytest.mark.parametrize("count", [100, neighbours.EXACT_UP_TO + 200])
def test_the_same_points_give_the_same_answers(count):
    asked = points(100, seed=1)
    one, other = (NeighbourIndex(points(count)).nearest(asked, 10) for _ in range(2))
    assert (one[0] == other[0]).all()
    assert (one[1] == other[1]).all()


def test_answers_do_not_depend_on_what_else_is_asked():
    index, asked = NeighbourIndex(points(1_500)), points(40, seed=1)
    together = index.nearest(asked, 5)[1]
    alone = np.concatenate([index.nearest(asked[[number]], 5)[1] for number in range(40)])
    assert (together == alone).all()


def test_nothing_asked_is_nothing_answered():
    distance, found = NeighbourIndex(points(10)).nearest(points(0), 3)
    assert distance.shape == found.shape == (0, 3)


def people(count: int, draw: np.random.Generator, *, gainers: float) -> np.ndarray:
    """Vectors of rows with words that go together, with numbers, and with one number that few have, far from zero."""
    kind = draw.integers(12, size=count)
    other = (draw.random(count) < 0.3) * draw.integers(16, size=count)
    words = [np.eye(size)[(kind * (3 + size) + other) % size] for size in (9, 16, 7, 15, 6, 5)]
    gain = np.where(draw.random(count) < gainers, draw.normal(6, 2, size=count), 0.0)
    numbers = 0.7 * draw.normal(size=(count, 3))
    return np.concatenate([*words, numbers, gain[:, None]], axis=1).astype(np.float32)


def shared(some: np.ndarray, others: np.ndarray) -> float:
    """The share of neighbours that are among the others."""
    return float(np.mean([len(set(one) & set(other)) / len(one) for one, other in zip(some, others, strict=True)]))


def test_neighbours_are_found_where_rows_are_rare_and_far_from_all_others():
    draw = np.random.default_rng(3)
    known, asked = people(12_000, draw, gainers=0.08), people(500, draw, gainers=1.0)
    index = NeighbourIndex(known)
    _, exact = NeighbourIndex(known, exact=True).nearest(asked, 20)
    distance, rough = index.nearest(asked, 20, roughly=True)
    assert 0.9 < shared(rough, exact) < shared(index.nearest(asked, 20)[1], exact)
    assert shared(index.nearest(asked, 20)[1], exact) > 0.98
    assert distance == pytest.approx(np.linalg.norm(known[rough] - asked[:, None, :], axis=2), rel=1e-4, abs=1e-6)


def test_a_query_with_too_few_points_around_it_is_compared_with_all():
    known = points(1_500)
    known[:6] += 1_000 * np.arange(1, 7)[:, None]  # each of them a cell of its own, if it is one at all
    index, asked = NeighbourIndex(known), known[:6]
    found = index.nearest(asked, 200, roughly=True)
    exact = NeighbourIndex(known, exact=True).nearest(asked, 200)
    assert (found[1] >= 0).all()
    assert found[0] == pytest.approx(exact[0])

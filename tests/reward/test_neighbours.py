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


def test_a_rough_search_finds_nearly_as_much_and_tells_exact_distances():
    draw = np.random.default_rng(3)
    known, asked = (draw.normal(size=(size, 12)).astype(np.float32) for size in (4_000, 200))
    index = NeighbourIndex(known)
    _, exact = NeighbourIndex(known, exact=True).nearest(asked, 10)
    distance, rough = index.nearest(asked, 10, roughly=True)
    _, wide = index.nearest(asked, 10)
    found = [np.mean([len(set(a) & set(b)) / 10 for a, b in zip(some, exact, strict=True)]) for some in (rough, wide)]
    assert 0.85 < found[0] < found[1]
    apart = np.linalg.norm(known[rough] - asked[:, None, :], axis=2)
    assert distance == pytest.approx(apart, rel=1e-5)

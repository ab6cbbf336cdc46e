"""NICE and FACE: what they take from training rows, and by which way."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from baseline_task import task_on
from plane_task import home, plane_table, plane_task

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.cchvae_autoencoder import AutoencoderSettings
from counterflownet_bench.baselines.face import Face, squared_distances
from counterflownet_bench.baselines.nearest_unlike import NearestUnlike
from counterflownet_bench.baselines.nice import Nice

COUNT = 5
METHODS = pytest.mark.parametrize("method", [Nice(), Face()], ids=["nice", "face"])


@pytest.fixture(scope="module")
def german():
    task, tested = task_on("german_credit")
    rows = tested.head(12)
    return task, rows, [task.classifier.classes[1 - number] for number in task.classifier.predicted(rows)]


def answered(method, asked, count=COUNT):
    task, rows, targets = asked
    return method.fit(task).answer(rows, targets, count=count, selection="raw")


def on_plane(method, task, rows, count=1):
    return answered(method, (task, rows, [1] * len(rows)), count)


@METHODS
def test_every_answer_is_valid_and_a_row_s_answers_differ(method, german) -> None:
    task, _, targets = german
    given = answered(method, german)
    wanted = np.array([task.classifier.classes.index(target) for target in targets])
    assert (task.classifier.predicted(given.counterfactuals) == wanted[given.row]).all()
    assert not given.counterfactuals.assign(row=given.row).duplicated().any()


@METHODS
def test_a_row_s_answers_do_not_depend_on_the_rows_beside_it(method, german) -> None:
    task, rows, targets = german
    whole, alone = answered(method, german), answered(method, (task, rows.iloc[[7]], targets[7:8]))
    own = whole.counterfactuals[whole.row == 7].reset_index(drop=True)
    pd.testing.assert_frame_equal(own, alone.counterfactuals)


def test_nice_takes_every_change_from_one_training_row_of_the_wanted_class(german) -> None:
    task, rows, targets = german
    given, predicted = answered(Nice(), german), task.classifier.predicted(task.train)
    for row, answer in zip(given.row, given.counterfactuals.itertuples(index=False), strict=True):
        changed = np.array(answer) != rows.iloc[row].to_numpy()
        unlike = task.train[predicted == task.classifier.classes.index(targets[row])].to_numpy()
        assert (unlike[:, changed] == np.array(answer)[changed]).all(axis=1).any()


def test_nice_changes_fewer_columns_than_its_neighbour_does(german) -> None:
    rows = german[1]
    changes = []
    for method in (Nice(), NearestUnlike()):
        given = answered(method, german, count=1)
        changes.append((given.counterfactuals != rows.iloc[given.row].reset_index(drop=True)).sum(axis=1).mean())
    assert changes[0] < changes[1] / 2


def test_nice_stops_at_the_first_value_that_suffices_and_asks_the_nearest_row_first() -> None:
    train = pd.DataFrame(
        {"x": [0.0, 1.0, 0.8, 0.7], "y": [0.0, 1.0, 0.9, 0.6], "colour": ["red", "blue", "blue", "green"]}
    )
    given = on_plane(Nice(), plane_task(train), home(), count=3)
    assert given.counterfactuals.to_numpy().tolist() == [[x, 0.5, "red"] for x in (0.7, 0.8, 1.0)]


@pytest.mark.parametrize(("goal", "expected"), [("sparsity", "x"), ("proximity", "y")])
def test_nice_weighs_the_gain_by_the_distance_if_proximity_is_the_goal(goal, expected) -> None:
    train = pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0], "colour": ["red", "red"]})
    task = plane_task(train, weights={"x": 0.55, "y": 1.0})
    found = on_plane(Nice(goal=goal), task, home(x=0.0, y=0.49)).counterfactuals.iloc[0]
    assert [name for name in "xy" if found[name] == 1.0] == [expected]


def test_nice_prefers_what_an_autoencoder_knows_if_plausibility_is_the_goal(german) -> None:
    settings = AutoencoderSettings(epochs=2, batch_rows=64)
    plausible, sparse = (Nice(goal=goal, autoencoder=settings) for goal in ("plausibility", "sparsity"))
    fitted = plausible.fit(german[0])
    errors = [fitted.errors(answered(method, german, count=1).counterfactuals).mean() for method in (plausible, sparse)]
    assert errors[0] < errors[1]


def test_nice_takes_no_value_that_a_constraint_forbids() -> None:
    train = pd.DataFrame({"x": [0.0, 0.6, 1.0], "y": [0.0, 0.1, 0.9], "colour": ["red", "red", "red"]})
    both = {"x": 1.0, "y": -0.5}
    free = on_plane(Nice(), plane_task(train, weights=both), home(y=0.5)).counterfactuals.iloc[0]
    kept = on_plane(Nice(), plane_task(train, weights=both, increasing=("y",)), home(y=0.5)).counterfactuals.iloc[0]
    assert free.tolist() == [0.6, 0.1, "red"]
    assert kept.tolist() == [1.0, 0.5, "red"]


def test_face_returns_training_rows_and_the_cheapest_way_first(german) -> None:
    task, rows, _ = german
    given = answered(Face(), german)
    assert set(given.counterfactuals.itertuples(index=False)) <= set(task.train.itertuples(index=False))
    for name in task.card.increasing:
        assert (given.counterfactuals[name].to_numpy() >= rows[name].to_numpy()[given.row]).all()


def dense_way() -> pd.DataFrame:
    """A lonely row just behind the border, and a chain of many rows that leads to a crowd further behind it."""
    chance = np.random.default_rng(0)
    way = np.stack([np.linspace(0.2, 0.9, 200), np.full(200, 0.5)], axis=1) + chance.normal(0, 0.01, (200, 2))
    crowd = chance.normal(0.9, 0.02, (100, 2)) * [1.0, 0.55]
    points = np.concatenate([way[way[:, 0] < 0.48], crowd, [[0.55, 0.95], [0.0, 0.0], [1.0, 1.0]]])
    return pd.DataFrame(points, columns=["x", "y"]).clip(0, 1).assign(colour="red")


def test_face_does_not_end_where_nobody_is() -> None:
    train = dense_way()
    found = on_plane(Face(neighbours=10), plane_task(train), home(), count=3).counterfactuals
    assert (found["x"] > 0.8).all()
    anywhere = on_plane(Face(neighbours=300, too_sparse=0.0), plane_task(train), home(), count=300).counterfactuals
    assert 0.55 in anywhere["x"].to_numpy()


def test_face_keeps_constraints_on_every_step() -> None:
    train = plane_table()
    rising = on_plane(Face(), plane_task(train, increasing=("y",)), home(), count=20).counterfactuals
    assert len(rising) > 0
    assert (rising["y"] >= 0.5).all()
    same = on_plane(Face(), plane_task(train, immutable=("colour",)), home(), count=20).counterfactuals
    assert set(same["colour"]) == {"red"}


def test_face_says_none_where_no_training_row_shares_what_is_immutable() -> None:
    train = plane_table().replace({"colour": {"red": "blue"}})
    given = on_plane(Face(), plane_task(train, immutable=("colour",)), home(), count=2)
    assert given.outcomes == {"none": 1}


def test_the_cost_of_a_step_is_its_length_times_minus_the_log_density_half_way() -> None:
    known = Face(neighbours=3).fit(plane_task(plane_table(30))).known
    steps, vectors = known.steps(known.table, np.arange(30), 3), known.vectors
    start, end = steps.start[5], steps.end[5]
    length = np.linalg.norm(vectors[start] - vectors[end])
    around = np.linalg.norm(vectors - (vectors[start] + vectors[end]) / 2, axis=1)
    density = np.exp(-(around**2) / (2 * known.bandwidth**2)).mean()
    assert steps.cost[5] == pytest.approx(-length * np.log(density))
    assert np.bincount(steps.start).tolist() == [3] * 30
    assert (steps.cost > 0).all()


def test_squared_distances_are_those_of_each_to_each() -> None:
    some, others = np.random.default_rng(0).random((2, 5, 3))
    expected = np.square(some[:, None] - others[None]).sum(axis=2)
    assert squared_distances(some, others) == pytest.approx(expected)
    assert (np.diag(squared_distances(some, some)) == 0).all()


def test_face_draws_so_many_rows_and_says_how_many() -> None:
    task = plane_task(plane_table())
    assert Face(rows=50).fit(task).training["rows"] == 50
    one, other = (Face(rows=50).fit(replace(task, seed=seed)).known.table for seed in (0, 1))
    assert not one.equals(other)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Nice(neighbours=0), r"Nice\.neighbours"),
        (lambda: Nice(goal="speed"), r"Nice\.goal"),
        (lambda: Face(rows=1), r"Face\.rows"),
        (lambda: Face(too_sparse=1.5), r"Face\.too_sparse"),
    ],
)
def test_settings_that_cannot_be_are_refused(without_annotations, wrong, message) -> None:
    with pytest.raises(InvalidInputError, match=message):
        wrong()

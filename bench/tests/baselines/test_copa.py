"""COPA: plans of points across a linear boundary."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from baseline_task import task_on

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.copa import Boundary, Copa, FittedCopa, Room
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.references.model import ReferenceClassifier

QUICK = Copa(iterations=60)


@pytest.fixture(scope="module")
def german():
    return task_on("german_credit")


@pytest.fixture(scope="module")
def student():
    return task_on("student_performance")


def with_kept(task, *names):
    return replace(task, card=replace(task.card, immutable=(*task.card.immutable, *names)))


def wanted(task, rows):
    return [task.classifier.classes[number] for number in 1 - task.classifier.predicted(rows)]


def asked(method, task, rows, count=4):
    return method.fit(task).answer(rows, wanted(task, rows), count=count, selection="selected")


def plans_of(method, task, rows, count=4):
    fitted = method.fit(task)
    vectors = fitted.space.encode(rows)
    noise = np.random.default_rng(0).standard_normal((len(rows), count, fitted.space.width))
    return fitted, torch.from_numpy(vectors)[:, None], fitted.plans(vectors, noise)


def test_the_boundary_is_the_classifiers_own(german) -> None:
    task, rows = german
    space = vector_space(task.card, task.train, "deviation")
    score = Boundary.of(task.classifier, space).score(torch.from_numpy(space.encode(rows))).numpy()
    odds = task.classifier.probabilities(rows)
    assert np.allclose(score, np.log(odds[:, 1] / odds[:, 0]))


@pytest.mark.parametrize(("name", "share"), [("german", 0.44), ("student", 0.6726)])
def test_plans_lead_to_the_second_class_alone_as_published(name, share, request) -> None:
    task, rows = request.getfixturevalue(name)
    fitted, _, plans = plans_of(Copa(iterations=30), task, rows, count=3)
    reached = (fitted.boundary.score(plans) > 0).numpy() == (task.classifier.predicted(rows) == 0)[:, None]
    assert reached.mean() == pytest.approx(share, abs=5e-5)
    assert reached.any(axis=1).mean() == pytest.approx(share, abs=5e-5)


def test_the_loss_falls_and_the_plan_comes_nearer(german) -> None:
    task, rows = german
    begun, factuals, early = plans_of(Copa(iterations=1), task, rows.head(10))
    _, _, late = plans_of(Copa(iterations=150), task, rows.head(10))
    assert (begun.loss(late, factuals) < begun.loss(early, factuals) - 0.5).all()
    assert (late - factuals).norm(dim=2).mean() < 0.6 * (early - factuals).norm(dim=2).mean()


def test_the_loss_is_that_of_the_description(german) -> None:
    task, rows = german
    fitted, factuals, plans = plans_of(QUICK, task, rows.head(1), count=3)
    points = np.pad(plans[0].numpy(), ((0, 0), (1, 0)), constant_values=1.0)
    mean = np.concatenate([[fitted.boundary.intercept], fitted.boundary.weight.numpy()])
    spread = np.full((len(mean), len(mean)), 1e5)
    near = np.mean([np.linalg.norm(point[1:] - factuals[0, 0].numpy()) for point in points])
    robust = min(mean @ point / np.sqrt(point @ spread @ point) for point in points)
    kernel = [[1 / (1 + np.linalg.norm(one - other)) for other in points] for one in points]
    expected = near - 10 * robust - 3 * np.linalg.det(np.array(kernel) + 1e-4 * np.eye(3))
    assert fitted.loss(plans, factuals).item() == pytest.approx(expected)


def test_a_higher_weight_of_diversity_keeps_the_points_apart(german) -> None:
    task, rows = german
    spread = {}
    for weight in (0.0, 50.0):
        _, _, plans = plans_of(Copa(iterations=150, diversity=weight), task, rows.head(5))
        spread[weight] = torch.cdist(plans, plans).mean().item()
    assert spread[50.0] > 1.2 * spread[0.0]


def test_points_are_projected_behind_the_boundary_in_free_coordinates_alone(german) -> None:
    task, rows = german
    fitted = QUICK.fit(task)
    free = Room.of(task, fitted.space).free
    points = torch.from_numpy(fitted.space.encode(rows))[:, None]
    projected = fitted.boundary.projected(points, 0.1, free)
    score = fitted.boundary.score(points)
    assert fitted.boundary.score(projected).min() > 0.1 - 1e-9
    assert torch.equal(projected[score > 0.1], points[score > 0.1])
    assert torch.equal(projected[..., ~free], points[..., ~free])


def test_points_stay_within_the_training_rows_and_immutable_ones_where_they_were(german) -> None:
    task, rows = german
    fitted, factuals, plans = plans_of(QUICK, task, rows.head(20))
    train, fixed = torch.from_numpy(fitted.space.encode(task.train)), fitted.space.of_columns(task.card.immutable)
    assert (plans[..., ~fixed] >= train.amin(dim=0)[~fixed]).all()
    assert (plans[..., ~fixed] <= train.amax(dim=0)[~fixed]).all()
    assert torch.equal(plans[..., fixed], factuals[..., fixed].expand(-1, 4, -1))


def test_an_immutable_value_beyond_the_training_rows_is_kept(student) -> None:
    task, rows = student
    rows = rows.head(3).assign(G1=task.train["G1"].max() + 5)
    given = asked(QUICK, task, rows)
    for name in task.card.immutable:
        assert given.counterfactuals[name].tolist() == rows[name].iloc[given.row].tolist()


def test_answers_are_rows_of_the_table_and_differ_from_their_factuals(german) -> None:
    task, rows = german
    rows = rows.head(20)
    given = asked(Copa(iterations=400), with_kept(task, "Credit-amount"), rows, count=5)
    assert given.counterfactuals.dtypes.equals(task.train.dtypes)
    assert given.counterfactuals.index.tolist() == list(range(len(given.row)))
    same = given.counterfactuals.eq(rows.iloc[given.row].reset_index(drop=True)).all(axis=1)
    assert not same.any()
    assert 0 < len(given.row) < 100  # some points decode to their factual: their places stay empty
    assert sum(given.outcomes.values()) == 20
    assert given.outcomes["complete"] == (np.bincount(given.row, minlength=20) == 5).sum() < 20
    for row in np.unique(given.row):
        assert given.rank[given.row == row].tolist() == list(range(1, (given.row == row).sum() + 1))


def test_where_nothing_may_change_there_is_no_answer(german) -> None:
    task, rows = german
    given = asked(QUICK, with_kept(task, *task.card.features), rows.head(3))
    assert dict(given.outcomes) == {"none": 3}
    assert len(given.counterfactuals) == len(given.row) == len(given.rank) == 0
    assert given.counterfactuals.dtypes.equals(task.train.dtypes)


def test_the_seed_decides_and_neighbours_and_the_process_do_not_matter(german) -> None:
    task, rows = german
    before = torch.get_rng_state()
    first, again = asked(QUICK, task, rows.head(6)), asked(QUICK, task, rows.head(6))
    assert torch.equal(before, torch.get_rng_state())
    pd.testing.assert_frame_equal(first.counterfactuals, again.counterfactuals)
    alone = asked(QUICK, task, rows.iloc[[4]])
    own = first.counterfactuals[first.row == 4].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone.counterfactuals, own, rtol=1e-6)
    other = asked(QUICK, replace(task, seed=1), rows.head(6))
    assert not first.counterfactuals.equals(other.counterfactuals)


def test_a_plan_that_gains_nothing_is_done_after_three_steps(german, monkeypatch) -> None:
    task, rows = german
    asked_loss, losses = FittedCopa.loss, []
    monkeypatch.setattr(FittedCopa, "loss", lambda *given: losses.append(asked_loss(*given)) or losses[-1])
    plans_of(Copa(learning_rate=0.0, margin=0.0), task, rows[task.classifier.predicted(rows) == 1].head(3))
    assert 4 <= len(losses) < 30  # the clamping and projecting settle first


def test_a_row_that_is_done_waits_while_others_go_on(german) -> None:
    task, rows = german
    hasty = Copa(smallest_gain=0.01, iterations=300)
    _, _, beside = plans_of(hasty, task, rows.head(5))
    fitted = hasty.fit(task)
    noise = np.random.default_rng(0).standard_normal((5, 4, fitted.space.width))
    vectors = fitted.space.encode(rows.head(5))
    for row in range(5):
        alone = fitted.plans(vectors[[row]], noise[[row]])
        assert torch.allclose(alone[0], beside[row], atol=1e-6)


def test_a_classifier_that_is_not_linear_is_refused(german) -> None:
    task, _ = german
    own = task.classifier
    deep = ReferenceClassifier(own.encoder, own.layers * 2, own.classes)
    with pytest.raises(InvalidInputError, match="linear classifiers only"):
        Copa().fit(replace(task, classifier=deep))


def test_settings_tell_every_field_and_impossible_ones_are_refused() -> None:
    assert Copa().settings()["robustness"] == 10.0
    with pytest.raises(InvalidInputError, match="covariance must be above 0"):
        Copa(covariance=0.0)
    with pytest.raises(InvalidInputError, match="iterations"):
        Copa(iterations=0)

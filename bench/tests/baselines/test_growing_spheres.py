"""Growing spheres: the layers, what is nearest in them, and which moves are undone."""

from dataclasses import replace

import numpy as np
import pytest
from plane_task import home, plane_table, plane_task

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.growing_spheres import GrowingSpheres, Layers

QUICK = GrowingSpheres(candidates=300, most_rounds=40)


def answered(task, rows, count=1, method=QUICK):
    return method.fit(task).answer(rows, [1] * len(rows), count=count, selection="raw")


def test_the_answer_lies_just_behind_the_border_and_changes_nothing_else() -> None:
    given = answered(plane_task(plane_table()), home(), count=5)
    assert given.outcomes == {"complete": 1}
    assert given.counterfactuals["x"].between(0.5, 0.6).all()
    assert given.counterfactuals["y"].tolist() == [0.5] * 5
    assert given.counterfactuals["colour"].tolist() == ["red"] * 5
    assert given.counterfactuals["x"].is_monotonic_increasing


def test_a_ball_that_holds_an_answer_is_halved_until_it_holds_none() -> None:
    wide = replace(QUICK, radius=4.0, candidates=40)
    found = answered(plane_task(plane_table()), home(), count=5, method=wide).counterfactuals
    assert found["x"].between(0.5, 0.75).all()


def test_a_category_is_changed_when_only_a_category_helps() -> None:
    task = plane_task(plane_table(), weights={"green": 1.0})
    found = answered(task, home()).counterfactuals.iloc[0]
    assert found.tolist() == [0.2, 0.5, "green"]


def test_steps_are_uniform_between_two_radii() -> None:
    task = plane_task(plane_table(), immutable=("colour",))
    fitted = replace(QUICK, candidates=2_000).fit(task)
    rows = home(x=0.5)
    origins = fitted.space.vectors.encode(rows)
    layers = Layers(fitted, rows, origins, np.array([1]), [np.random.default_rng(0)])
    steps = layers._drawn(0, 0.1, 0.2)[:, :2] - origins[0, :2]
    lengths = np.linalg.norm(steps, axis=1)
    assert lengths.min() >= 0.1 - 1e-9
    assert lengths.max() <= 0.2 + 1e-9
    assert (lengths < 0.15).mean() == pytest.approx((0.15**2 - 0.1**2) / (0.2**2 - 0.1**2), abs=0.04)
    assert np.abs(steps.mean(axis=0)).max() < 0.01


def test_where_nothing_that_counts_may_change_there_is_no_answer() -> None:
    given = answered(plane_task(plane_table(), immutable=("x",)), home(), method=replace(QUICK, most_rounds=5))
    assert given.outcomes == {"none": 1}
    assert len(given.counterfactuals) == 0


def test_a_row_s_answers_do_not_depend_on_the_rows_beside_it() -> None:
    task, rows = plane_task(plane_table()), plane_table(seed=1).query("x < 0.4").head(6)
    whole, alone = answered(task, rows, count=2), answered(task, rows.iloc[[4]], count=2)
    assert whole.counterfactuals[whole.row == 4].to_numpy().tolist() == alone.counterfactuals.to_numpy().tolist()


def test_no_candidates_are_an_error() -> None:
    with pytest.raises(InvalidInputError, match=r"GrowingSpheres\.candidates"):
        GrowingSpheres(candidates=0)

"""Wachter, REVISE and PPCEF: what they have in common, and what each of them is after."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch
from baseline_task import task_on
from hypothesis import given
from hypothesis import strategies as st
from plane_task import home, plane_table, plane_task

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.cchvae_autoencoder import AutoencoderSettings
from counterflownet_bench.baselines.descent import Descent
from counterflownet_bench.baselines.flow_density import DensitySettings, trained_density
from counterflownet_bench.baselines.ppcef import Ppcef
from counterflownet_bench.baselines.relaxed_rows import RelaxedRows
from counterflownet_bench.baselines.revise import Revise
from counterflownet_bench.baselines.wachter import Wachter

WACHTER = Wachter(descent=Descent(steps=150, learning_rate=0.02), growth=1.1)
REVISE = Revise(
    autoencoder=AutoencoderSettings(widths=(16, 4), epochs=20, learning_rate=5e-3, divergence=0.05),
    descent=Descent(steps=60, learning_rate=0.1),
)
PPCEF = Ppcef(
    density=DensitySettings(hidden=(16,), transforms=2, epochs=15, batch_rows=64, learning_rate=5e-3),
    descent=Descent(steps=80, learning_rate=0.02),
)


def answered(method, task, rows, count=1):
    return method.fit(task).answer(rows, [1] * len(rows), count=count, selection="raw")


@pytest.fixture(scope="module")
def german():
    task, tested = task_on("german_credit", train_count=300)
    return RelaxedRows.of(task, "a test"), tested.head(8)


@given(seed=st.integers(0, 1_000), spread=st.floats(0, 2))
def test_what_is_shown_to_the_classifier_is_the_row_that_is_returned(german, seed, spread) -> None:
    relaxed, rows = german
    vectors = relaxed.space.vectors.encode(rows)
    points = vectors + np.random.default_rng(seed).normal(0, spread, vectors.shape)
    hard = relaxed.hardened(torch.from_numpy(points), torch.from_numpy(vectors))
    table = relaxed.space.rows(hard.numpy(), rows)
    assert np.allclose(relaxed.space.vectors.encode(table), hard.numpy())
    shown = relaxed.logits(hard).softmax(dim=1).numpy()
    assert shown == pytest.approx(relaxed.space.task.classifier.probabilities(table), abs=1e-9)


def test_columns_that_have_not_moved_come_back_bit_for_bit() -> None:
    task = plane_task(plane_table())
    rows = home(x=0.1 + 0.2)
    given_rows = answered(WACHTER, task, rows)
    assert given_rows.counterfactuals["colour"].tolist() == ["red"]
    space = RelaxedRows.of(task, "a test").space
    assert space.rows(space.vectors.encode(rows), rows).equals(rows)


def test_wachter_goes_straight_over_the_border_and_not_far_behind_it() -> None:
    found = answered(WACHTER, plane_task(plane_table()), home()).counterfactuals.iloc[0]
    assert 0.5 < found["x"] < 0.55
    assert found["y"] == 0.5


def test_the_nearest_valid_row_of_all_steps_is_the_answer_wherever_a_search_starts() -> None:
    found = answered(replace(WACHTER, spread=1.0), plane_task(plane_table()), home(), count=6)
    assert found.outcomes == {"complete": 1}
    assert found.counterfactuals["x"].max() < 0.55


def test_wachter_can_change_a_category() -> None:
    task = plane_task(plane_table(), weights={"x": 0.3, "green": 1.0}, immutable=("y",))
    given_rows = answered(WACHTER, task, home())
    assert given_rows.counterfactuals["colour"].tolist() == ["green"]


def test_wachter_needs_a_weight_that_grows() -> None:
    timid = replace(WACHTER, growth=1.0, weight=0.01)
    assert answered(timid, plane_task(plane_table()), home()).outcomes == {"none": 1}


@pytest.mark.parametrize("method", [WACHTER, REVISE, PPCEF], ids=["wachter", "revise", "ppcef"])
def test_without_a_free_column_that_counts_there_is_no_answer(method) -> None:
    task = plane_task(plane_table(), immutable=("x",))
    given_rows = answered(method, task, home(), count=2)
    assert given_rows.outcomes == {"none": 1}
    pd.testing.assert_series_equal(given_rows.counterfactuals.dtypes, task.train.dtypes)


@pytest.mark.parametrize("method", [WACHTER, REVISE, PPCEF], ids=["wachter", "revise", "ppcef"])
def test_the_best_start_comes_first_and_starts_differ(method) -> None:
    task = plane_task(plane_table())
    found = answered(method, task, home(), count=4)
    assert found.outcomes == {"complete": 1}
    assert (task.classifier.predicted(found.counterfactuals) == 1).all()
    assert np.ptp(found.counterfactuals["x"]) > 0
    alone = answered(method, task, home(), count=1)
    assert set(alone.counterfactuals["x"].round(6)) <= set(found.counterfactuals["x"].round(6))


def test_revise_stays_nearer_if_distance_counts_more() -> None:
    task, rows = plane_task(plane_table()), plane_table(seed=1).query("x < 0.4").head(10)
    moves = []
    for weight in (0.0, 5.0):
        found = answered(replace(REVISE, distance=weight, descent=Descent(steps=5, learning_rate=0.5)), task, rows)
        factuals = rows.iloc[found.row].reset_index(drop=True)
        moves.append((found.counterfactuals[["x", "y"]] - factuals[["x", "y"]]).abs().to_numpy().mean())
    assert moves[1] < moves[0]


def test_the_flow_learns_where_the_rows_of_a_class_are() -> None:
    chance = np.random.default_rng(0)
    points = torch.from_numpy(np.concatenate([chance.normal(0.2, 0.05, (200, 2)), chance.normal(0.8, 0.05, (200, 2))]))
    classes = torch.arange(2).repeat_interleave(200)
    density = trained_density(PPCEF.density, points, classes, np.zeros(2, dtype=bool), class_count=2, seed=0)
    assert density.course["held_out_loss"] < density.course["held_out_loss_untrained"] - 0.5
    at_home, away = (density.log_density(points, own).mean() for own in (classes, 1 - classes))
    assert at_home > away + 3
    assert density.quantile(points[:200], 0, 0.25) < density.quantile(points[:200], 0, 0.75)
    assert density.quantile(points[:0], 0, 0.25) == -np.inf


def test_ppcef_goes_on_to_where_rows_are_dense() -> None:
    train = plane_table()
    train.loc[train["x"] > 0.5, "x"] = 0.9 + train["x"] / 10  # nothing lies just behind the border
    task = plane_task(train)
    patient = replace(PPCEF, density=replace(PPCEF.density, epochs=50))
    near, dense = (answered(method, task, home()).counterfactuals["x"].iloc[0] for method in (WACHTER, patient))
    assert near < 0.6
    assert dense > 0.75


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Descent(steps=0, learning_rate=0.1), r"Descent\.steps"),
        (lambda: Wachter(growth=0.5), r"Wachter\.growth"),
        (lambda: Revise(spread=-1.0), r"Revise\.spread"),
        (lambda: Ppcef(quantile=2.0), r"Ppcef\.quantile"),
        (lambda: DensitySettings(patience=0), r"DensitySettings\.patience"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, message) -> None:
    with pytest.raises(InvalidInputError, match=message):
        wrong()

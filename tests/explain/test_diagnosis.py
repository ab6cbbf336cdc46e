"""What an explainer says of its own sampler."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from counterflownet import CounterFlowNet, Immutable
from counterflownet.explain.diagnosis import _rank_correlation, noise_floor

SETTINGS = {"objective": "subtrajectory", "batch_rows": 64, "width": 64, "patience": None, "balanced": False}


@pytest.fixture(scope="module", name="table")
def small_table() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame(draw.integers(0, 5, size=(200, 4)), columns=list("abcd"))


@pytest.fixture(scope="module")
def explainers(table) -> dict[int, CounterFlowNet]:
    """Hardly trained and well trained, on 5^4 states."""
    model = LogisticRegression().fit(table, table.sum(axis=1) > 8)
    reward = {"temperature": {"kind": "exponential", "beta": 8.0}}
    return {
        steps: CounterFlowNet(model, reward=reward, training={**SETTINGS, "steps": steps}).fit(table)
        for steps in (5, 300)
    }


def test_training_brings_every_measure_nearer_to_proportional(explainers, table) -> None:
    begun, trained = (explainers[steps].diagnose(table.head(5)).rows.median() for steps in (5, 300))
    assert trained["total_variation"] < 0.7 * begun["total_variation"]
    assert trained["spread"] < 0.7 * begun["spread"]
    assert trained["effective_share"] > 1.5 * begun["effective_share"]
    assert trained["rank_correlation"] > begun["rank_correlation"] + 0.1


def sampled_distance(explainer: CounterFlowNet, row: pd.DataFrame, pool: int | None) -> float:
    """Total variation between two thousand samples and the exact R/Z, over all states but the factual itself."""
    answer = explainer.sample(row, samples=2_000, pool=pool)
    found = pd.Series(1.0, index=pd.MultiIndex.from_frame(answer.counterfactuals)).groupby(level=[0, 1, 2, 3]).sum()
    every = explainer.sample(row, samples=400_000)  # all states, hardly one missing
    states = every.counterfactuals.assign(reward=every.reward).drop_duplicates()
    wanted = np.exp(8.0 * states.set_index(list("abcd"))["reward"])
    both = pd.concat([found / found.sum(), wanted / wanted.sum()], axis=1).fillna(0)
    return float(both.diff(axis=1).iloc[:, 1].abs().sum() / 2)


def test_corrected_samples_of_a_hardly_trained_policy_come_near_the_noise_of_perfect_ones(explainers, table) -> None:
    row = table.head(1)
    floor = explainers[5].diagnose(row, samples=2_000).rows["noise_floor"].item()
    plain, corrected = (sampled_distance(explainers[5], row, pool) for pool in (None, 300_000))
    assert plain > floor + 0.1
    assert corrected < floor + 0.04


def test_more_samples_of_a_distribution_have_less_noise() -> None:
    even = np.full(100, 0.01)
    floors = [noise_floor(even, samples, np.random.default_rng(0)) for samples in (100, 10_000)]
    assert floors[0] > 0.3
    assert floors[1] < 0.05


def test_a_diagnosis_names_its_rows_and_reads_well(explainers, table) -> None:
    rows = table.head(3).set_axis(["x", "y", "z"], axis=0)
    found = explainers[5].diagnose(rows, samples=50, constraints=[Immutable("a")])
    assert list(found.rows.index) == ["x", "y", "z"]
    assert "total variation" in repr(found)
    assert explainers[5].diagnose(rows, samples=50, exact=False).rows["total_variation"].isna().all()
    assert "no row" in repr(explainers[5].diagnose(rows, constraints=[Immutable(*"abcd")]))


def test_rows_with_too_many_states_are_not_counted(people, explainer) -> None:
    found = explainer.diagnose(people.head(4), samples=40)
    assert found.rows["total_variation"].isna().all()
    assert found.rows["effective_share"].between(0, 1).all()
    assert "total variation" not in repr(found)


def test_what_does_not_vary_has_no_rank_correlation_and_no_warning() -> None:
    rising, level = np.arange(5.0), np.ones(5)
    assert np.isnan(_rank_correlation(rising, level))
    assert np.isnan(_rank_correlation(level, rising))
    assert np.isnan(_rank_correlation(rising[:2], rising[:2]))
    assert _rank_correlation(rising, -(rising**3)) == pytest.approx(-1)

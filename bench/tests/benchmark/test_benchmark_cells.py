import json
from dataclasses import replace

import numpy as np
import pytest

from counterflownet import __version__
from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.method import Given
from counterflownet_bench.benchmark.cell import Cell, Trial, chosen_rows
from counterflownet_bench.benchmark.scoring import plain_json
from counterflownet_bench.datasets import load_benchmark

PROMISED = {
    "protocol",
    "dataset",
    "method",
    "seed",
    "instances",
    "count",
    "metrics",
    "settings",
    "classifier",
    "seconds",
    "version",
}
CODED = ("sparsity", "diversity", "harmonic_mean", "validity", "coverage", "unary")
MIXED = ("validity", "proximity_continuous", "sparsity_categorical", "epsilon_sparsity", "lof", "diversity")


def result_of(cell, data):
    return Trial.begin(cell, data).result(cell)


@pytest.fixture(scope="module")
def german_data():
    return load_benchmark("german_credit")


def test_a_small_cell_of_protocol_a_for_real(german, german_data):
    cell = german(preset="paper", selection="raw", steps=2)
    result = result_of(cell, german_data)
    assert set(result) >= PROMISED
    assert (result["instances"], result["count"], result["version"]) == (10, 10, __version__)
    assert all(0 <= result["metrics"][name] <= 100 for name in CODED)
    assert result["metrics"]["unary"] == 100
    assert result["violations"] == {"immutable": 0, "increasing": 0}
    assert result["classifier"]["accuracy"] == pytest.approx(0.67)
    assert sum(way["instances"] for way in result["directions"]) == 10
    assert (result["training"]["steps"], result["settings"]["reading"]["temperature"]) == (2, "exponential")
    assert 0 <= result["metrics"]["tightness"] <= 1
    assert 1 <= result["metrics"]["strategies"] <= 10
    assert (
        result["fit_calls"] == 2 * 1_000 + result["data"]["train"]
    )  # each batch, and the classes of all rows at first
    assert result["seconds"]["explain_cpu"] > 0
    assert result["seconds"]["fit"] > 0
    assert json.loads(json.dumps(result, allow_nan=False)) == result


def test_a_small_cell_of_protocol_b_for_real_raw_and_selected():
    whole = load_benchmark("adult_protocol_b")
    data = replace(whole, train=whole.train.head(800), test=whole.test.head(100))
    cell = Cell(
        protocol="b", dataset="adult_protocol_b", method="counterflownet", preset="default", instances=10, steps=2
    )
    trial = Trial.begin(cell, data)
    raw, selected = (trial.result(replace(cell, selection=selection)) for selection in ("raw", "selected"))
    for result in (raw, selected):
        for convention in ("range", "zscore"):
            assert all(np.isfinite(result["metrics"][convention][name]) for name in MIXED)
    assert (raw["selection"], selected["selection"]) == ("raw", "selected")
    assert selected["metrics"]["validity_returned"] == 1.0
    assert raw["metrics"]["range"]["validity"] <= selected["metrics"]["range"]["validity"]
    # All selected answers are valid, so their changes by column add up to their changes in all.
    assert sum(selected["changed_columns"].values()) == round(selected["metrics"]["changes"] * selected["answers"])
    assert 0 < sum(raw["changed_columns"].values()) < raw["metrics"]["changes"] * raw["answers"]
    assert list(selected["changed_columns"]) == list(data.card.features)
    assert not selected["data"]["as_published"]


def test_the_target_is_the_opposite_of_what_is_predicted(german, german_data, quick, fits):
    result = result_of(german(method=quick, instances=None), german_data)
    share = result["classifier"]["predicted"]
    all_valid = {"validity": 1.0, "coverage": 1.0}
    assert result["directions"] == [
        {"from": 1, "to": 0, "instances": round(200 * share["1"])} | all_valid,
        {"from": 0, "to": 1, "instances": round(200 * share["0"])} | all_valid,
    ]
    assert result["metrics"]["validity"] == 100
    assert list(fits[0].train.columns) == list(german_data.card.features)


def test_broken_rules_and_old_rows_are_counted(german, german_data, quick):
    result = result_of(german(method=quick), german_data)
    assert result["violations"]["immutable"] > 0
    assert result["violations"]["increasing"] > 0
    assert result["metrics"]["unary"] < 100
    assert result["metrics"]["training_rows"] == 100


def test_a_copy_of_the_factual_is_no_answer(german, german_data, register):
    class Lazy:
        training: dict = {}  # noqa: RUF012

        def settings(self):
            return {}

        def fit(self, task):
            return self

        def answer(self, rows, targets, *, count, selection):
            row = np.arange(len(rows))
            return Given(counterfactuals=rows.copy(), row=row, rank=np.ones_like(row), outcomes={})

    register(lazy=lambda preset: Lazy())
    result = result_of(german(method="lazy"), german_data)
    assert (result["answers"], result["copies"]) == (0, 10)
    assert (result["metrics"]["validity"], result["metrics"]["coverage"]) == (0, 0)
    assert result["metrics"]["sparsity"] is None


def test_the_chosen_rows_follow_from_the_seed_and_are_the_same_for_every_method(german):
    predicted = np.arange(200) % 2
    few = german(instances=50)
    assert chosen_rows(predicted, german(instances=50, method="other", preset="paper")) == chosen_rows(predicted, few)
    assert chosen_rows(predicted, german(instances=50, seed=1)) != chosen_rows(predicted, few)
    assert len(set(chosen_rows(predicted, few))) == 50
    for everything in (None, 1000):
        assert chosen_rows(predicted, german(instances=everything)) == list(range(200))


def test_a_quarter_of_the_chosen_rows_is_of_a_rare_class_as_far_as_it_reaches(german):
    for rare, expected in ((3, 3), (40, 10)):
        predicted = (np.arange(10_000) < rare).astype(int)
        chosen = chosen_rows(predicted, german(instances=40))
        assert (len(set(chosen)), predicted[chosen].sum()) == (40, expected)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dataset": "adult_protocol_b"}, "adult_protocol_b belongs to protocol b"),
        ({"dataset": "german"}, "Did you mean 'german_credit'"),
        ({"preset": "papre"}, "Did you mean 'paper'"),
        ({"selection": "best"}, "unknown selection 'best'"),
        ({"instances": 0}, "instances must be at least 1"),
        ({"count": 0}, "count must be at least 1"),
    ],
)
def test_a_cell_that_cannot_be_asked_is_an_error_at_once(german, changes, message):
    with pytest.raises(InvalidInputError, match=message):
        german(**changes)


def test_what_is_no_number_becomes_null():
    given = {1: np.float64("nan"), "b": (np.int64(3), float("inf")), "c": {"d": np.bool_(True)}}
    assert plain_json(given) == {"1": None, "b": [3, None], "c": {"d": True}}

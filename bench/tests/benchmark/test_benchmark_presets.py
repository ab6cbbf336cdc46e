from dataclasses import replace
from inspect import signature

import pytest

from counterflownet import Bins, CounterFlowNet, RewardSettings, RewardWeights, TrainingSettings
from counterflownet.errors import InvalidInputError
from counterflownet.tabular.feature import Kind
from counterflownet_bench.as_published.reading import READINGS
from counterflownet_bench.benchmark.methods import OURS, method_of
from counterflownet_bench.benchmark.presets import BINS, COUNT, INSTANCES, preset_of
from counterflownet_bench.benchmark.roles import constraints_of, schema_of
from counterflownet_bench.datasets import CARDS, load_benchmark, protocol_names


def test_protocol_a_has_the_paper_s_weights_and_four_equally_full_bins():
    preset = preset_of("paper", "a", "german_credit")
    weights = preset.weights
    assert (weights.validity, weights.sparsity, weights.proximity, weights.plausibility) == (1.0, 0.01, 0.0, 0.0)
    assert (preset.reward.margin, preset.reward.sparsity_over) == (0.0, "all")
    assert (preset.bins.count, preset.bins.strategy, preset.bins.decode) == (4, "quantile", "centre")
    assert (preset.reward.temperature.kind, preset.reward.temperature.beta) == ("exponential", 40.0)


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [("adult_protocol_b", (1.0, 0.8, 0.4, 0.4, 0.1)), ("lending_club", (1.0, 0.5, 0.4, 0.3, 0.25))],
)
def test_protocol_b_has_the_paper_s_weights(dataset, expected):
    preset = preset_of("paper", "b", dataset)
    weights = preset.weights
    found = (weights.validity, weights.sparsity, weights.plausibility, weights.proximity, preset.reward.margin)
    assert found == expected
    assert (preset.reward.sparsity_over, preset.reward.proximity_over) == ("categorical", "numeric")
    assert (preset.bins.count, preset.bins.strategy) == (64, "uniform")


def test_the_tuned_preset_of_protocol_b_has_the_library_s_reward_over_training_ranges():
    preset = preset_of("tuned", "b", "lending_club")
    then = RewardSettings(missed=1.0, proximity_over="numeric", proximity_scale="range")
    assert (preset.weights, preset.reward) == (RewardWeights(), then)


@pytest.mark.parametrize("name", ["tuned", "sparsest", "diverse", "most-diverse"])
def test_what_was_chosen_for_the_protocols_says_what_the_library_did_then(name):
    for protocol, dataset in (("a", "german_credit"), ("b", "lending_club")):
        if protocol == "a" and name != "tuned":
            continue
        preset = preset_of(name, protocol, dataset)
        assert (preset.reward.proximity_scale, preset.tight) == ("range", False)
        assert (preset.training.balanced, preset.training.repair) == (False, 0.0)
        assert preset.selection_settings()["tight"] is False


def test_the_paper_s_presets_are_its_own_method_and_none_of_the_library_s_settings():
    told = method_of(OURS, preset_of("paper", "b", "bank_marketing")).settings()
    assert (told["learning_rate"], told["flow_factor"], told["exploration"]) == (5e-3, 10.0, 0.05)
    assert (told["batch_rows"], told["steps"], told["reading"]["reassign"]) == (1000, 5000, False)
    assert told["weights"]["sparsity"] == 0.8
    assert method_of(OURS, preset_of("paper-reassign", "a", "german_credit", steps=7)).settings()["steps"] == 7


@pytest.mark.parametrize("name", READINGS)
def test_every_reading_of_the_paper_is_a_preset_that_draws_exactly_as_many_samples_as_are_shown(name):
    preset = preset_of(name, "a", "student_performance")
    assert (preset.name, preset.reading, preset.samples, preset.rounds) == (name, READINGS[name], COUNT, 1)
    assert preset.bins.count == (3 if READINGS[name].l2c_bins else 4)


def test_the_tuned_preset_is_trained_as_the_library_did():
    ours = preset_of("tuned", "b", "bank_marketing").training
    assert replace(ours, steps=TrainingSettings().steps) == TrainingSettings(balanced=False, repair=0.0)


@pytest.mark.parametrize("dataset", protocol_names("b"))
def test_every_table_of_protocol_b_is_searched_as_long_by_the_tuned_preset(dataset):
    settings = preset_of("tuned", "b", dataset).to_json()
    assert (settings["rounds"], settings["seconds"]) == (8, 60.0)


@pytest.mark.parametrize(("protocol", "dataset"), [("a", "german_credit"), ("b", "adult_protocol_b")])
def test_the_default_preset_is_what_the_library_does_by_itself(protocol, dataset):
    preset = preset_of("default", protocol, dataset)
    shipped = CounterFlowNet(lambda rows: rows, classes=[0, 1]).settings
    assert (preset.weights, preset.reward, preset.training) == (shipped.weights, shipped.reward, shipped.training)
    assert preset.bins == Bins()
    ours = signature(CounterFlowNet.explain).parameters
    assert {name: ours[name].default for name in preset.selection_settings()} == preset.selection_settings()


def test_the_tuned_preset_selects_for_diversity_too():
    assert (
        0 < preset_of("tuned", "a", "german_credit").diversity < preset_of("tuned", "b", "adult_protocol_b").diversity
    )
    assert preset_of("tuned", "b", "adult_protocol_b").samples == 400


def test_a_thousand_rows_are_explained_by_default():
    assert INSTANCES == 1000


def test_limits_replace_those_of_the_preset():
    preset = preset_of("paper", "a", "german_credit", steps=7, minutes=2)
    assert (preset.training.steps, preset.minutes) == (7, 2.0)
    with pytest.raises(InvalidInputError, match="minutes must be at least"):
        preset_of("paper", "a", "german_credit", minutes=-1)


def test_columns_are_what_the_card_says():
    data = load_benchmark("german_credit")
    schema = schema_of(data.card, data.X_train, BINS["a"])
    assert schema.names == data.card.features
    assert {feature.name for feature in schema if feature.kind is Kind.CONTINUOUS} == {"Months", "Credit-amount", "age"}
    assert schema["Present-employment-since"].values == (1, 2, 3, 4, 5)
    assert {feature.name for feature in schema if feature.kind is Kind.ORDERED} == set(data.card.ordered)
    assert [schema[name].code_count for name in data.card.continuous] == [4, 4, 4]


def test_values_that_only_test_rows_have_are_not_known_to_methods():
    data = load_benchmark("graduate_admission_400")
    assert 1.0 in data.X_test["LOR"].to_numpy()
    assert schema_of(data.card, data.X_train, BINS["a"])["LOR"].values == (1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)


def test_protocol_a_has_constraints_and_protocol_b_has_none():
    assert [repr(rule) for rule in constraints_of(CARDS["graduate_admission"])] == [
        "Immutable('University Rating')",
        "Increasing('Research')",
    ]
    assert not any(constraints_of(CARDS[name]) for name in protocol_names("b"))


@pytest.mark.parametrize("name", ["tuned", "default"])
def test_what_a_preset_says_of_selection_is_what_explain_is_asked(name):
    asked = preset_of(name, "b", "bank_marketing").selection_settings()
    assert set(asked) <= set(signature(CounterFlowNet.explain).parameters)
    assert asked.get("seconds") == {"tuned": 60.0}.get(name)

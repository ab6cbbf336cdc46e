from dataclasses import asdict

import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature


def test_the_defaults_change_only_on_purpose():
    assert asdict(RewardWeights()) == {"validity": 1.0, "proximity": 0.4, "plausibility": 0.4, "sparsity": 0.2}
    assert asdict(RewardSettings()) == {
        "margin": 0.5,
        "missed": 0.5,
        "proximity_over": "ordered",
        "proximity_scale": "mixed",
        "proximity_norm": 1.0,
        "sparsity_over": "all",
        "reference_rows": 25_000,
        "temperature": {"kind": "power", "beta": 20.0, "floor": 0.01},
    }


@pytest.mark.parametrize("name", ["validity", "proximity", "plausibility", "sparsity"])
@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_weights_lie_between_zero_and_one(name, wrong):
    with pytest.raises(InvalidInputError, match=rf"RewardWeights\.{name} must be between 0 and 1"):
        RewardWeights(**{name: wrong})


@pytest.mark.parametrize(
    ("beta", "floor"), [(-1.0, 0.1), (float("nan"), 0.1), (float("inf"), 0.1), (1.0, 0.0), (1.0, 1.5)]
)
def test_temperature_and_floor_must_keep_logarithms_finite(beta, floor):
    with pytest.raises(
        InvalidInputError, match=r"Temperature\.(beta must be at least 0 and finite|floor must be between)"
    ):
        Temperature(beta=beta, floor=floor)


@pytest.mark.usefixtures("without_annotations")
def test_an_unknown_temperature_is_named_with_a_guess():
    with pytest.raises(InvalidInputError, match=r"unknown Temperature\.kind 'powr'\. Did you mean 'power'"):
        Temperature(kind="powr")


@pytest.mark.parametrize("name", ["proximity_over", "sparsity_over"])
@pytest.mark.usefixtures("without_annotations")
def test_what_a_term_counts_is_one_of_four(name):
    with pytest.raises(
        InvalidInputError, match=rf"unknown RewardSettings\.{name} 'numerical'.*all, ordered, numeric, categorical"
    ):
        RewardSettings(**{name: "numerical"})


@pytest.mark.usefixtures("without_annotations")
def test_an_unknown_scale_of_distances_is_named_with_those_there_are():
    with pytest.raises(InvalidInputError, match=r"unknown RewardSettings\.proximity_scale 'ranges'.*range"):
        RewardSettings(proximity_scale="ranges")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("margin", 1.5),
        ("margin", -0.1),
        ("missed", 1.1),
        ("missed", -0.1),
        ("proximity_norm", 0.5),
        ("reference_rows", 1),
    ],
)
def test_other_settings_out_of_bounds_are_named(name, wrong):
    with pytest.raises(InvalidInputError, match=rf"RewardSettings\.{name} must be"):
        RewardSettings(**{name: wrong})


def test_all_training_rows_may_be_the_reference():
    assert RewardSettings(reference_rows=None).reference_rows is None

"""What a call may prefer, and what it is told if it may not."""

import pandas as pd
import pytest
from small_rewards import SCHEMA

from counterflownet.errors import InvalidInputError
from counterflownet.reward.preference import Standard, Wish
from counterflownet.reward.settings import RewardSettings, RewardWeights
from counterflownet.reward.terms import RowTerm

OWN = [(RowTerm("cheap", lambda rows, factuals: factuals), 0.5)]
STANDARD = Standard.of(SCHEMA, RewardWeights(), RewardSettings(), OWN)
LABELS = pd.Index(["a", "b", "a"])


def asked(wish: Wish | None = None, by_label=None):
    return STANDARD.asked(wish or Wish(), by_label, LABELS)


def test_whoever_wishes_for_nothing_prefers_what_the_fit_does():
    assert asked() is None
    assert asked(by_label={}) is None


def test_weights_that_are_not_named_stay_as_they_were_fitted():
    found = asked(Wish(weights={"sparsity": 0.9, "cheap": 0.1}))
    assert dict(zip(found.terms, found.weights[1].tolist(), strict=True)) == {
        "validity": 1.0,
        "proximity": 0.4,
        "plausibility": 0.4,
        "sparsity": 0.9,
        "cheap": 0.1,
    }


def test_a_settings_object_says_all_four_weights():
    found = asked(Wish(weights=RewardWeights(sparsity=0.7, proximity=0.0)))
    assert found.weights[0].tolist() == [1.0, 0.0, 0.4, 0.7, 0.5]


def test_columns_that_are_not_named_cost_one():
    assert asked(Wish(costs={"age": 4, "job": 0})).costs.tolist() == [[4.0, 1.0, 0.0]] * 3


def test_single_rows_may_prefer_something_on_top_of_what_all_do():
    found = asked(Wish(costs={"age": 4}), {"a": {"costs": {"income": 2}, "weights": {"sparsity": 1}}})
    assert found.costs.tolist() == [[4.0, 2.0, 1.0], [4.0, 1.0, 1.0], [4.0, 2.0, 1.0]]
    assert found.weights[:, 3].tolist() == [1.0, 0.2, 1.0]


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (Wish(weights={"sparsty": 1}), "Did you mean 'sparsity'"),
        (Wish(weights={"sparsity": -0.1}), "between 0 and 1; got -0.1"),
        (Wish(weights={"sparsity": float("nan")}), "between 0 and 1; got nan"),
        (Wish(weights={"sparsity": 1.1}), "between 0 and 1; got 1.1"),
        (Wish(weights={"sparsity": "much"}), "between 0 and 1; got 'much'"),
        (Wish(weights=["sparsity"]), "map terms to numbers"),
        (Wish(weights=dict.fromkeys(STANDARD.weights, 0.0)), "all weights are 0"),
        (Wish(costs={"agee": 2}), "Did you mean 'age'"),
        (Wish(costs={"age": -1}), "between 0 and 16; got -1"),
        (Wish(costs={"age": float("nan")}), "between 0 and 16; got nan"),
        (Wish(costs={"age": 17}), "between 0 and 16; got 17"),
        (Wish(costs=[("age", 2)]), "map columns to numbers"),
        (Wish(beta=100.0), "beta must be between 5 and 80; got 100"),
    ],
)
def test_a_wish_that_cannot_be_granted_is_an_error_that_says_why(wish, told):
    with pytest.raises(InvalidInputError, match=told):
        asked(wish)


@pytest.mark.parametrize(
    ("by_label", "told"),
    [
        ({"c": {}}, "names row 'c'"),
        ([("a", {})], "must map index labels"),
        ({"a": {"price": {}}}, "unknown entry in the preference of row 'a'"),
        ({"a": 3}, "must be a mapping"),
        ({"a": {"costs": {"age": -1}}}, "between 0 and 16"),
    ],
)
def test_preferences_of_single_rows_are_checked_as_well(by_label, told):
    with pytest.raises(InvalidInputError, match=told):
        asked(by_label=by_label)

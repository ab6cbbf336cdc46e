from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from small_rewards import SCHEMA, Stub, X, candidates, edits, factuals

from counterflownet.errors import InvalidInputError
from counterflownet.protocols import Classifier
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.factors import Scores
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import Proximity, RowTerm, Sparsity, Validity, counted_features
from made_states import states

ALL = counted_features(SCHEMA, "all")


@dataclass
class Fixed:
    """A term that gives what it was told to."""

    logs: Any
    name: str = "fixed"

    def log_values(self, _):
        return self.logs


def constant(value: float, name: str = "own") -> RowTerm:
    return RowTerm(name, lambda rows, _: np.full(len(rows), value))


def scores(*terms, codes=((1, None, None),), stub=None, temperature=None, rows=X) -> Scores:
    edited = edits(*map(list, codes))
    reward = Reward(stub or Stub([0.6, 0.4]), terms, temperature or Temperature())
    return reward.scores(reward.candidates(factuals(rows), edited, np.ones(len(edited), dtype=np.int64)))


def asked_about(*, stub: Stub, codes=((1, None, None),)) -> Candidates:
    edited = edits(*map(list, codes))
    return Reward(stub, (), Temperature()).candidates(factuals(), edited, np.ones(len(edited), dtype=np.int64))


def test_the_stub_is_a_classifier():
    assert isinstance(Stub([0.5, 0.5]), Classifier)


def test_the_reward_is_the_product_of_its_terms_to_the_power_of_their_weights():
    found = scores((Validity(0.1), 0.5), (Proximity(ALL), 0.4), (Sparsity(ALL), 0.3), codes=[(1, 1, None)])
    assert found.reward.tolist() == pytest.approx([0.7**0.5 * np.exp(-0.4 * 0.75) * np.exp(-0.3)])


def test_each_term_is_reported_before_its_weight():
    found = scores((Validity(0.1), 0.5), (Sparsity(ALL), 0.3), codes=[(1, 1, None)])
    assert list(found.terms) == ["validity", "sparsity"]
    assert found.terms["validity"] == pytest.approx([0.7])
    assert found.terms["sparsity"] == pytest.approx([np.exp(-1)])


def test_a_weight_of_zero_switches_a_term_off_even_where_its_value_is_zero():
    found = scores((constant(0.5), 1.0), (constant(0.0, "none"), 0.0))
    assert found.reward.tolist() == [0.5]
    assert found.terms["none"].tolist() == [0.0]


def test_without_terms_every_reward_is_one():
    assert scores().reward.tolist() == [1.0]


def test_a_term_of_zero_makes_the_reward_zero():
    found = scores((constant(0.0), 0.3))
    assert found.reward.tolist() == [0.0]
    assert np.isfinite(found.log_reward).all()


def reported(outlier: LocalOutlierFactor | None = None, **weights: float) -> list[str]:
    own = RowTerm("even", lambda rows, factuals: np.full(len(rows), 0.5))
    given = RewardWeights(**{"validity": 1.0, "proximity": 0.0, "plausibility": 0.0, "sparsity": 0.0} | weights)
    built = Reward.build(Stub([0.3, 0.7]), SCHEMA, given, RewardSettings(), outlier, [(own, 0.5)])
    assert built.temperature == RewardSettings().temperature
    return list(built.scores(candidates([1, None, None])).terms)


def test_a_reward_reports_the_terms_that_have_a_weight_and_the_users_own():
    assert reported() == ["validity", "even"]
    every = reported(proximity=0.3, plausibility=0.2, sparsity=0.1)  # without neighbours nothing is more plausible
    assert every == ["validity", "proximity", "sparsity", "even"]


@pytest.mark.parametrize(("weight", "present"), [(0.0, False), (0.2, True)])
def test_plausibility_is_reported_if_it_has_a_weight_and_rows_to_compare_with(weight, present):
    found = reported(LocalOutlierFactor(factuals().vectors), plausibility=weight)
    assert ("plausibility" in found) == present


def test_what_a_users_term_writes_into_its_rows_no_other_term_sees():
    def spoiling(rows: pd.DataFrame, before: pd.DataFrame) -> np.ndarray:
        rows["age"], before["age"] = 0, 0
        return np.ones(len(rows))

    def watching(rows: pd.DataFrame, before: pd.DataFrame) -> np.ndarray:
        return ((rows["age"] == 30) & (before["age"] == 20)).to_numpy(float)

    found = scores((RowTerm("spoiling", spoiling), 1.0), (RowTerm("watching", watching), 1.0))
    assert found.terms["watching"].tolist() == [1.0]


def test_a_value_of_one_and_a_rounding_error_counts_as_one():
    found = scores((Fixed(np.array([1e-12])), 1.0))
    assert found.reward.tolist() == found.terms["fixed"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("exponential", 0.5, 20.0),
        ("exponential", 0.0, 0.04),
        ("power", 0.5, 40 * np.log(0.5)),
        ("power", 0.0, 40 * np.log(0.001)),
    ],
)
def test_both_temperatures_are_as_they_are_written(kind, value, expected):
    temperature = Temperature(kind=kind, beta=40.0, floor=0.001)
    assert scores((constant(value), 1.0), temperature=temperature).log_reward == pytest.approx([expected])


def test_under_a_power_every_change_counts_however_many_there_are():
    counted = Sparsity(np.ones(3, dtype=bool))
    codes = [(2, None, None), (2, 1, None), (2, 1, 2)]
    steep = Temperature(kind="power", beta=100.0, floor=0.5)  # one change more is already below the floor
    found = scores((counted, 1.0), (constant(0.1), 1.0), codes=codes, temperature=steep)
    assert np.diff(found.log_reward) == pytest.approx([-100.0, -100.0])
    assert found.log_reward[0] == pytest.approx(100 * np.log(0.5))  # the other part has a floor
    flat = scores((counted, 1.0), codes=codes, temperature=Temperature(kind="exponential", beta=100.0, floor=0.5))
    assert np.diff(flat.log_reward) == pytest.approx([-50.0, 0.0])


def test_what_is_scored_is_the_decoded_row():
    stub = Stub([0.4, 0.6])
    found = asked_about(codes=[(2, None, None), (None, 1, 2)], stub=stub)
    (asked,) = stub.asked
    pd.testing.assert_frame_equal(asked, found.rows)
    assert asked.to_dict("records") == [
        {"age": 60, "income": 0.5, "job": "cook"},
        {"age": 20, "income": 1.5, "job": "pilot"},
    ]
    assert asked.dtypes.tolist() == X.dtypes.tolist()


def test_the_classifier_is_asked_once_for_all_candidates():
    stub = Stub([0.4, 0.6])
    scores((Validity(), 1.0), codes=[(code, None, None) for code in (1, 2, 1, 2)], stub=stub)
    assert [len(rows) for rows in stub.asked] == [4]


def test_candidates_are_valid_where_the_target_leads():
    assert asked_about(stub=Stub([0.4, 0.6])).valid.tolist() == [True]
    assert asked_about(stub=Stub([0.5, 0.5])).valid.tolist() == [False]


def test_some_of_the_candidates_are_what_they_were_among_all():
    all_of_them = candidates([1, None, None], [None, 2, None], [2, 1, None], probabilities=((0.3, 0.7),))
    some = all_of_them[np.array([2, 0])]
    assert some.rows["age"].tolist() == [60, 30]
    assert some.rows.index.tolist() == [0, 1]
    assert some.changed.tolist() == all_of_them.changed[[2, 0]].tolist()
    assert some.lead.tolist() == all_of_them.lead[[2, 0]].tolist()
    assert (some.distances == all_of_them.distances[[2, 0]]).all()


def test_a_row_with_missing_and_never_seen_values_is_scored_as_it_is():
    stub = Stub([0.4, 0.6])
    rows = pd.DataFrame({"age": [99], "income": [np.nan], "job": ["jester"]})
    scores((Proximity(ALL), 1.0), codes=[(1, None, None)], stub=stub, rows=rows)
    assert stub.asked[0].iloc[0].drop("income").to_dict() == {"age": 30, "job": "jester"}
    assert stub.asked[0]["income"].isna().all()


@pytest.mark.parametrize("wrong", [1.5, -0.5, np.nan, np.inf])
def test_a_term_outside_zero_and_one_is_named(wrong):
    with pytest.raises(InvalidInputError, match=r"the reward term 'own' returned a value of .*must lie in \[0, 1\]"):
        scores((constant(wrong), 1.0))


@pytest.mark.parametrize("logs", [np.zeros(2), np.zeros((1, 1)), 0.0, []], ids=repr)
def test_a_term_of_another_shape_is_named(logs):
    with pytest.raises(InvalidInputError, match=r"'fixed' returned shape \(.*\) for 1 candidates; it must return one"):
        scores((Fixed(logs), 1.0))


def test_a_users_function_that_gives_one_number_for_all_is_named():
    with pytest.raises(InvalidInputError, match=r"'own' returned shape \(\) for 1 candidates"):
        scores((RowTerm("own", lambda _rows, _before: np.array(0.5)), 1.0))


def test_no_candidates_have_no_scores():
    reward = Reward(Stub([0.4, 0.6]), [(Validity(), 1.0), (Proximity(ALL), 1.0)], Temperature())
    nothing = states([], np.zeros((0, 3)))
    none = reward.candidates(factuals(), nothing, nothing.row.numpy())
    assert reward.scores(none).reward.shape == (0,)

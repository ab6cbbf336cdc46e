"""Rows that miss the target keep a share of their validity; ordered columns may be counted by themselves."""

import numpy as np
import pandas as pd
import pytest
from small_rewards import SCHEMA, Stub, candidates, edits, factuals

from counterflownet.reward.reward import Reward
from counterflownet.reward.settings import RewardSettings, RewardWeights
from counterflownet.reward.terms import Proximity, Sparsity, Validity, counted_features
from counterflownet.tabular.schema import Schema

CODES = ([1, None, None],) * 5
SAID = ((0.1, 0.9), (0.4, 0.6), (0.5, 0.5), (0.7, 0.3), (1.0, 0.0))  # two valid rows, then three that are not
PAPER = np.array([1.0, 1.0, 1.0, 0.6, 0.0])


def values(term: Validity, confidence: float | None = None) -> np.ndarray:
    return np.exp(term.log_values(candidates(*CODES, probabilities=SAID, confidence=confidence)))


@pytest.mark.parametrize("missed", [0.0, 0.25, 0.7])
def test_rows_that_miss_the_target_keep_a_share_and_valid_ones_all(missed):
    assert values(Validity(missed=missed)) == pytest.approx([1.0, 1.0, missed, 0.6 * missed, 0.0])


def test_a_share_of_one_is_the_validity_of_the_paper_as_is_no_share():
    assert values(Validity(missed=1.0)) == pytest.approx(PAPER)
    assert values(Validity()) == pytest.approx(PAPER)


@pytest.mark.parametrize(("confidence", "valid"), [(0.5, 2), (0.6, 2), (0.61, 1), (0.95, 0)])
def test_a_row_misses_the_target_as_well_if_it_lacks_the_confidence_that_was_asked_for(confidence, valid):
    expected = PAPER * np.where(np.arange(5) < valid, 1.0, 0.5)
    assert values(Validity(missed=0.5), confidence) == pytest.approx(expected)


def test_valid_rows_are_measured_by_the_margin_all_the_same():
    expected = [1.0, 0.7, 0.5 * 0.5, 0.1 * 0.5, 0.0]
    assert values(Validity(margin=0.5, missed=0.5)) == pytest.approx(expected)


def test_a_near_miss_is_worth_less_than_a_narrow_hit_however_near():
    close = Validity(missed=0.7).log_values(
        candidates(*CODES[:2], probabilities=((0.4999, 0.5001), (0.5001, 0.4999))),
    )
    assert np.exp(close) == pytest.approx([1.0, 0.7], abs=1e-3)


def built(settings: RewardSettings) -> Reward:
    return Reward.build(Stub([0.6, 0.4]), SCHEMA, RewardWeights(), settings, None, [])


def validity_of(reward: Reward) -> float:
    scores = reward.scores(reward.candidates(factuals(), edits([1, None, None]), np.ones(1, dtype=np.int64)))
    return float(scores.terms["validity"][0])


def test_a_reward_is_built_with_the_share_of_its_settings():
    assert validity_of(built(RewardSettings(margin=0.0, missed=0.25))) == pytest.approx(0.8 * 0.25)
    assert validity_of(built(RewardSettings(margin=0.1, missed=0.5))) == pytest.approx(0.7 * 0.5)
    assert validity_of(built(RewardSettings(margin=0.0, missed=1.0))) == pytest.approx(0.8)


@pytest.mark.parametrize("missed", [0.0, 0.5])
def test_without_a_margin_nothing_is_taken_from_rows_that_miss_the_target(missed):
    reward = built(RewardSettings(margin=0.3, missed=missed))
    assert validity_of(reward.without_margin()) == pytest.approx(0.8)
    (term, *_) = (term for term, _ in reward.without_margin().terms if isinstance(term, Validity))
    assert (term.margin, term.missed) == (0.0, 1.0)
    assert validity_of(reward) == pytest.approx(0.5 * missed)  # the reward itself stays as it was


GRADES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
MIXED = Schema.infer(
    pd.DataFrame(
        {
            "word": ["u", "v", "w"],
            "grade": pd.Series(["low", "mid", "high"]).astype(GRADES),
            "whole": [1, 2, 3],
            "flag": [True, False, True],
            "day": pd.date_range("2024-01-01", periods=3),
            "part": [0.5, 1.5, 2.5],
        }
    )
)


@pytest.mark.parametrize(
    ("over", "names"),
    [
        ("ordered", {"grade", "whole", "day", "part"}),
        ("numeric", {"whole", "day", "part"}),
        ("categorical", {"word", "grade", "flag"}),
        ("all", {"word", "grade", "whole", "flag", "day", "part"}),
    ],
)
def test_ordered_are_numbers_dates_and_ordered_categories(over, names):
    counted = counted_features(MIXED, over)
    assert {name for name, count in zip(MIXED.names, counted, strict=True) if count} == names


def test_a_reward_counts_the_columns_of_its_settings():
    settings = RewardSettings(proximity_over="ordered", sparsity_over="categorical")
    reward = Reward.build(Stub([0.6, 0.4]), MIXED, RewardWeights(), settings, None, [])
    counted = {type(term): term.counted.tolist() for term, _ in reward.terms if not isinstance(term, Validity)}
    expected = {Proximity: "ordered", Sparsity: "categorical"}
    assert counted == {kind: counted_features(MIXED, over).tolist() for kind, over in expected.items()}

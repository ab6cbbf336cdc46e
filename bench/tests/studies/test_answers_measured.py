"""All figures of a stand-in whose answers were written down, and the page about figures that are known."""

import numpy as np
import pandas as pd
import pytest
from answers_by_hand import JUDGE, TRAIN, StandIn, Sum, frame

from counterflownet.errors import InvalidInputError
from counterflownet_bench.studies.answers_asked import Fitted
from counterflownet_bench.studies.answers_bars import BARS
from counterflownet_bench.studies.answers_measured import measured
from counterflownet_bench.studies.answers_page import chapter
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_tables import Posed, Rows

OWN, POOR, STUCK = (2, 2, "mid", "red"), (0, 9, "low", "red"), (4, 2, "low", "red")
ANSWERS = {
    OWN: [(8, 2, "mid", "red"), (5, 2, "mid", "red"), (4, 1, "mid", "red"), (9, 2, "mid", "red")],
    STUCK: [
        (7, 2, "low", "red"),
        (4, 2, "low", "blue"),
        (4, 0, "low", "blue"),
        (4, 2, "high", "red"),
        (5, 2, "low", "red"),
        (6, 1, "low", "red"),  # shown to those who ask for more than five
    ],
}
ROWS = frame(OWN, POOR, STUCK)


def stand_in(explainer: StandIn) -> Fitted:
    rows = Rows(TRAIN, pd.Series(Sum().predict_proba(TRAIN).argmax(axis=1)))
    return Fitted(Posed(rows, rows), JUDGE, explainer, "yes", 1.0, 0.0)


@pytest.fixture(scope="module")
def result():
    return measured(stand_in(StandIn(ANSWERS)), ROWS, Rules(), 0)


def test_flaws_are_shares_of_the_answers_and_of_their_changes(result) -> None:
    found = result["figures"]
    assert (result["rows"], found["answers"]) == (3, 9)
    assert found["valid"] == pytest.approx(8 / 9)  # a sum of three is not enough
    assert found["allowed"] == 1.0
    assert found["minimal"] == pytest.approx(7 / 8)  # what turns blue need not pay back
    assert found["ordered_changes"] == 8
    assert found["loose"] == found["loose_over_values"] == pytest.approx(3 / 8)
    assert found["dominated"] == pytest.approx(2 / 8)


def test_strategies_are_counted_where_there_are_answers_and_wanted_where_they_exist(result) -> None:
    found = result["figures"]
    assert found["strategies"] == pytest.approx((2 + 4) / 2)
    assert found["rows_with_four"] == 2  # the poor row must earn more and pay back
    assert found["four_shown"] == 0.5


def test_recall_is_of_column_sets_that_exist(result) -> None:
    found = result["figures"]
    assert found["recall_single"] == pytest.approx((1 / 2 + 3 / 3) / 2)
    assert found["column_sets"] == pytest.approx((5 + 1 + 6) / 3)
    assert found["recall"] == pytest.approx((2 / 5 + 0 + 4 / 6) / 3)
    assert found["recall_at_best"] == 1.0


def test_a_row_that_has_an_answer_and_gets_none_is_a_false_none(result) -> None:
    found = result["figures"]
    assert (found["answerable"], found["answerable_by_two"], found["false_none"]) == (3, 3, 1)
    assert found["found"] == pytest.approx(2 / 3)


def test_rows_that_need_three_changes_are_known_to_have_an_answer_by_chance() -> None:
    rules = Rules(immutable=("income",))
    found = measured(stand_in(StandIn({})), frame(POOR), rules, 0)["figures"]
    assert (found["answerable"], found["false_none"], found["found"]) == (1, 1, 0.0)
    assert found["answerable_by_two"] == 0
    assert found["column_sets"] is None
    impossible = measured(stand_in(StandIn({})), frame(POOR), Rules(("income", "colour")), 0)["figures"]
    assert (impossible["answerable"], impossible["false_none"], impossible["found"]) == (0, 0, None)


def test_the_best_answers_here_leave_nothing_to_regret(result) -> None:
    assert result["figures"]["regret"] == result["figures"]["regret_worst"] == result["figures"]["regret_tight"] == 0.0
    assert result["figures"]["regret_within"] == 1.0


def test_an_explainer_that_cannot_score_has_no_regret() -> None:
    class Mute(StandIn):
        score = property()  # which is no attribute to those who ask

    found = measured(stand_in(Mute(ANSWERS)), ROWS, Rules(), 0)["figures"]
    assert found["regret"] is None


def test_the_explainer_is_asked_for_few_and_for_many_answers_under_the_rules() -> None:
    explainer = StandIn(ANSWERS)
    measured(stand_in(explainer), ROWS, Rules(("colour",)), 0)
    assert [asked["count"] for asked in explainer.asked] == [5, 20, 5, 5, 5]  # at last each row alone
    assert all(repr(asked["constraints"]) == "[Immutable('colour')]" for asked in explainer.asked)
    assert all(asked["target"] == "yes" for asked in explainer.asked)


def test_examples_say_each_change_in_words(result) -> None:
    shown = result["examples"]
    assert [len(example["answers"]) for example in shown] == [4, 0, 5]
    assert shown[0]["answers"][2] == "income 2 -> 4; debt 2 -> 1"
    assert shown[2]["answers"][1] == "colour red -> blue"


def test_rows_to_explain_are_drawn_from_those_that_are_not_approved() -> None:
    fitted = stand_in(StandIn({}))
    every = fitted.rows(1_000, 0)
    assert not JUDGE.valid(JUDGE.space.coordinates(every)).any()
    assert len(fitted.rows(2, 0)) == 2 < len(every) < len(TRAIN)
    approved = Rows(TRAIN[Sum().predict_proba(TRAIN).argmax(axis=1) == 1], pd.Series(dtype=int))
    with pytest.raises(InvalidInputError, match="every row in the class 'yes'"):
        Fitted(Posed(approved, approved), JUDGE, None, "yes", 1.0, 0.0).rows(5, 0)


PERFECT = {name: 1.0 for bar in BARS for name in bar.figures} | {
    "loose": 0.0,
    "loose_over_values": 0.0,
    "dominated": 0.0,
    "regret": 0.0,
    "regret_tight": 0.0,
    "regret_within": 1.0,
    "changes": 1.5,
    "strategies": 4.25,
    "recall": 0.5,
    "recall_single": None,
}


def made_up(seed: int = 0, *, constrained: bool = False, **figures) -> dict:
    return {
        "question": {
            "dataset": "german_credit",
            "classifier": "boosted_trees",
            "constrained": constrained,
            "seed": seed,
            "part": "test",
        },
        "rows": 40 + seed,
        "figures": PERFECT | figures,
        "examples": [{"row": 0, "answers": ["age 20 -> 30"]}],
        "seconds": {"explain_alone": 0.1, "explain_together": 0.01, "check": 1.0, "fit": 1.0},
    }


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        ({"loose": 0.01, "regret": 0.02, "regret_tight": 0.02, "found": 0.995}, None),
        ({"valid": 0.999}, "valid (99.9 %)"),
        ({"allowed": 0.999}, "within the constraints (99.9 %)"),
        ({"minimal": 0.999}, "minimal (99.9 %)"),
        ({"loose": 0.011}, "loose changes, on either grid (1.1 %)"),
        ({"loose_over_values": 0.011}, "loose changes, on either grid (1.1 %)"),
        ({"dominated": 0.001}, "dominated (0.1 %)"),
        ({"four_shown": 0.99}, "four strategies among five, where there are four (99 %)"),
        ({"found": 0.99}, "rows with an answer, of those that have one (99 %)"),
        ({"regret": 0.021}, "regret, loose rivals included, mean of a setting's rows (2.1 %)"),
        ({"regret_tight": 0.021}, "regret among tight answers, mean of a setting's rows (2.1 %)"),
    ],
)
def test_the_page_says_which_bars_are_met_by_the_worst_seed(figures, words) -> None:
    told = chapter([made_up(0), made_up(1, **figures), made_up(2)]).ours
    if words is None:
        assert told == "9 of 9 bars are met by every setting and seed."
    else:
        assert told == f"8 of 9 bars are met by every setting and seed; not met: {words}."


def test_the_page_names_the_worst_seed_and_shows_means_and_examples() -> None:
    results = [made_up(0), made_up(1, loose=0.5), made_up(0, constrained=True, regret=None)]
    page = chapter(results).page().markdown()
    setting = "German Credit (Statlog), boosted trees"
    assert f"| loose changes, on either grid | ≤ 1 % | {setting}, seed 1 | 50 % | **not met** |" in page
    assert f"| {setting} | 100 % | 100 % | 1.50 | 25 % | 0 % | 0 % | n/a | 4.25 | 100 % | 50 % | n/a |" in page
    assert f"| {setting}, constrained | 0 |" in page
    assert "| 1 | 1 | age 20 -> 30 |" in page
    assert "Measured on 40 to 41 rows" in page


def test_what_was_not_measured_is_neither_met_nor_missed() -> None:
    assert chapter([]).ours == "nothing was measured yet."
    page = chapter([made_up(regret=None)]).page().markdown()
    assert "| regret, loose rivals included, mean of a setting's rows | ≤ 2 % |  | n/a | not measured |" in page
    assert "8 of 8 bars" in page


def test_figures_are_plain_numbers(result) -> None:
    assert all(value is None or type(value) in {int, float} for value in result["figures"].values())
    assert np.isfinite(list(result["seconds"].values())).all()

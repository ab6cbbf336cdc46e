"""Training rows as examples, for factuals that nothing else could help."""

import numpy as np
import pandas as pd
import pytest
from made_grounds import Made

from counterflownet import CounterFlowNet, Immutable, Increasing, OneOf, Outcome
from counterflownet.classifier import as_classifier
from counterflownet.explain.examples import Examples, _nearest
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.tabular.factuals import Factuals

GRADES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
DRAW = np.random.default_rng(0)
TRAIN = pd.DataFrame(
    {
        "a": DRAW.integers(0, 30, 200),
        "b": DRAW.normal(size=200).round(2),
        "grade": pd.Series(DRAW.choice(GRADES.categories, 200)).astype(GRADES),
        "word": DRAW.choice(list("uvwx"), 200),
    }
)


def secret(rows: pd.DataFrame) -> np.ndarray:
    """Four columns must be right at once: only whole rows of the training table show how."""
    right = (rows["a"] >= 15) & (rows["b"] > 0) & (rows["grade"] == "high") & rows["word"].isin(["u", "v"])
    return right.to_numpy(float)


def examples_of(train: pd.DataFrame = TRAIN, *, private: bool = False) -> Examples:
    table = Factuals(Made(train.head(1), train, secret).table.codec.schema, train)
    outlier = None if private else LocalOutlierFactor.fit(table.vectors, reference_rows=None, seed=0)
    return Examples(table.codec.schema, train, as_classifier(secret, classes=["no", "yes"]), outlier)


@pytest.fixture(scope="module")
def examples() -> Examples:
    return examples_of()


def test_codes_are_those_of_the_training_rows_within_rounding(examples) -> None:
    own = Factuals(examples.schema, TRAIN).codec.codes
    for codes in examples.codes:
        apart = np.abs(own - codes)
        assert (apart <= [1, 1, 0, 0]).all(axis=1).any()  # a number at the edge of two codes may be of either


def test_a_row_becomes_like_the_nearest_rows_of_the_class_wanted(examples) -> None:
    made = Made(TRAIN.head(3), TRAIN, secret)
    states = examples.states(made.table, made.allowance.allowed, 2, target=1, count=6)
    assert set(states.row.tolist()) == {2}
    assert 0 < len(states) <= 6
    assert secret(made.decoded(states)).all()
    wanted = examples.codes[examples.classes == 1]
    assert {tuple(row) for row in states.codes.tolist()} <= {tuple(row) for row in wanted}


def test_nearer_examples_come_first(examples) -> None:
    made = Made(TRAIN.head(3), TRAIN, secret)
    few, many = (examples.states(made.table, made.allowance.allowed, 0, 1, count).codes.tolist() for count in (3, 9))
    assert many[:3] == few


def test_only_what_is_allowed_becomes_alike(examples) -> None:
    rules = [Immutable("word"), Increasing("a"), OneOf("grade", ["mid", "high"])]
    made = Made(TRAIN.head(3).assign(a=12, grade=pd.Series(["low"] * 3, dtype=GRADES)), TRAIN, secret, rules)
    for row in range(3):
        found = made.decoded(examples.states(made.table, made.allowance.allowed, row, 1, 20))
        assert len(found) > 0
        assert (found["word"] == TRAIN["word"].iloc[row]).all()
        assert (found["a"] >= 12).all()
        assert found["grade"].isin(["mid", "high"]).all()


def test_there_are_none_in_a_file_that_was_saved_private() -> None:
    none, made = examples_of(private=True), Made(TRAIN.head(3), TRAIN, secret)
    assert len(none.codes) == len(none.classes) == 0
    assert len(none.states(made.table, made.allowance.allowed, 0, 1, 5)) == 0


def test_an_answer_that_needs_all_of_an_example_is_found_unless_saved_private(tiny, tmp_path) -> None:
    hard = TRAIN[(TRAIN["a"] < 10) & (TRAIN["b"] < 0) & (TRAIN["grade"] == "low") & TRAIN["word"].isin(["w", "x"])]
    assert len(hard) >= 2
    explainer = CounterFlowNet(secret, classes=["no", "yes"], training=tiny).fit(TRAIN)
    answer = explainer.explain(hard, target="yes", count=1, samples=1, rounds=1)
    assert {row.outcome for row in answer.outcomes} == {Outcome.COMPLETE}
    assert secret(answer.counterfactuals).all()


@pytest.mark.parametrize(
    ("steps", "nearest"), [([5.0], [5.0, 5.0, 5.0]), ([2.0, 5.0], [2.0, 5.0, 5.0]), ([1.0, 4.0, 7.0], [1.0, 4.0, 7.0])]
)
def test_what_vectors_kept_of_a_number_is_the_nearest_step(steps, nearest) -> None:
    assert _nearest(np.array(steps), np.array([0.5, 4.5, 9.0])).tolist() == nearest

"""Questions of numbers, from a table to answers: one fit serves every interval."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression

from counterflownet import (
    AtLeast,
    AtMost,
    Between,
    By,
    CounterFlowNet,
    CounterFlowNetError,
    Immutable,
    Increasing,
    Outcome,
)
from counterflownet.errors import ClassifierChangedWarning, SavedFileError
from counterflownet.files import read_tensors, write_tensors
from timing import least_seconds

DRAW = np.random.default_rng(0)
HOUSES = pd.DataFrame(
    {
        "rooms": DRAW.integers(1, 9, 200),
        "age": DRAW.integers(0, 90, 200),
        "place": DRAW.choice(["town", "coast", "hills"], 200),
    },
    index=[f"house {number}" for number in range(200)],
)


def price(rows: pd.DataFrame) -> np.ndarray:
    """What a house costs: no edit is without effect."""
    bonus = rows["place"].map({"town": 0.0, "coast": 60.0, "hills": 25.0}).astype(float)
    return (40.0 * rows["rooms"] - 1.5 * rows["age"] + bonus).to_numpy()


@pytest.fixture(scope="module", name="priced")
def fitted() -> CounterFlowNet:
    training = {"steps": 60, "batch_rows": 48, "width": 24}
    return CounterFlowNet(price, task="regression", training=training).fit(HOUSES)


@pytest.mark.parametrize("target", [AtLeast(180), AtMost(120), Between(150, 155), By(30), By(-25.5), By(percent=10)])
def test_every_prediction_is_where_it_should_lie(priced, target) -> None:
    rows = HOUSES.head(25)
    answer = priced.explain(rows, target=target, count=3)
    after, before = price(answer.counterfactuals), price(rows)
    low, high = (np.array([getattr(one, end) for one in answer.targets])[answer.row] for end in ("low", "high"))
    assert len(answer.row) > 0
    assert answer.valid.all()
    assert ((after >= low) & (after <= high)).all()
    assert answer.prediction.tolist() == after.tolist()
    assert answer.prediction_before.tolist() == list(answer.predicted) == before.tolist()


def test_rows_that_are_inside_already_are_told_so_and_all_others_answered(priced) -> None:
    rows, target = HOUSES.head(40), Between(140, 160)
    answer = priced.explain(rows, target=target, count=1)
    inside = (price(rows) >= 140) & (price(rows) <= 160)
    outcomes = np.array([outcome.outcome for outcome in answer.outcomes])
    assert set(outcomes[inside]) == {Outcome.ALREADY_TARGET}
    assert set(outcomes[~inside]) == {Outcome.COMPLETE}


def test_each_row_can_have_an_interval_of_its_own(priced) -> None:
    targets = [AtLeast(300), AtMost(50), Between(100, 110), By(5)]
    answer = priced.explain(HOUSES.head(4), target=targets, count=1)
    assert answer.targets[:3] == tuple(targets[:3])
    assert answer.targets[3] == AtLeast(price(HOUSES)[3] + 5)
    assert answer.valid.all()


def test_answers_are_minimal_and_tight(priced) -> None:
    rows = HOUSES[price(HOUSES) < 150].head(10)
    answer = priced.explain(rows, target=AtLeast(200), count=3)
    for number in range(len(answer.row)):
        for column, old, new in answer.changes(number):
            found = answer.counterfactuals.iloc[[number]]
            assert price(found.assign(**{column: old}))[0] < 200
            if column != "place":
                between = HOUSES[column][(HOUSES[column] - old) * (HOUSES[column] - new) < 0]
                assert all(price(found.assign(**{column: nearer}))[0] < 200 for nearer in between)


def test_constraints_hold(priced) -> None:
    rules = [Immutable("place"), Increasing("age")]
    answer = priced.explain(HOUSES.head(20), target=By(20), count=3, constraints=rules)
    before = HOUSES.iloc[answer.row]
    assert (answer.counterfactuals["place"].to_numpy() == before["place"].to_numpy()).all()
    assert (answer.counterfactuals["age"].to_numpy() >= before["age"].to_numpy()).all()


def test_what_no_row_reaches_is_said_so_within_a_second_with_the_range_that_is() -> None:
    forest = RandomForestRegressor(5, random_state=0).fit(HOUSES[["rooms", "age"]], price(HOUSES))
    explainer = CounterFlowNet(forest, training={"steps": 3, "width": 16}).fit(HOUSES[["rooms", "age"]])
    explainer.explain(HOUSES[["rooms", "age"]].head(1), target=By(1))  # what is done only once is charged to no row
    answer = explainer.explain(HOUSES[["rooms", "age"]].head(1), target=AtLeast(5_000))
    assert least_seconds(lambda: explainer.explain(HOUSES[["rooms", "age"]].head(1), target=AtLeast(5_000))) < 1.0
    (outcome,) = answer.outcomes
    most = forest.predict(HOUSES[["rooms", "age"]]).max()
    assert outcome.outcome is Outcome.OUT_OF_REACH
    assert f"and {most:.4g}" in outcome.reason or f"and {most:.5g}" in outcome.reason
    assert "the nearest prediction was" in outcome.reason


def test_beyond_all_training_rows_a_line_goes_on() -> None:
    line = LinearRegression().fit(HOUSES[["rooms", "age"]], price(HOUSES))
    explainer = CounterFlowNet(line, training={"steps": 3, "width": 16}).fit(HOUSES[["rooms", "age"]])
    top = float(line.predict(HOUSES[["rooms", "age"]]).max())
    answer = explainer.explain(pd.DataFrame({"rooms": [8], "age": [30]}), target=AtLeast(top - 1), count=1)
    assert answer.valid.all()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "no target was given. Allowed: AtLeast"),
        ({"target": "dear"}, "got 'dear'"),
        ({"target": AtLeast(200), "confidence": 0.8}, "narrow the interval"),
        ({"target": [AtLeast(200)]}, "1 targets were given for 200 rows"),
    ],
)
def test_what_cannot_be_asked_of_a_regressor_is_told(priced, asked, told) -> None:
    with pytest.raises(CounterFlowNetError, match=told):
        priced.explain(HOUSES, **asked)


def test_tables_and_files_tell_predictions(priced) -> None:
    answer = priced.explain(HOUSES.head(2), target=By(15), count=2)
    frame = answer.to_frame()
    assert {"prediction_before", "prediction"} < set(frame.columns)
    assert "probability" not in frame.columns
    (row, _) = json.loads(answer.to_json())["rows"]
    assert row["target"] == repr(answer.targets[0])
    assert row["prediction_before"] == row["predicted"] == price(HOUSES)[0]
    assert "prediction" in row["counterfactuals"][0]
    assert f"predicted {price(HOUSES)[0]:g}, wanted at least {price(HOUSES)[0] + 15:g}\n" in repr(answer)
    assert "<small>prediction</small>" in answer.to_html()
    assert "probability" not in answer.to_html()


def test_samples_scores_and_diagnoses_take_intervals_too(priced) -> None:
    rows = HOUSES[price(HOUSES) < 100].head(6)
    drawn = priced.sample(rows, target=AtLeast(140), samples=10)
    assert (drawn.valid == (price(drawn.counterfactuals) >= 140)).all()
    scores = priced.score(rows, rows.assign(rooms=8), target=AtLeast(140))
    assert scores["prediction"].tolist() == price(rows.assign(rooms=8)).tolist()
    assert (scores["valid"] == (scores["prediction"] >= 140)).all()
    assert len(priced.diagnose(rows, target=AtLeast(140), samples=20, pool=40).rows) == len(rows)


def test_a_file_has_all_but_the_model(priced, tmp_path) -> None:
    path = priced.save(tmp_path / "prices.cfn")
    loaded = CounterFlowNet.load(path, price)
    asked = {"target": Between(150, 170), "count": 2}
    one, other = (explainer.explain(HOUSES.head(5), **asked) for explainer in (priced, loaded))
    pd.testing.assert_frame_equal(one.to_frame(), other.to_frame())


def test_a_file_of_a_classifier_takes_no_regressor_nor_the_other_way_round(priced, tmp_path) -> None:
    path, training = priced.save(tmp_path / "prices.cfn"), {"steps": 2, "width": 8}
    dear = LogisticRegression().fit(HOUSES[["rooms"]], price(HOUSES) > 150)
    line = LinearRegression().fit(HOUSES[["rooms"]], price(HOUSES))
    with pytest.raises(CounterFlowNetError, match="LogisticRegression is a classifier"):
        CounterFlowNet.load(path, dear)
    other = CounterFlowNet(dear, training=training).fit(HOUSES[["rooms"]]).save(tmp_path / "dear.cfn")
    with pytest.raises(CounterFlowNetError, match="was fitted for a classifier; this model is a regressor"):
        CounterFlowNet.load(other, line)


def test_another_regressor_is_noticed_by_what_it_predicts(priced, tmp_path) -> None:
    path = priced.save(tmp_path / "prices.cfn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CounterFlowNet.load(path, lambda rows: price(rows) * (1 + 1e-9))
    with pytest.warns(ClassifierChangedWarning, match="its predictions differ by up to 7[.]"):
        CounterFlowNet.load(path, lambda rows: price(rows) + 7)


def test_a_fit_looks_at_every_kind_of_interval(priced) -> None:
    kinds = {direction.target for direction in priced.history.directions}
    assert kinds == {"higher", "lower", "between, higher", "between, lower"}


@pytest.mark.parametrize(
    ("language", "wanted", "reached"),
    [
        ("en", "What is wanted is 180 or more.", "The prediction would be"),
        ("de", "Gewünscht ist 180 oder mehr.", "wäre"),
    ],
)
def test_sentences_tell_predictions_and_what_was_wanted(priced, language, wanted, reached) -> None:
    text = priced.explain(HOUSES.head(3), target=AtLeast(180.0)).to_text(language=language)
    assert wanted in text
    assert reached in text
    assert "%" not in text


def test_the_figure_of_a_row_marks_the_ends_of_what_was_wanted(priced) -> None:
    axes = priced.explain(HOUSES.head(1), target=Between(150.0, 155.0)).plot().axes[1]
    assert axes.get_title(loc="left") == "Prediction"
    assert sorted(line.get_xdata()[0] for line in axes.lines) == [150.0, 155.0]


@pytest.mark.parametrize(
    ("header", "tensors"),
    [
        ({"task": "ranking"}, {}),
        ({"deviation": -1.0}, {}),
        ({"deviation": "much"}, {}),
        ({}, {"ranks/knots": torch.zeros(2, dtype=torch.float64)}),
        ({}, {"ranks/knots": torch.arange(3)}),
        ({}, {"probe/probabilities": torch.zeros(16, 2, dtype=torch.float64)}),
    ],
)
def test_a_forged_file_is_an_error_of_ours(priced, tmp_path, header, tensors) -> None:
    own, kept = read_tensors(priced.save(tmp_path / "prices.cfn"), kind="explainer", version=4)
    forged = write_tensors(tmp_path / "forged.cfn", own | header, kept | tensors)
    with pytest.raises(SavedFileError):
        CounterFlowNet.load(forged, LinearRegression().fit(HOUSES[["rooms"]], price(HOUSES)))

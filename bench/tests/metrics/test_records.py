import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.schema import Schema
from counterflownet_bench.metrics import (
    Answers,
    MixedSpace,
    OutlierFactor,
    change_evaluation,
    coded_evaluation,
    evaluate_changes,
    evaluate_coded,
    evaluate_mixed,
    mixed_evaluation,
)
from counterflownet_bench.metrics import records as records_file

TRAIN = pd.DataFrame(
    {
        "age": np.arange(20, 60),
        "grade": np.tile(["low", "mid", "high", "mid"], 10),
        "job": np.repeat(["cook", "clerk"], 20),
    }
)
SCHEMA = Schema.infer(TRAIN, bins=Bins(edges=(20.0, 30.0, 40.0, 60.0)), orders={"grade": ["low", "mid", "high"]})
SPACE = MixedSpace(
    train=TRAIN, numeric=["age"], categorical={"grade": ["low", "mid", "high"], "job": ["cook", "clerk"]}
)
FACTUALS = pd.DataFrame({"age": [25, 45], "grade": ["mid", "low"], "job": ["cook", "clerk"]})


def answers(**changes) -> Answers:
    fields = {
        "factuals": FACTUALS,
        "counterfactuals": pd.DataFrame(
            {"age": [29, 35, 45], "grade": ["low", "mid", "low"], "job": ["cook", "clerk", "cook"]}
        ),
        "row": np.array([0, 0, 1]),
        "rank": np.array([1, 2, 1]),
        "valid": np.array([True, True, False]),
        "count": 2,
    }
    return Answers(**(fields | changes))


def test_frames_become_codes_in_places():
    record = coded_evaluation(answers(), SCHEMA, increasing=["grade", "age"])
    assert record.factual.tolist() == [[0, 1, 1], [2, 0, 0]]
    assert record.counterfactual.tolist() == [[[0, 0, 1], [1, 1, 0]], [[2, 0, 1], [-1, -1, -1]]]
    assert record.changed[0].tolist() == [[True, True, False], [True, False, True]]
    assert record.present.tolist() == [[True, True], [True, False]]
    assert record.valid.tolist() == [[True, True], [False, False]]
    assert record.increasing.tolist() == [True, True, False]
    assert evaluate_coded(record, ["unary"])["unary"] == pytest.approx(100 * ((1 / 2 + 2 / 2) / 2 + 1) / 2)


def test_a_schema_in_another_order_of_columns_gives_the_same_metrics():
    other = Schema(SCHEMA.features[::-1])
    assert evaluate_coded(coded_evaluation(answers(), other, increasing=["age"])) == pytest.approx(
        evaluate_coded(coded_evaluation(answers(), SCHEMA, increasing=["age"]))
    )


def test_a_feature_without_order_cannot_be_monotone():
    with pytest.raises(InvalidInputError, match="'job' has no order"):
        coded_evaluation(answers(), SCHEMA, increasing=["job"])


def test_a_value_that_the_schema_never_saw_may_stay_but_not_come_in():
    seen_nowhere = FACTUALS.assign(job=["pilot", "clerk"])
    kept = answers().counterfactuals.assign(job=["pilot", "clerk", "cook"])
    coded_evaluation(answers(factuals=seen_nowhere, counterfactuals=kept), SCHEMA)
    with pytest.raises(InvalidInputError, match="changes column 'job' to 'pilot'"):
        coded_evaluation(answers(counterfactuals=kept), SCHEMA)


def test_a_column_that_nobody_looks_at_is_an_error():
    with pytest.raises(InvalidInputError, match=r"schema and the answers must have the same columns.*: job"):
        coded_evaluation(answers(), Schema(SCHEMA.features[:2]))
    with pytest.raises(InvalidInputError, match=r"space and the answers must have the same columns.*: age"):
        mixed_evaluation(answers(), MixedSpace(train=TRAIN, numeric=[], categorical=SPACE.categorical))


def test_frames_become_numbers_categories_and_outlier_factors():
    record = mixed_evaluation(answers(), SPACE)
    assert record.factual_numbers.tolist() == [[25.0], [45.0]]
    assert record.numbers[0].tolist() == [[29.0], [35.0]]
    assert record.codes[:, 0].tolist() == [[0, 0], [0, 0]]
    assert (record.scale.low, record.scale.high) == (20.0, 59.0)
    shown = SPACE.vectors(answers().counterfactuals[:2], "zscore")
    expected = OutlierFactor(SPACE.vectors(TRAIN, "zscore"))(shown)
    assert record.lof_zscore[0] == pytest.approx(expected)
    assert np.isnan(record.lof_zscore[1]).all()  # an invalid answer and an empty place
    assert evaluate_mixed(record, ["proximity_continuous"])["range"] == {
        "proximity_continuous": pytest.approx((4 / 39 + 10 / 39) / 2)
    }


def test_vectors_are_scaled_numbers_and_one_hot_categories():
    rows = pd.DataFrame({"age": [20, 59], "grade": ["high", "low"], "job": ["cook", "clerk"]})
    assert SPACE.vectors(rows, "range").tolist() == [[0, 0, 0, 1, 1, 0], [1, 1, 0, 0, 0, 1]]
    assert SPACE.vectors(rows, "zscore")[:, 0] == pytest.approx([-1.6892, 1.6892], abs=1e-4)  # 19.5 / 11.543


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [("job", "pilot", "'pilot', which is not one of"), ("age", np.nan, "'age' has missing or infinite numbers")],
)
def test_what_protocol_b_cannot_measure_is_named(column, value, message):
    odd = answers().counterfactuals.astype({"age": float})
    odd.loc[0, column] = value
    with pytest.raises(InvalidInputError, match=message):
        mixed_evaluation(answers(counterfactuals=odd), SPACE)


def test_a_space_of_columns_that_are_not_there_is_an_error():
    with pytest.raises(InvalidInputError, match="unknown column 'agee'"):
        MixedSpace(train=TRAIN, numeric=["agee"], categorical={})


def test_a_change_is_superfluous_if_the_answer_stays_valid_without_it():
    def judge(rows, row):  # only the grade of the first counterfactual matters, in the second both do
        return (rows["grade"] == "low").to_numpy() & (row == 0)

    record = change_evaluation(answers(), TRAIN, judge)
    # undoing the age of (29, low, cook) leaves it low; the others go back to mid
    assert record.superfluous[0].tolist() == [[True, False, False], [False, False, False]]
    found = evaluate_changes(record)
    assert found == {"minimality": 1 / 2, "training_rows": 0.0, "changes": 2.0}


def test_the_judge_sees_each_valid_answer_with_one_change_undone():
    seen = []

    def judge(rows, row):
        seen.extend([*rows.itertuples(index=False, name=None), row.tolist()])
        return np.zeros(len(rows), dtype=bool)

    change_evaluation(answers(), TRAIN, judge)
    assert seen == [(25, "low", "cook"), (29, "mid", "cook"), (25, "mid", "clerk"), (35, "mid", "cook"), [0, 0, 0, 0]]


def test_an_only_change_is_never_superfluous_and_the_judge_not_asked():
    single = pd.DataFrame({"age": [25, 26, 45], "grade": ["low", "mid", "mid"], "job": ["cook", "cook", "clerk"]})

    def judge(rows, row):
        pytest.fail("nothing is left to undo")

    assert not change_evaluation(answers(counterfactuals=single), TRAIN, judge).superfluous.any()


def test_the_judge_is_asked_in_parts_of_bounded_size(monkeypatch):
    monkeypatch.setattr(records_file, "JUDGED_AT_ONCE", 3)
    sizes = []

    def judge(rows, row):
        sizes.append(len(rows))
        return (rows["grade"] == "low").to_numpy()

    assert change_evaluation(answers(), TRAIN, judge).superfluous[0, 0].tolist() == [True, False, False]
    assert sizes == [3, 1]


def test_an_answer_that_is_a_training_row_is_known_in_whatever_type():
    old = answers(
        counterfactuals=pd.DataFrame({"age": [26.0, 35.0, 45.0], "grade": ["high", "low", "mid"], "job": ["cook"] * 3})
    )  # the training rows of age 26 and 35 are (high, cook) and (mid, cook)
    record = change_evaluation(old, TRAIN, lambda rows, row: np.zeros(len(rows), dtype=bool))
    assert record.in_training.tolist() == [[True, False], [False, False]]
    assert evaluate_changes(record, ["training_rows"]) == {"training_rows": 1 / 2}

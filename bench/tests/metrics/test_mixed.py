from dataclasses import replace
from math import isnan, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics import MIXED_METRICS, MixedEvaluation, Scale, evaluate_mixed

NAN = float("nan")
# Two numbers with training ranges 10 and 100 and deviations 2 and 50; two categories; two instances with two places.
SCALE = Scale(
    low=np.array([0.0, 0.0]),
    high=np.array([10.0, 100.0]),
    mean=np.array([5.0, 40.0]),
    deviation=np.array([2.0, 50.0]),
)
PRESENT = np.array([[True, True], [True, False]])
VALID = np.array([[True, True], [False, False]])


def record(**changes) -> MixedEvaluation:
    fields = {
        "factual_numbers": np.array([[1.0, 50.0], [5.0, 5.0]]),
        "factual_codes": np.array([[0, 0], [1, 1]]),
        "numbers": np.array([[[1.5, 80.0], [1.0, 50.0]], [[5.0, 45.0], [NAN, NAN]]]),
        "codes": np.array([[[0, 0], [1, 2]], [[1, 0], [-1, -1]]]),
        "present": PRESENT,
        "valid": VALID,
        "scale": SCALE,
        "lof_range": np.array([[1.0, 4.0], [NAN, NAN]]),
        "lof_zscore": np.array([[2.0, 8.0], [NAN, NAN]]),
    }
    return MixedEvaluation(**(fields | changes))


# Valid are the first instance's answers: numbers moved by (0.5, 30) and (0, 0), categories changed 0 and 2 of 2.
RANGE = {
    "validity": 2 / 4,
    "proximity_continuous": ((0.05 + 0.3) + 0) / 2,
    "sparsity_categorical": (0 / 2 + 2 / 2) / 2,
    "epsilon_sparsity": (1 / 2 + 0) / 2,  # 0.5 is exactly 5 % of the range, which is not more
    "lof": (log(1.0) + log(4.0)) / 2,
    "diversity": ((0.05 + 0.3 + 2) / 4 + 0) / 2,  # the second instance has a single answer
    "diversity_valid": (0.05 + 0.3 + 2) / 4,  # the second instance has no valid one
    "sparsity_all": (2 / 4 + 2 / 4) / 2,
}
ZSCORE = RANGE | {
    "proximity_continuous": ((0.25 + 0.6) / 2 + 0) / 2,
    "epsilon_sparsity": (2 / 2 + 0) / 2,
    "lof": (log(2.0) + log(8.0)) / 2,
    "diversity": ((0.25 + 0.6 + 2) / 4 + 0) / 2,
    "diversity_valid": (0.25 + 0.6 + 2) / 4,
}


@pytest.mark.parametrize("name", MIXED_METRICS)
def test_every_metric_of_a_case_computed_by_hand(name):
    found = evaluate_mixed(record(), [name])
    assert found == {"range": {name: pytest.approx(RANGE[name])}, "zscore": {name: pytest.approx(ZSCORE[name])}}


def test_the_outlier_factor_is_a_median():
    three = record(
        valid=np.array([[True, True], [True, False]]),
        lof_range=np.array([[1.0, 4.0], [1000.0, NAN]]),
        lof_zscore=np.array([[1.0, 4.0], [1000.0, NAN]]),
    )
    assert evaluate_mixed(three, ["lof"])["range"]["lof"] == pytest.approx(log(4.0))


def test_without_valid_answers_there_is_nothing_to_average():
    found = evaluate_mixed(record(valid=np.zeros((2, 2), dtype=bool)))["zscore"]
    assert found["validity"] == 0.0
    assert found["diversity"] == pytest.approx(ZSCORE["diversity"])
    assert all(isnan(found[name]) for name in set(MIXED_METRICS) - {"validity", "diversity"})


def test_a_table_of_numbers_only_has_no_categorical_sparsity():
    none = np.empty((2, 0), dtype=np.int64), np.empty((2, 2, 0), dtype=np.int64)
    moved = record().numbers + np.array([[[0.0], [1.0]], [[0.0], [0.0]]])  # so that no answer is a copy
    found = evaluate_mixed(record(factual_codes=none[0], codes=none[1], numbers=moved))["range"]
    assert isnan(found["sparsity_categorical"])
    assert found["sparsity_all"] == 1.0


def test_a_scale_is_that_of_the_training_rows_and_a_constant_column_has_unit_one():
    scale = Scale.fit(np.array([[1.0, 7.0], [5.0, 7.0]]))
    assert (scale.low.tolist(), scale.high.tolist()) == ([1.0, 7.0], [5.0, 7.0])
    assert (scale.mean.tolist(), scale.deviation.tolist()) == ([3.0, 7.0], [2.0, 0.0])
    assert scale.unit("range").tolist() == [4.0, 1.0]
    assert scale.unit("zscore").tolist() == [2.0, 1.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"valid": ~PRESENT}, "valid but empty"),
        ({"numbers": np.full((2, 2, 2), NAN)}, "must be finite"),
        ({"factual_numbers": np.array([[1.0, np.inf], [5.0, 5.0]])}, "must be finite"),
        (
            {"factual_numbers": np.array([[1.0, 50.0], [5.0, 45.0]]), "factual_codes": np.array([[0, 0], [1, 0]])},
            "copy",
        ),
        ({"lof_zscore": np.full((2, 2), NAN)}, "outlier factor"),
        ({"lof_range": np.zeros((2, 2))}, "outlier factor"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(InvalidInputError, match=message):
        record(**changes)


def test_an_unknown_metric_is_an_error_and_never_skipped():
    with pytest.raises(InvalidInputError, match="unknown metric 'lofs'"):
        evaluate_mixed(record(), ["validity", "lofs"])


def test_a_scale_upside_down_is_an_error():
    with pytest.raises(InvalidInputError, match="low <= high"):
        replace(SCALE, low=np.array([11.0, 0.0]))
    with pytest.raises(InvalidInputError, match="at least one training row"):
        Scale.fit(np.empty((0, 2)))


@st.composite
def records(draw) -> MixedEvaluation:
    rows, places, numbers, codes = (draw(st.integers(1, 4)) for _ in range(4))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    factual_numbers, factual_codes = chance.normal(size=(rows, numbers)), chance.integers(0, 3, (rows, codes))
    present = chance.random((rows, places)) < 0.8
    return MixedEvaluation(
        factual_numbers=factual_numbers,
        factual_codes=factual_codes,
        numbers=factual_numbers[:, None] + chance.normal(size=(rows, places, numbers)),
        codes=chance.integers(0, 3, (rows, places, codes)),
        present=present,
        valid=present & (chance.random((rows, places)) < 0.6),
        scale=Scale.fit(chance.normal(size=(9, numbers))),
        lof_range=chance.random((rows, places)) + 0.5,
        lof_zscore=chance.random((rows, places)) + 0.5,
    )


@given(records())
@settings(deadline=None, max_examples=40)
def test_shares_are_shares_and_distances_are_no_less_than_nothing(e):
    for found in evaluate_mixed(e).values():
        for name in ("validity", "sparsity_categorical", "epsilon_sparsity", "sparsity_all"):
            assert isnan(found[name]) or 0.0 <= found[name] <= 1.0
        for name in ("proximity_continuous", "diversity", "diversity_valid"):
            assert isnan(found[name]) or found[name] >= 0.0


@given(records(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_the_order_of_instances_and_of_answers_means_nothing(e, chance):
    row, place = (list(range(size)) for size in e.present.shape)
    chance.shuffle(row)
    chance.shuffle(place)
    at = np.ix_(row, place)
    shuffled = replace(
        e,
        factual_numbers=e.factual_numbers[row],
        factual_codes=e.factual_codes[row],
        **{name: getattr(e, name)[at] for name in ("numbers", "codes", "present", "valid", "lof_range", "lof_zscore")},
    )
    before, after = evaluate_mixed(e), evaluate_mixed(shuffled)
    assert all(after[name] == pytest.approx(before[name], nan_ok=True) for name in before)


@given(records(), st.floats(0.01, 100.0))
@settings(deadline=None, max_examples=40)
def test_the_unit_that_a_column_is_written_in_means_nothing(e, factor):
    scale = e.scale
    rescaled = replace(
        e,
        factual_numbers=e.factual_numbers * factor,
        numbers=e.numbers * factor,
        scale=Scale(
            low=scale.low * factor, high=scale.high * factor, mean=scale.mean, deviation=scale.deviation * factor
        ),
    )
    before, after = evaluate_mixed(e), evaluate_mixed(rescaled)
    for name in before:
        assert after[name]["proximity_continuous"] == pytest.approx(before[name]["proximity_continuous"], nan_ok=True)
        assert after[name]["diversity"] == pytest.approx(before[name]["diversity"], nan_ok=True)

from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics import CODED_METRICS, CodedEvaluation, evaluate_coded

# Two instances with four features and room for three answers; the last feature is monotone.
FACTUAL = np.array([[0, 0, 0, 1], [1, 1, 1, 1]])
ANSWERS = np.array(
    [
        [[1, 0, 0, 1], [1, 1, 0, 1], [0, 0, 0, 0]],  # 1, 2 and 1 features recoded; the third one falls
        [[1, 1, 1, 2], [-1, -1, -1, -1], [-1, -1, -1, -1]],  # 1 recoded, two places empty
    ]
)
RECODED = np.not_equal(ANSWERS, FACTUAL[:, None])
PRESENT = np.array([[True, True, True], [True, False, False]])
VALID = np.array([[True, True, False], [False, False, False]])


def record(**changes) -> CodedEvaluation:
    fields = {
        "factual": FACTUAL,
        "counterfactual": ANSWERS,
        "changed": RECODED,
        "present": PRESENT,
        "valid": VALID,
        "increasing": np.array([False, False, False, True]),
    }
    return CodedEvaluation(**(fields | changes))


ROWS = ("factual", "counterfactual", "changed", "present", "valid")
RECORD = record()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # first instance (3/4 + 2/4 + 3/4) / 3 = 2/3, second 3/4
        ("sparsity", 100 * (2 / 3 + 3 / 4) / 2),
        # pairs of the first: 1/4, 2/4, 3/4, so 1/2; the second has a single answer
        ("diversity", 100 * (1 / 2 + 0) / 2),
        ("harmonic_mean", 2 * (100 * 17 / 24) * 25 / (100 * 17 / 24 + 25)),
        ("validity", 100 * 2 / 6),
        ("coverage", 100 * 1 / 2),
        # first instance 2 of 3, second 1 of 1
        ("unary", 100 * (2 / 3 + 1) / 2),
        ("sparsity_l2c", 100 * (2 / 3 + 3 / 4) / 2),
        # the one valid pair of the first differs in 1 of 4 + 1 columns; the second has no valid pair
        ("diversity_l2c", 100 * (1 / 5 + 0) / 2),
        ("unchanged_codes", 0.0),
    ],
)
def test_every_metric_of_a_case_computed_by_hand(name, expected):
    assert evaluate_coded(record(), [name]) == {name: pytest.approx(expected)}


def test_a_number_that_moves_inside_its_bin_is_unchanged_but_not_for_l2c():
    same_codes = ANSWERS.copy()
    same_codes[1, 0] = FACTUAL[1]
    found = evaluate_coded(record(counterfactual=same_codes, changed=RECODED))
    assert found["sparsity"] == pytest.approx(100 * (2 / 3 + 1) / 2)
    assert found["sparsity_l2c"] == pytest.approx(100 * (2 / 3 + 3 / 4) / 2)
    assert found["unchanged_codes"] == pytest.approx(100 * 1 / 4)


def test_an_instance_without_answers_counts_for_validity_and_coverage_only():
    lonely = record(
        factual=np.vstack([FACTUAL, FACTUAL[:1]]),
        counterfactual=np.concatenate([ANSWERS, ANSWERS[:1]]),
        changed=np.concatenate([ANSWERS, ANSWERS[:1]]) != np.vstack([FACTUAL, FACTUAL[:1]])[:, None],
        present=np.vstack([PRESENT, [[False] * 3]]),
        valid=np.vstack([VALID, [[False] * 3]]),
    )
    before, after = evaluate_coded(record()), evaluate_coded(lonely)
    for name in ("sparsity", "diversity", "harmonic_mean", "unary", "sparsity_l2c", "unchanged_codes"):
        assert after[name] == pytest.approx(before[name])
    assert after["validity"] == pytest.approx(100 * 2 / 9)
    assert after["coverage"] == pytest.approx(100 * 1 / 3)
    assert after["diversity_l2c"] == pytest.approx(100 * (1 / 5) / 3)  # 0 for every instance without a valid pair


def test_without_any_answer_there_is_nothing_to_average():
    nothing = np.zeros_like(PRESENT)
    found = evaluate_coded(record(present=nothing, valid=nothing))
    assert {name for name, value in found.items() if isnan(value)} == {
        "sparsity",
        "diversity",
        "harmonic_mean",
        "unary",
        "sparsity_l2c",
        "unchanged_codes",
    }
    assert found["validity"] == found["coverage"] == found["diversity_l2c"] == 0.0


def test_without_monotone_features_nothing_is_violated():
    assert evaluate_coded(record(increasing=np.zeros(4, dtype=bool)), ["unary"]) == {"unary": 100.0}


def test_the_harmonic_mean_of_nothing_and_nothing_is_nothing():
    everything = np.ones((1, 2, 2), dtype=np.int64)
    twins = CodedEvaluation(
        factual=np.zeros((1, 2), dtype=np.int64),
        counterfactual=everything,
        changed=everything == 1,
        present=np.ones((1, 2), dtype=bool),
        valid=np.ones((1, 2), dtype=bool),
        increasing=np.zeros(2, dtype=bool),
    )
    assert evaluate_coded(twins, ["sparsity", "diversity", "harmonic_mean"]) == {
        "sparsity": 0.0,
        "diversity": 0.0,
        "harmonic_mean": 0.0,
    }


def test_an_unknown_metric_is_an_error_and_never_skipped():
    with pytest.raises(InvalidInputError, match=r"unknown metric 'sparcity'\. Did you mean 'sparsity'"):
        evaluate_coded(record(), ["validity", "sparcity"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"valid": ~PRESENT}, "place 1 of instance 1 is valid but empty"),
        ({name: getattr(RECORD, name)[:0] for name in ROWS}, "at least one instance"),
        ({"changed": np.zeros_like(ANSWERS, dtype=bool)}, "is a copy of the factual"),
        ({"changed": np.eye(4, dtype=bool)[[[3, 3, 3], [3, 3, 3]]]}, "another code but the same value"),
    ],
)
def test_records_that_contradict_themselves_are_refused(changes, message):
    with pytest.raises(InvalidInputError, match=message):
        record(**changes)


@st.composite
def records(draw) -> CodedEvaluation:
    rows, places, features = draw(st.integers(1, 4)), draw(st.integers(1, 5)), draw(st.integers(1, 5))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    factual = chance.integers(0, 3, (rows, features))
    answers = chance.integers(0, 3, (rows, places, features))
    changed = (answers != factual[:, None]) | (chance.random(answers.shape) < 0.1)
    present = (chance.random((rows, places)) < 0.8) & changed.any(axis=2)
    return CodedEvaluation(
        factual=factual,
        counterfactual=answers,
        changed=changed,
        present=present,
        valid=present & (chance.random((rows, places)) < 0.5),
        increasing=chance.random(features) < 0.5,
    )


@given(records())
@settings(deadline=None, max_examples=40)
def test_every_metric_is_a_percentage_or_says_that_there_is_none(e):
    found = evaluate_coded(e)
    assert list(found) == list(CODED_METRICS)
    assert all(isnan(value) or -1e-9 <= value <= 100 + 1e-9 for value in found.values())
    assert found["sparsity_l2c"] <= found["sparsity"] + 1e-9 or isnan(found["sparsity"])
    assert found["coverage"] >= found["validity"] - 1e-9


@given(records(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=40)
def test_the_order_of_instances_of_answers_and_of_features_means_nothing(e, chance):
    row, place, feature = (list(range(size)) for size in e.counterfactual.shape)
    for order in (row, place, feature):
        chance.shuffle(order)
    cells = np.ix_(row, place, feature)
    shuffled = replace(
        e,
        factual=e.factual[np.ix_(row, feature)],
        counterfactual=e.counterfactual[cells],
        changed=e.changed[cells],
        present=e.present[np.ix_(row, place)],
        valid=e.valid[np.ix_(row, place)],
        increasing=e.increasing[feature],
    )
    assert evaluate_coded(shuffled) == pytest.approx(evaluate_coded(e), nan_ok=True)


@given(records())
@settings(deadline=None, max_examples=40)
def test_what_stands_in_an_empty_place_means_nothing(e):
    scribbled = np.where(e.present[..., None], e.counterfactual, 99)
    assert evaluate_coded(replace(e, counterfactual=scribbled)) == pytest.approx(evaluate_coded(e), nan_ok=True)

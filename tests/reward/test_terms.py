import numpy as np
import pandas as pd
import pytest
from small_rewards import SCHEMA, candidates, factuals

from counterflownet.reward.candidates import lead_of_target
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.terms import (
    Plausibility,
    Proximity,
    RewardTerm,
    RowTerm,
    Sparsity,
    Validity,
    counted_features,
)

MISSING = pd.DataFrame({"age": [np.nan], "income": [0.5], "job": [None]})


def value(term, *codes, **given) -> list[float]:
    return np.exp(term.log_values(candidates(*codes, **given))).tolist()


def over(which: str) -> np.ndarray:
    return counted_features(SCHEMA, which)


@pytest.mark.parametrize(
    ("probabilities", "margin", "expected"),
    [
        ([0.3, 0.7], 0.0, 1.0),
        ([0.6, 0.4], 0.0, 0.8),
        ([0.6, 0.4], 0.1, 0.7),
        ([0.45, 0.55], 0.25, 0.85),
        ([1.0, 0.0], 0.0, 0.0),
        ([1.0, 0.0], 0.5, 0.0),
        ([0.5, 0.5], 0.0, 1.0),
    ],
)
def test_validity_is_how_little_the_target_lags_behind(probabilities, margin, expected):
    assert value(Validity(margin), [1, None, None], probabilities=(probabilities,)) == pytest.approx([expected])


@pytest.mark.parametrize(("target", "expected"), [(0, 0.6), (1, 0.9), (2, 1.0)])
def test_validity_compares_with_the_strongest_of_several_other_classes(target, expected):
    given = {"probabilities": ((0.1, 0.4, 0.5),), "target": target}
    assert value(Validity(), [1, None, None], **given) == pytest.approx([expected])


def test_the_target_leads_by_its_distance_to_the_strongest_other_class():
    probabilities = np.array([[0.2, 0.3, 0.5], [0.2, 0.3, 0.5]])
    assert lead_of_target(probabilities, np.array([2, 0])) == pytest.approx([0.2, -0.3])


def test_the_lead_leaves_the_probabilities_alone():
    probabilities = np.array([[0.2, 0.8]])
    lead_of_target(probabilities, np.array([1]))
    assert probabilities.tolist() == [[0.2, 0.8]]


@pytest.mark.parametrize(("probabilities", "valid"), [([0.4, 0.6], True), ([0.5, 0.5], False), ([0.6, 0.4], False)])
def test_valid_means_that_no_other_class_is_as_probable(probabilities, valid):
    assert candidates([1, None, None], probabilities=(probabilities,)).valid.tolist() == [valid]


@pytest.mark.parametrize(
    ("which", "norm", "distance"),
    [
        ("numeric", 1.0, 0.75),
        ("numeric", 2.0, np.hypot(0.25, 0.5)),
        ("all", 1.0, 1.75),
        ("all", 2.0, np.sqrt(0.25**2 + 0.5**2 + 1)),
        ("categorical", 1.0, 1.0),
        ("all", np.inf, 1.0),
    ],
)
def test_proximity_falls_with_the_distance_of_what_is_counted(which, norm, distance):
    assert value(Proximity(over(which), norm), [1, 1, 1]) == pytest.approx([np.exp(-distance)])


def test_proximity_of_what_did_not_change_is_one():
    assert value(Proximity(over("all")), [None, None, None]) == [1.0]
    assert value(Proximity(over("numeric")), [None, None, 2]) == [1.0]


@pytest.mark.parametrize("norm", [1.0, 2.0, np.inf])
def test_proximity_over_no_column_at_all_is_one(norm):
    assert value(Proximity(np.zeros(3, dtype=bool), norm), [1, 1, 1]) == [1.0]


def test_proximity_from_a_missing_value_is_that_of_the_whole_range():
    assert value(Proximity(over("all")), [1, None, 1], rows=MISSING) == pytest.approx([np.exp(-2.0)])


@pytest.mark.parametrize(
    ("codes", "which", "beyond"),
    [
        ([None, None, None], "all", 0),
        ([1, None, None], "all", 0),
        ([1, 1, None], "all", 1),
        ([1, 1, 1], "all", 2),
        ([1, 1, 1], "numeric", 1),
        ([1, 1, 1], "categorical", 0),
    ],
)
def test_sparsity_counts_the_changes_beyond_the_first(codes, which, beyond):
    assert value(Sparsity(over(which)), codes) == pytest.approx([np.exp(-beyond)])


def test_plausibility_falls_by_what_a_factor_exceeds_one(monkeypatch):
    monkeypatch.setattr(LocalOutlierFactor, "__call__", lambda factor, rows, *, roughly: np.array([0.5, 1.0, 1.5, 3.0]))
    term = Plausibility(LocalOutlierFactor(factuals().vectors))
    found = term.log_values(candidates([0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 0, 1]))
    assert found.tolist() == [0.0, 0.0, -0.5, -2.0]


def test_plausibility_falls_where_rows_are_outliers():
    factor = LocalOutlierFactor(factuals().vectors)
    batch = candidates([0, 0, 0], [2, 0, 1])
    expected = np.minimum(0, 1 - factor(batch.vectors))
    assert Plausibility(factor).log_values(batch).tolist() == expected.tolist()
    assert (expected <= 0).all()


def test_a_users_term_sees_decoded_rows_and_their_factuals():
    def richer(rows: pd.DataFrame, before: pd.DataFrame) -> np.ndarray:
        return (rows["income"] - before["income"]) / 2.0

    assert value(RowTerm("richer", richer), [None, 2, None], [None, 1, None]) == pytest.approx([1.0, 0.5])


def test_a_users_term_may_be_zero_without_a_warning():
    assert value(RowTerm("never", lambda rows, _: np.zeros(len(rows))), [1, None, None]) == [0.0]


@pytest.mark.parametrize(
    ("which", "flags"),
    [("all", [True, True, True]), ("numeric", [True, True, False]), ("categorical", [False, False, True])],
)
def test_terms_count_all_numeric_or_categorical_columns(which, flags):
    assert over(which).tolist() == flags


def test_our_terms_are_what_a_term_must_be():
    terms = [
        Validity(),
        Proximity(over("all")),
        Sparsity(over("all")),
        RowTerm("own", lambda rows, _: np.ones(len(rows))),
    ]
    assert all(isinstance(term, RewardTerm) for term in terms)
    assert [term.name for term in terms] == ["validity", "proximity", "sparsity", "own"]

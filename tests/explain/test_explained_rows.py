"""What comes back: real counterfactuals, in the user's own columns, with honest numbers beside them."""

import numpy as np
import pandas as pd
import pytest
from explained import begun_as, differs, found

from counterflownet import (
    Explanation,
)


@pytest.fixture(scope="module", name="answer")
def shared_answer(explainer, rejected) -> Explanation:
    """Of rows whose columns stand in another order than in training."""
    return explainer.explain(rejected[sorted(rejected.columns)], count=4)


def test_every_counterfactual_is_in_the_target_class_of_the_real_pipeline(answer, pipeline, people) -> None:
    assert len(answer.row) >= len(answer.factuals)
    assert (pipeline.predict(found(answer)[people.columns]) == "good").all()
    assert answer.valid.all()


def test_columns_keep_the_order_and_the_dtypes_of_the_input(answer) -> None:
    pd.testing.assert_series_equal(found(answer).dtypes, answer.factuals.dtypes)


def test_cells_that_were_not_changed_come_back_bit_for_bit(answer) -> None:
    for column, changed in zip(answer.factuals.columns, answer.changed.T, strict=True):
        old, new = begun_as(answer)[column][~changed], found(answer)[column][~changed]
        pd.testing.assert_series_equal(old, new, check_exact=True)
        if isinstance(old.dtype, np.dtype) and old.dtype != object:
            assert old.to_numpy().tobytes() == new.to_numpy().tobytes()


def test_the_changed_columns_are_those_that_differ(answer) -> None:
    old, new = begun_as(answer), found(answer)
    flags = np.column_stack([differs(old[column], new[column]) for column in old.columns])
    assert (flags == answer.changed).all()
    names = [tuple(old.columns[row]) for row in flags]
    assert answer.to_frame()["changed"].tolist() == names


def test_a_copy_of_the_factual_is_never_returned(answer) -> None:
    assert answer.changed.any(axis=1).all()


def test_missing_values_may_stay_and_are_never_introduced(explainer, people) -> None:
    gaps = people[people[["income", "job", "visits"]].isna().any(axis=1)].head(12)
    answer = explainer.sample(gaps, samples=30)
    old, new = begun_as(answer), found(answer)
    assert (new.isna() <= old.isna()).all(axis=None)
    assert new.isna().any(axis=None)


def test_no_counterfactual_of_a_row_is_there_twice(answer) -> None:
    rows = found(answer).astype(object).assign(row=answer.row)
    assert not rows.duplicated().any()


def test_ranks_count_from_one_by_falling_reward(answer) -> None:
    for _, own in answer.to_frame().groupby("factual"):
        assert own["rank"].tolist() == list(range(1, len(own) + 1))
        assert own["reward"].is_monotonic_decreasing
    assert np.bincount(answer.row).max() <= 4


def test_rewards_are_the_weighted_product_of_their_terms(answer, explainer) -> None:
    weights = explainer.settings.weights
    product = np.prod([answer.terms[name] ** getattr(weights, name) for name in answer.terms], axis=0)
    np.testing.assert_allclose(answer.reward, product)


def test_more_samples_find_what_fewer_found_or_better(explainer, people) -> None:
    few, many = (explainer.explain(people.head(60), samples=samples, count=1) for samples in (5, 200))
    best_of = [answer.to_frame().set_index("factual")["reward"] for answer in (few, many)]
    worse = best_of[1].reindex(best_of[0].index) < best_of[0] - 1e-6
    assert worse.mean() <= 0.05  # of more finds, only the most promising are made tight
    assert best_of[1].mean() > best_of[0].mean()


def test_a_factual_is_named_by_its_index_label(answer) -> None:
    assert answer.to_frame()["factual"].tolist() == answer.factuals.index.take(answer.row).tolist()

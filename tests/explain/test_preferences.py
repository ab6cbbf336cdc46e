"""Preferences of a call, of flows that were trained for any and of flows that were trained for one."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet, RewardWeights, RowTerm
from counterflownet.errors import InvalidInputError

SPARSE = {"sparsity": 1.0, "plausibility": 0.0}
QUICK = {"steps": 40, "batch_rows": 48, "width": 32, "patience": None}


@pytest.fixture(scope="module", name="any_wish")
def trained_for_any(people, pipeline) -> CounterFlowNet:
    return CounterFlowNet(pipeline, training={**QUICK, "preferences": True}).fit(people)


@pytest.fixture(scope="module", params=["any", "one"])
def either(request, any_wish, explainer) -> CounterFlowNet:
    return any_wish if request.param == "any" else explainer


def test_the_reward_of_answers_is_the_one_that_was_asked_for(either, rejected) -> None:
    asked = {"weights": SPARSE, "costs": {"age": 4.0, "income": 0.0}}
    answer = either.explain(rejected, **asked)
    factuals = rejected.iloc[answer.row]
    judged = either.score(factuals, answer.counterfactuals.set_axis(factuals.index), target="good", **asked)
    np.testing.assert_allclose(answer.reward, judged["reward"])
    assert "plausibility" not in answer.to_frame()


def test_answers_of_a_row_come_in_the_order_of_what_is_preferred(either, rejected) -> None:
    answer = either.explain(rejected, costs={"age": 16.0})
    for _, own in answer.to_frame().groupby("factual"):
        assert own["reward"].is_monotonic_decreasing


def test_a_column_that_costs_much_is_changed_less_often_than_one_that_is_free(either, rejected) -> None:
    dear, free = (either.explain(rejected, count=1, costs={"age": cost}).changed[:, 0].mean() for cost in (16.0, 0.0))
    assert dear < free


def test_saying_what_the_fit_prefers_changes_nothing(either, rejected) -> None:
    plain = either.explain(rejected)
    same = either.explain(rejected, weights=RewardWeights(), costs={"age": 1})
    pd.testing.assert_frame_equal(plain.to_frame(), same.to_frame())


def test_a_rows_own_preference_is_that_of_a_call_about_it_alone(either, rejected) -> None:
    first, others = rejected.index[0], rejected.iloc[1:]
    both = either.explain(rejected, row_preferences={first: {"costs": {"age": 9}, "weights": SPARSE}}).to_frame()
    alone = either.explain(rejected.iloc[:1], costs={"age": 9}, weights=SPARSE).to_frame()
    rest = either.explain(others).to_frame()
    mine = both["factual"] == first
    shown = ["age", "income", "city", "rank", "reward"]
    pd.testing.assert_frame_equal(both[mine][shown].reset_index(drop=True), alone[shown])
    pd.testing.assert_frame_equal(both[~mine][shown].reset_index(drop=True), rest[shown])


def test_only_a_flow_that_was_trained_for_one_preference_says_that_it_corrects(any_wish, explainer, rejected) -> None:
    assert any_wish.explain(rejected, weights=SPARSE).note == ""
    assert explainer.explain(rejected).note == ""
    answer = explainer.explain(rejected, weights=SPARSE)
    assert "trained for one preference" in answer.note
    assert "note: the flow was trained" in repr(answer)
    assert answer.to_dict()["note"] == answer.note
    assert answer.note in answer.to_html()


def test_samples_of_such_a_flow_are_drawn_from_a_pool_by_what_is_asked_for(explainer, rejected) -> None:
    plain, sparse = explainer.sample(rejected, samples=30), explainer.sample(rejected, samples=30, weights=SPARSE)
    pooled = explainer.sample(rejected, samples=30, pool=600, weights=SPARSE)
    pd.testing.assert_frame_equal(sparse.to_frame(), pooled.to_frame())
    assert sparse.changed.sum(axis=1).mean() < plain.changed.sum(axis=1).mean()


@pytest.mark.parametrize("wish", [{}, {"weights": SPARSE}])
def test_samples_of_a_flow_for_any_preference_are_drawn_from_a_pool_too(any_wish, rejected, wish) -> None:
    drawn, pooled = (
        any_wish.sample(rejected, samples=20, **wish),
        any_wish.sample(rejected, samples=20, pool=400, **wish),
    )
    pd.testing.assert_frame_equal(drawn.to_frame(), pooled.to_frame())


def test_a_flow_for_any_preference_samples_fewer_changes_if_these_are_asked_for(any_wish, rejected) -> None:
    weak, strong = (
        any_wish.sample(rejected, samples=50, weights={"sparsity": weight}).changed.sum(axis=1).mean()
        for weight in (0.0, 1.0)
    )
    assert strong < weak - 0.5


def test_a_diagnosis_is_of_what_is_asked_for(explainer, rejected) -> None:
    plain = explainer.diagnose(rejected, samples=50, pool=50, exact=False)
    sharp = explainer.diagnose(rejected, samples=50, pool=50, exact=False, beta=80.0)
    assert (sharp.rows["spread"] > plain.rows["spread"]).all()


def test_own_terms_can_be_weighed_at_a_call(plain, tiny) -> None:
    term = RowTerm("same", lambda new, old: np.where(new["b"] == old["b"], 1.0, 0.1))
    model = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=[0, 1], training=tiny, terms=[(term, 0.0)])
    answer = model.fit(plain).explain(plain, weights={"same": 1.0}, minimal=False)
    judged = model.score(plain.iloc[answer.row], answer.counterfactuals, weights={"same": 1.0})
    np.testing.assert_allclose(answer.reward, judged["reward"])


def test_plausibility_needs_rows_to_compare_with(plain, tiny) -> None:
    weights = {"plausibility": 0.0}
    model = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=[0, 1], training=tiny, weights=weights)
    with pytest.raises(InvalidInputError, match="no rows to compare with"):
        model.fit(plain).explain(plain, weights={"plausibility": 0.4})


def test_a_flow_for_any_preference_is_saved_and_loaded(any_wish, rejected, pipeline, tmp_path) -> None:
    loaded = CounterFlowNet.load(any_wish.save(tmp_path / "any.cfn"), pipeline)
    asked = {"weights": {"sparsity": 0.9}, "costs": {"age": 4}}
    before, after = any_wish.explain(rejected, **asked), loaded.explain(rejected, **asked)
    pd.testing.assert_frame_equal(before.to_frame(), after.to_frame(), check_exact=True)

"""What explain promises, on a small table with every kind of column and a real pipeline."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import (
    CounterFlowNet,
    Decreasing,
    Explanation,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Outcome,
    Range,
    RowTerm,
)

UNTOUCHED = """
import random, numpy, pandas, torch
from counterflownet import CounterFlowNet
def states():
    kind, keys, *rest = numpy.random.get_state()
    return random.getstate(), kind, keys.tolist(), rest, torch.get_rng_state().tolist()
X = pandas.DataFrame({"a": [0.1, 0.9, 0.4, 0.6], "b": list("xyxz")})
before = states()
explainer = CounterFlowNet(lambda rows: rows["a"], classes=[0, 1], training={"steps": 3, "width": 8}).fit(X)
explainer.explain(X)
print("untouched" if states() == before else "touched")
"""


def differs(old: pd.Series, new: pd.Series) -> np.ndarray:
    """Where two columns differ; two missing values do not."""
    texts = [column.astype(object).where(column.notna(), "missing") for column in (old, new)]
    return texts[0].to_numpy() != texts[1].to_numpy()


def begun_as(answer: Explanation) -> pd.DataFrame:
    """The factual of each counterfactual."""
    return answer.factuals.iloc[answer.row].reset_index(drop=True)


def found(answer: Explanation) -> pd.DataFrame:
    """The counterfactuals as a table of the user's own columns, which come first."""
    return answer.to_frame().iloc[:, : answer.factuals.shape[1]]


def kinds(answer: Explanation) -> list[Outcome]:
    return [row.outcome for row in answer.outcomes]


def same_rows(one: Explanation, other: Explanation) -> float:
    """The share of factuals, found by their labels, for which both explanations say the same."""
    left, right = (answer.to_frame() for answer in (one, other))
    labels = one.factuals.index
    equal = [
        left[left["factual"] == label]
        .drop(columns=["reward", "validity", "proximity", "plausibility"])
        .reset_index(drop=True)
        .equals(
            right[right["factual"] == label]
            .drop(columns=["reward", "validity", "proximity", "plausibility"])
            .reset_index(drop=True)
        )
        for label in labels
    ]
    return float(np.mean(equal))


@pytest.fixture(scope="module", name="answer")
def shared_answer(explainer, rejected) -> Explanation:
    """Of rows whose columns stand in another order than in training."""
    return explainer.explain(rejected[sorted(rejected.columns)], count=4)


def test_every_counterfactual_is_in_the_target_class_of_the_real_pipeline(answer, pipeline, people) -> None:
    assert len(answer) >= len(answer.factuals)
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


def test_more_samples_find_what_fewer_found_or_better(explainer, rejected) -> None:
    # Not minimal: long ways are shortened only where there are too few others, so more samples may spare one of them.
    asked = {"count": 1, "rounds": 1, "minimal": False}
    few, many = (explainer.explain(rejected, samples=samples, **asked) for samples in (20, 200))
    best_of = [answer.to_frame().set_index("factual")["reward"] for answer in (few, many)]
    assert (best_of[1].reindex(best_of[0].index) >= best_of[0] - 1e-6).all()


def test_a_factual_is_named_by_its_index_label(answer) -> None:
    assert answer.to_frame()["factual"].tolist() == answer.factuals.index.take(answer.row).tolist()


HOLDS = {
    "Immutable": (Immutable("age", "city"), lambda old, new: ~differs(old["age"], new["age"])),
    "Mutable": (Mutable("city", "age"), lambda old, new: ~differs(old["income"], new["income"])),
    "Increasing number": (
        Increasing("income"),
        lambda old, new: old["income"].isna() | (new["income"] >= old["income"]),
    ),
    "Increasing order": (Increasing("grade"), lambda old, new: new["grade"].cat.codes >= old["grade"].cat.codes),
    "Decreasing date": (Decreasing("since"), lambda old, new: new["since"] <= old["since"]),
    "Range": (Range("age", 30, 50), lambda old, new: new["age"].between(30, 50)),
    "Range of dates": (Range("since", "2021-01-01"), lambda old, new: new["since"] >= pd.Timestamp("2021-01-01")),
    "Range of an order": (Range("grade", high="mid"), lambda old, new: new["grade"] <= "mid"),
    "OneOf": (OneOf("city", ["oslo", "lima"]), lambda old, new: new["city"].isin(["oslo", "lima"])),
    "NotOneOf": (NotOneOf("job", ["cook"]), lambda old, new: new["job"] != "cook"),
    "MaxStep": (MaxStep("age", 5), lambda old, new: (new["age"] - old["age"]).abs() <= 5),
    "MaxStep of days": (
        MaxStep("since", 100),
        lambda old, new: (new["since"] - old["since"]).abs() <= pd.Timedelta(days=100),
    ),
    "MaxChanges": (
        MaxChanges(2),
        lambda old, new: sum(differs(old[column], new[column]).astype(int) for column in old.columns) <= 2,
    ),
}


@pytest.mark.parametrize(("constraint", "holds"), HOLDS.values(), ids=HOLDS)
def test_constraints_hold_in_every_row_that_comes_back(explainer, people, constraint, holds) -> None:
    answer = explainer.sample(people.head(30), samples=20, constraints=[constraint])
    assert len(answer) > 100
    assert np.asarray(holds(begun_as(answer), found(answer)), dtype=bool).all()


def test_constraints_compose(explainer, people) -> None:
    rules = [Mutable("age", "income", "grade"), Increasing("age"), MaxStep("age", 10), MaxChanges(2)]
    answer = explainer.sample(people.head(30), samples=20, constraints=rules)
    rise = found(answer)["age"] - begun_as(answer)["age"]
    assert rise.between(0, 10).all()
    assert (rise > 0).any()
    assert answer.changed.sum(axis=1).max() <= 2


def test_a_row_can_have_constraints_of_its_own(explainer, rejected) -> None:
    label = rejected.index[2]
    answer = explainer.sample(rejected, samples=60, row_constraints={label: [Mutable("age"), Increasing("age")]})
    own = answer.row == 2
    age = answer.factuals.columns.get_loc("age")
    assert answer.changed[own, age].all()
    assert (answer.changed[own].sum(axis=1) == 1).all()
    assert answer.changed[~own].sum(axis=1).max() > 1


def test_constraints_of_a_row_add_to_those_of_all_rows(explainer, rejected) -> None:
    label = rejected.index[0]
    answer = explainer.sample(
        rejected, samples=40, constraints=[Immutable("age")], row_constraints={label: [Immutable("city")]}
    )
    names = answer.to_frame()["changed"]
    assert not names.map(lambda changed: "age" in changed).any()
    assert not names[answer.row == 0].map(lambda changed: "city" in changed).any()
    assert names[answer.row != 0].map(lambda changed: "city" in changed).any()


def test_constraints_of_a_row_reach_it_in_whatever_chunk_it_is(explainer, rejected) -> None:
    rules = {label: [Mutable("age")] for label in rejected.index[[1, 6]]}
    answer = explainer.sample(rejected, samples=30, row_constraints=rules, chunk_rows=3)
    limited = np.isin(answer.row, [1, 6])
    assert (answer.changed[limited].sum(axis=1) == 1).all()
    assert (answer.changed[~limited].sum(axis=1) > 1).any()


def test_a_row_already_in_the_target_class_says_so(explainer, people, pipeline) -> None:
    rows = people.head(20)
    answer = explainer.explain(rows, target="good")
    already = pipeline.predict(rows) == "good"
    assert [kind is Outcome.ALREADY_TARGET for kind in kinds(answer)] == already.tolist()
    assert not np.isin(answer.row, np.flatnonzero(already)).any()


def test_a_row_in_which_nothing_may_change_says_so(explainer, rejected, people) -> None:
    label = rejected.index[1]
    answer = explainer.explain(rejected, row_constraints={label: [Immutable(*people.columns)]})
    assert kinds(answer)[1] is Outcome.NOTHING_ALLOWED
    assert 1 not in answer.row
    assert kinds(answer)[0] is not Outcome.NOTHING_ALLOWED


def test_constraints_that_exclude_each_other_in_one_row_are_named(explainer, rejected) -> None:
    rows = rejected.head(3).assign(age=[40, 70, 45])
    answer = explainer.explain(rows, constraints=[Range("age", 30, 50), Increasing("age")])
    assert kinds(answer)[1] is Outcome.CONTRADICTION
    assert "Range('age', 30, 50) and Increasing('age')" in answer.outcomes[1].reason
    assert Outcome.CONTRADICTION not in {kinds(answer)[0], kinds(answer)[2]}


def test_all_rows_without_an_answer_give_an_empty_table_with_the_right_columns(explainer, rejected, people) -> None:
    answer = explainer.explain(rejected, constraints=[Immutable(*people.columns)])
    assert set(kinds(answer)) == {Outcome.NOTHING_ALLOWED}
    assert len(answer.to_frame()) == 0
    pd.testing.assert_series_equal(found(answer).dtypes, rejected.dtypes)


def test_a_classifier_that_never_says_yes_gives_no_counterfactual_and_a_reason(plain, tiny) -> None:
    never = CounterFlowNet(lambda frame: np.full(len(frame), 0.2), classes=["no", "yes"], training=tiny).fit(plain)
    answer = never.explain(plain.head(5))
    assert kinds(answer) == [Outcome.NONE_VALID] * 5
    assert answer.targets == ("yes",) * 5
    assert len(answer) == 0
    assert {row.outcome for row in never.sample(plain.head(5)).outcomes} == {Outcome.NONE_VALID}


def test_fewer_than_asked_for_is_said(explainer, rejected) -> None:
    answer = explainer.explain(rejected, count=1000, samples=50)
    counts = np.bincount(answer.row, minlength=len(rejected))
    assert set(kinds(answer)) <= {Outcome.PARTIAL, Outcome.NONE_VALID}
    assert [f"{count} of 1000" in row.reason for count, row in zip(counts, answer.outcomes, strict=True) if count]


def test_as_many_as_asked_for_is_complete(explainer, rejected) -> None:
    answer = explainer.explain(rejected, count=1, samples=300)
    assert set(kinds(answer)) == {Outcome.COMPLETE}
    assert np.bincount(answer.row).tolist() == [1] * len(rejected)


def test_the_default_target_of_two_classes_is_the_other_one(explainer, people, pipeline) -> None:
    answer = explainer.explain(people.head(12), count=2)
    predicted = pipeline.predict(people.head(12))
    assert answer.predicted == tuple(predicted)
    assert answer.targets == tuple(np.where(predicted == "good", "bad", "good"))
    assert (pipeline.predict(found(answer)) == np.array(answer.targets)[answer.row]).all()


@pytest.mark.parametrize("as_given", [list, np.array, pd.Series, pd.Categorical], ids=lambda kind: kind.__name__)
def test_each_row_can_have_a_target_of_its_own(three_way_explainer, three_way, people, as_given) -> None:
    rows = people.head(9)
    wanted = ["yes", "no", "maybe"] * 3
    answer = three_way_explainer.explain(rows, target=as_given(wanted), count=3)
    assert answer.targets == tuple(wanted)
    assert (three_way.predict(found(answer)) == np.array(wanted)[answer.row]).all()
    assert len(answer) > 0


def test_one_of_three_classes_is_reached(three_way_explainer, three_way, people) -> None:
    answer = three_way_explainer.explain(people.head(20), target="maybe", count=3)
    assert set(three_way.predict(found(answer))) == {"maybe"}
    assert {answer.predicted[row] for row in answer.row} == {"no", "yes"}


def test_asking_again_gives_the_same_answer(explainer, rejected) -> None:
    one, two = (explainer.explain(rejected).to_frame() for _ in range(2))
    pd.testing.assert_frame_equal(one, two, check_exact=True)


def test_a_rows_answers_do_not_depend_on_the_rows_beside_it(explainer, people) -> None:
    rows = people.head(24)
    together = explainer.explain(rows, count=3, samples=40)
    alone = [explainer.explain(rows.iloc[[number]], count=3, samples=40) for number in range(len(rows))]
    assert np.mean([same_rows(one, together) for one in alone]) > 0.9  # rounding may flip a draw, rarely


def test_a_rows_answers_do_not_depend_on_the_order_of_the_rows(explainer, people) -> None:
    rows = people.head(24)
    turned = explainer.explain(rows.iloc[::-1], count=3, samples=40)
    assert same_rows(explainer.explain(rows, count=3, samples=40), turned) > 0.9


@pytest.mark.parametrize("chunk_rows", [1, 5, 100])
def test_the_size_of_a_chunk_changes_no_answer(explainer, people, chunk_rows) -> None:
    rows = people.head(24)
    whole = explainer.explain(rows, count=3, samples=40)
    cut = explainer.explain(rows, count=3, samples=40, chunk_rows=chunk_rows)
    assert same_rows(whole, cut) > 0.9
    assert kinds(whole) == kinds(cut)
    pd.testing.assert_series_equal(found(cut).dtypes, rows.dtypes)


def test_the_same_seed_gives_the_same_explainer_and_another_seed_another(plain, tiny) -> None:
    def frame(seed: int) -> pd.DataFrame:
        model = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=["no", "yes"], training=tiny, seed=seed)
        return model.fit(plain).explain(plain).to_frame()

    pd.testing.assert_frame_equal(frame(3), frame(3), check_exact=True)
    assert not frame(3).equals(frame(4))


def test_the_random_states_of_the_process_are_left_alone() -> None:
    """In a process of its own: the type checks of these tests draw from Python's generator."""
    command = [sys.executable, "-W", "error", "-c", UNTOUCHED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own text
    assert (done.stdout, done.stderr) == ("untouched\n", "")


def test_the_random_states_of_the_process_have_no_say(explainer, rejected) -> None:
    torch.manual_seed(1)
    one = explainer.explain(rejected).to_frame()
    torch.manual_seed(2)
    pd.testing.assert_frame_equal(one, explainer.explain(rejected).to_frame(), check_exact=True)


def test_the_tables_that_are_given_are_not_changed(people, pipeline, explainer, rejected, tiny) -> None:
    X, rows = people.copy(), rejected[sorted(rejected.columns)].copy()
    CounterFlowNet(pipeline, training={**tiny, "steps": 1}).fit(X)
    explainer.explain(rows)
    pd.testing.assert_frame_equal(X, people, check_exact=True)
    pd.testing.assert_frame_equal(rows, rejected[rows.columns], check_exact=True)


def test_changing_the_table_afterwards_does_not_change_the_explanation(explainer, rejected) -> None:
    rows = rejected.copy()
    answer = explainer.explain(rows, count=1)
    before = repr(answer)
    rows["age"] = 0
    assert repr(answer) == before


def test_one_row_as_a_series_gets_the_answer_of_that_row(explainer, rejected) -> None:
    answer = explainer.explain(rejected.iloc[0], count=2)
    table = explainer.explain(rejected.iloc[[0]], count=2)
    assert answer.factuals.index.tolist() == [rejected.index[0]]
    assert answer.to_frame()["changed"].tolist() == table.to_frame()["changed"].tolist()


def test_one_row_as_a_mapping_gets_the_answer_of_that_row(explainer, rejected) -> None:
    answer = explainer.explain(rejected.iloc[0].to_dict(), count=2)
    table = explainer.explain(rejected.iloc[[0]], count=2)
    assert answer.to_frame()["changed"].tolist() == table.to_frame()["changed"].tolist()


def test_rows_as_a_list_of_mappings_are_rows(explainer, rejected) -> None:
    answer = explainer.explain(rejected.astype(object).to_dict("records"), count=1)
    assert len(answer.outcomes) == len(rejected)


def test_samples_come_as_drawn_with_invalid_ones_and_doubles(explainer, rejected, pipeline) -> None:
    answer = explainer.sample(rejected, samples=200)
    assert not answer.valid.all()
    assert found(answer).astype(object).assign(row=answer.row).duplicated().any()
    assert (answer.valid == (pipeline.predict(found(answer)) == "good")).all()


def test_the_outcome_of_samples_counts_the_valid_ones(explainer, rejected) -> None:
    answer = explainer.sample(rejected, samples=30)
    counts = np.bincount(answer.row[answer.valid], minlength=len(rejected))
    for count, row in zip(counts, answer.outcomes, strict=True):
        assert row.outcome is (Outcome.PARTIAL if count else Outcome.NONE_VALID)
        assert row.outcome is Outcome.NONE_VALID or f"{count} of 30" in row.reason


def test_samples_that_changed_nothing_are_left_out(explainer, rejected) -> None:
    answer = explainer.sample(rejected, samples=200)
    assert len(answer) < 200 * len(rejected)
    assert answer.changed.any(axis=1).all()
    for _, own in answer.to_frame().groupby("factual"):
        assert own["rank"].is_monotonic_increasing
        assert own["rank"].is_unique
        assert own["rank"].between(1, 200).all()


def test_explain_chooses_among_what_sample_draws(explainer, rejected) -> None:
    drawn = found(explainer.sample(rejected, samples=50)).astype(object)
    chosen = found(explainer.explain(rejected, count=3, samples=50, rounds=1, minimal=False)).astype(object)
    assert chosen.merge(drawn.drop_duplicates(), how="left", indicator=True)["_merge"].eq("both").all()


def without_one_change(answer: Explanation, number: int):
    """The counterfactual as it would be without one of its changes, for each of them."""
    cells = answer.counterfactuals.iloc[[number]]
    for column in answer.factuals.columns[answer.changed[number]]:
        undone = cells.copy()
        undone[column] = answer.factuals[column].take([int(answer.row[number])]).to_numpy()
        yield column, undone.astype(answer.factuals.dtypes)


def test_every_answer_is_minimal(explainer, people, pipeline) -> None:
    rows = people.head(30)
    answer = explainer.explain(rows, constraints=[OneOf("city", ["rome", "oslo"])])
    assert len(answer) > 50
    for number in range(len(answer)):
        target = answer.targets[answer.row[number]]
        for column, undone in without_one_change(answer, number):
            needed = column == "city" and undone["city"].item() == "lima"  # the constraint requires this change
            assert needed or pipeline.predict(undone)[0] != target
    loose = explainer.explain(rows, minimal=False)
    assert loose.changed.sum(axis=1).mean() > answer.changed.sum(axis=1).mean()


def test_rows_with_too_few_answers_are_sampled_again(explainer, rejected) -> None:
    once, often = (explainer.explain(rejected, count=5, samples=4, rounds=rounds) for rounds in (1, 60))
    assert len(once) < len(often) == 5 * len(rejected)
    assert set(kinds(often)) == {Outcome.COMPLETE}
    single = explainer.explain(rejected, count=5, samples=4, rounds=60, chunk_rows=1)
    pd.testing.assert_frame_equal(found(single), found(often), check_exact=True)


def test_more_diversity_shows_answers_that_share_fewer_columns(explainer, people) -> None:
    def shared(diversity: float) -> float:
        answer = explainer.explain(people, count=5, diversity=diversity)
        same = [answer.changed[answer.row == row].all(axis=0).sum() for row in range(len(people))]
        return float(np.mean(same))

    assert shared(0.8) < shared(0.0)


def test_answers_are_told_apart_by_the_columns_they_change_unless_by_all(explainer, people) -> None:
    def sets_of_columns(over: str) -> float:
        answer = explainer.explain(people, count=4, diversity=0.3, diversity_over=over)
        return float(np.mean([len(np.unique(answer.changed[answer.row == row], axis=0)) for row in range(len(people))]))

    assert sets_of_columns("changed") > sets_of_columns("all")


def test_threads_get_the_same_answers_as_one_after_the_other(explainer, people) -> None:
    halves = [people.head(40), people.tail(40), people.head(20)]
    alone = [explainer.explain(rows).to_frame() for rows in halves]
    with ThreadPoolExecutor(3) as pool:
        together = [answer.to_frame() for answer in pool.map(explainer.explain, halves * 3)]
    for one, other in zip(alone * 3, together, strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_values_that_training_never_showed_stay_exactly(explainer, rejected) -> None:
    odd = rejected.head(4).assign(city="atlantis", income=98765.4321, age=150)
    answer = explainer.sample(odd, target="bad", samples=40)
    for column in ("city", "income", "age"):
        kept = ~answer.changed[:, odd.columns.get_loc(column)]
        assert kept.any()
        assert (found(answer)[column][kept] == odd[column].iloc[0]).all()


def test_an_unseen_category_can_be_explained(explainer, rejected, pipeline) -> None:
    odd = rejected.assign(city="atlantis")
    answer = explainer.explain(odd, target="good", samples=200)
    assert len(answer) > 0
    assert (pipeline.predict(found(answer)) == "good").all()


def test_a_category_that_the_query_does_not_know_yet_can_be_the_answer(explainer, rejected) -> None:
    rows = rejected[rejected["grade"] == "low"].astype({"grade": pd.CategoricalDtype(["low"], ordered=True)})
    answer = explainer.sample(rows, constraints=[Mutable("grade")])
    assert set(found(answer)["grade"]) <= {"mid", "high"}
    assert len(answer) > 0


def test_terms_of_ones_own_steer_and_are_reported(plain, tiny) -> None:
    cheap = RowTerm("row", lambda new, old: np.where(new["b"] == old["b"], 1.0, 0.1))
    model = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=[0, 1], training=tiny, terms=[(cheap, 1.0)])
    answer = model.fit(plain).sample(plain, samples=20)
    frame = answer.to_frame()
    same = frame["b"].to_numpy() == plain["b"].to_numpy()[answer.row]
    np.testing.assert_allclose(frame["row"], np.where(same, 1.0, 0.1))


def test_labels_of_an_index_may_repeat(explainer, rejected) -> None:
    rows = rejected.set_axis(["twice"] * 2 + ["once"] * (len(rejected) - 2), axis=0)
    answer = explainer.sample(rows, samples=30, row_constraints={"twice": [Mutable("age")]})
    assert (answer.changed[answer.row < 2].sum(axis=1) == 1).all()
    assert (answer.changed[answer.row >= 2].sum(axis=1) > 1).any()
    assert answer.to_frame()["factual"].tolist() == rows.index.take(answer.row).tolist()


def test_an_index_of_several_levels_names_the_factuals(explainer, rejected) -> None:
    labels = pd.MultiIndex.from_product([["a", "b"], range(len(rejected) // 2)], names=["half", "number"])
    answer = explainer.explain(rejected.set_axis(labels, axis=0), row_constraints={("b", 1): [Mutable("age")]})
    own = answer.row == len(rejected) // 2 + 1
    assert (answer.changed[own].sum(axis=1) == 1).all()
    assert answer.to_frame()["factual"].tolist() == labels.take(answer.row).tolist()


def test_progress_is_shown_when_asked_for_and_silent_in_a_pipe(explainer, rejected, capfd) -> None:
    explainer.explain(rejected, chunk_rows=2)
    assert capfd.readouterr() == ("", "")
    explainer.explain(rejected, chunk_rows=2, progress=True)
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "explaining" in captured.err


def test_an_explainer_says_what_it_is(explainer, pipeline) -> None:
    assert "9 columns" in repr(explainer)
    assert "20 steps" in repr(explainer)
    assert "not fitted" in repr(CounterFlowNet(pipeline))

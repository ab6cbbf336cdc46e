"""What finds are worth: the same order as if every state were looked at, with fewer looks."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_grounds import Made
from made_searches import Random, made_search, no_states

from counterflownet._states import States
from counterflownet.explain import merit as module
from counterflownet.explain.merit import Merit, _best_of, _compared, _least_of, _rank_in
from counterflownet.explain.strategy import Strategies
from counterflownet.reward.candidates import EditedRows

COLUMNS = list("abcd")
TRAIN = pd.DataFrame(np.random.default_rng(0).normal(size=(80, 4)), columns=COLUMNS)
ROWS = pd.DataFrame(np.random.default_rng(1).normal(size=(3, 4)), columns=COLUMNS)
WEIGHTS = {"proximity": 0.4, "sparsity": 0.2, "plausibility": 0.7}


def likely(rows: pd.DataFrame) -> np.ndarray:
    return 1 / (1 + np.exp(1.5 - rows.sum(axis=1).abs()))


MADE = Made(ROWS, TRAIN, likely)
SEARCH = made_search(MADE, WEIGHTS)
PLACES = np.concatenate([MADE.state(row).codes.numpy() for row in TRAIN.to_dict("records")])


def made_merit(*, nearer: bool, most: float = 2.0) -> tuple[Random, Merit]:
    plausible = Random(most)
    terms = (*SEARCH.reward.terms, (plausible, WEIGHTS["plausibility"]))
    return plausible, Merit(replace(SEARCH, reward=replace(SEARCH.reward, terms=terms)), MADE.oracle, nearer=nearer)


def some_states(seed: int, count: int) -> States:
    """Distinct states of three rows, of one to four changes each."""
    draw = np.random.default_rng(seed)
    row, edited = draw.integers(3, size=count), draw.random((count, 4)) < 0.5
    edited[np.arange(count), draw.integers(4, size=count)] = True
    codes = np.where(edited, PLACES[draw.integers(len(PLACES), size=count)], MADE.table.codec.codes[row])
    states = States.of_arrays(row, codes, edited)
    return states[states.distinct()[0]]


def strategies(states: States) -> list[tuple]:
    """Row, and the direction of every change."""
    moved = np.sign(MADE.decoded(states)[COLUMNS].to_numpy() - ROWS.to_numpy()[states.row.numpy()])
    return [(row, *ways) for row, ways in zip(states.row.tolist(), moved.tolist(), strict=True)]


def all_looked_at(merit: Merit, plausible: Random, states: States, wanted: int) -> dict[int, list[int]]:
    """For each row the keys of the best state of its best strategies, if all that are compared were looked at."""
    promise, keys = merit.promise(states), states.keys()
    worth = promise + WEIGHTS["plausibility"] * plausible.of(keys)
    groups: dict[int, dict[tuple, list[int]]] = {}
    order = np.argsort(-promise)  # the most promising first
    names = strategies(states)
    for at in order.tolist():
        groups.setdefault(names[at][0], {}).setdefault(names[at], []).append(at)
    found = {}
    for row, members in groups.items():
        compared = list(members.values())[: wanted + module.MORE]
        best = [max(group[: module.VARIATIONS], key=lambda at: worth[at]) for group in compared]
        found[row] = [int(keys[at]) for at in sorted(best, key=lambda at: -worth[at])[:wanted]]
    return found


@pytest.mark.parametrize("nearer", [False, True])
@pytest.mark.parametrize(("more", "variations"), [(14, 4), (2, 2), (0, 1)])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 100_000), count=st.integers(1, 90), wanted=st.integers(1, 6))
def test_the_strategies_that_are_wanted_are_those_of_a_look_at_all(
    nearer, more, variations, seed, count, wanted
) -> None:
    plausible, merit = made_merit(nearer=nearer, most=(0.1, 2.0, 500.0)[seed % 3])
    states = some_states(seed, count)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MORE", more)
        patch.setattr(module, "VARIATIONS", variations)
        found = merit.in_order(states, wanted)
        if nearer:  # what a single change covers would come to that when it is made tight
            states = states[~Strategies.of(MADE.table, states).covered]
        expected = all_looked_at(merit, plausible, states, wanted)
    rows, keys = found.row.numpy(), found.keys()
    assert (np.diff(rows) >= 0).all()
    assert {row: keys[rows == row][: len(expected[row])].tolist() for row in set(rows.tolist())} == expected


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 6))
def test_only_states_are_looked_at_that_could_matter_and_none_twice(seed, wanted) -> None:
    plausible, merit = made_merit(nearer=False)
    states = some_states(seed, 90)
    merit.in_order(states, wanted)
    looked_at = plausible.looked_at.copy()
    assert len(set(looked_at)) == len(looked_at) < len(states)
    promise, keys, names = merit.promise(states), states.keys(), strategies(states)
    worth = promise + WEIGHTS["plausibility"] * plausible.of(keys)
    for row in range(3):
        of_row = [at for at in np.argsort(-promise).tolist() if states.row[at] == row]
        leading = list({names[at]: at for at in reversed(of_row)}.items())[::-1]
        leading = sorted((at for _, at in leading), key=lambda at: -promise[at])[:wanted]
        bar = min(worth[leading]) if len(leading) == wanted else -np.inf
        own = {names[at]: worth[at] for at in leading}
        may = {at for at in of_row if promise[at] > max(bar, own.get(names[at], -np.inf))} | set(leading)
        assert {at for at in of_row if int(keys[at]) in set(looked_at)} <= may


def test_the_best_of_every_strategy_comes_before_the_second_best_of_any() -> None:
    _, merit = made_merit(nearer=False)
    states = some_states(5, 90)
    found = merit.in_order(states, 4)
    names, rows = strategies(found), found.row.tolist()
    for row in range(3):
        own = [name for name, at in zip(names, rows, strict=True) if at == row]
        assert len(set(own[: len(set(own))])) == len(set(own)) < len(own)
        assert max(own.count(name) for name in own) <= module.VARIATIONS
        assert len(set(own)) <= 4 + module.MORE


def test_no_states_are_in_any_order() -> None:
    _, merit = made_merit(nearer=True)
    assert len(merit.in_order(no_states(MADE), 3)) == 0
    assert merit.best(no_states(MADE)).tolist() == [-np.inf] * 3


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 30), st.booleans())
def test_the_best_of_a_row_is_the_better_of_its_two_most_promising_states_as_they_are(seed, count, nearer) -> None:
    plausible, merit = made_merit(nearer=nearer)
    states = some_states(seed, count)
    promise = Merit(merit.search, merit.oracle, nearer=False).promise(states)  # as if their ways stayed what they are
    worth = promise + WEIGHTS["plausibility"] * plausible.of(states.keys())
    expected = []
    for row in range(3):
        at = np.flatnonzero(states.row.numpy() == row)
        leading = at[np.argsort(-promise[at])][:2]
        expected.append(worth[leading].max(initial=-np.inf))
    assert merit.best(states) == pytest.approx(expected)
    assert len(plausible.looked_at) <= 2 * 3


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 100_000), st.booleans())
def test_no_state_is_worth_more_than_what_its_number_of_changes_allows(seed, nearer) -> None:
    plausible, merit = made_merit(nearer=nearer)
    states = some_states(seed, 30)
    most = merit.at_most(states)
    assert most == pytest.approx(-WEIGHTS["sparsity"] * (states.change_counts - 1))
    assert (merit.promise(states) + plausible.log_values(EditedRows(MADE.table, states)) <= most).all()


def test_states_that_are_made_nearer_promise_the_share_of_their_way_that_a_slope_would_leave() -> None:
    rows = pd.DataFrame(0.0, index=range(3), columns=COLUMNS)
    made = Made(rows, TRAIN, lambda frame: 1 / (1 + np.exp(1.0 - frame["a"])))  # log-odds of -1 at the factual
    merit = Merit(made_search(made, WEIGHTS), made.oracle, nearer=True)
    values = TRAIN["a"][TRAIN["a"] > 1].tolist()
    states = States.joined([made.state({"a": value}) for value in values])
    way = made.table.distances(states).sum(axis=1)
    assert merit.promise(states) == pytest.approx(-0.4 * way / np.array(values))
    plain = Merit(merit.search, made.oracle, nearer=False)
    assert plain.promise(states) == pytest.approx(-0.4 * way)


def test_states_that_are_not_valid_promise_their_whole_way() -> None:
    made = Made(ROWS * 0, TRAIN, lambda frame: 1 / (1 + np.exp(1.0 - frame["a"])))
    merit = Merit(made_search(made, WEIGHTS), made.oracle, nearer=True)
    state = made.state({"a": TRAIN["a"].min()})
    assert merit.promise(state) == pytest.approx(-0.4 * made.table.distances(state).sum(axis=1))


def test_a_factual_that_lacks_nothing_promises_no_way_at_all() -> None:
    made = Made(ROWS * 0, TRAIN, lambda frame: 1 / (1 + np.exp(-frame["a"] - 1)))
    merit = Merit(made_search(made, WEIGHTS), made.oracle, nearer=True)
    assert merit.promise(made.state({"a": TRAIN["a"].max()})) == pytest.approx([0.0], abs=1e-6)


GROUPS = st.integers(1, 25).flatmap(
    lambda count: st.tuples(
        st.lists(st.integers(0, 4), min_size=count, max_size=count),
        st.permutations(range(count)),
    )
)


@given(GROUPS, st.integers(1, 4))
def test_ranks_and_bests_of_groups_are_what_sorting_each_would_say(drawn, count) -> None:
    group, value = np.array(drawn[0]), np.array(drawn[1], dtype=float)
    for at, (own, number) in enumerate(zip(group, value, strict=True)):
        of_group = np.sort(value[group == own])[::-1]
        assert _rank_in(group, value)[at] == (of_group < number).sum()
        assert _best_of(group, value)[at] == of_group[0]
        assert _least_of(group, value, count)[at] == (of_group[count - 1] if len(of_group) >= count else -np.inf)


@given(GROUPS, st.integers(1, 3))
def test_states_of_the_most_promising_strategies_are_compared_and_not_too_many_of_each(drawn, most) -> None:
    strategy, promise = np.array(drawn[0]) + 10 * (np.array(drawn[1]) % 2), np.array(drawn[1], dtype=float)
    row = strategy // 10
    best = {name: promise[strategy == name].max() for name in set(strategy.tolist())}
    for at, chosen in enumerate(_compared(row, strategy, promise, most)):
        rivals = sum(worth > best[strategy[at]] for name, worth in best.items() if name // 10 == row[at])
        better = (promise[strategy == strategy[at]] > promise[at]).sum()
        assert chosen == (rivals < most and better < module.VARIATIONS)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 6), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_far_fetched_states_come_behind_all_others_but_for_the_best_four_strategies(seed, wanted, share) -> None:
    plausible, merit = made_merit(nearer=False)
    states = some_states(seed, 60)
    found = replace(merit, worth=share).in_order(states, wanted)
    looked_at, promise = np.isin(found.keys(), np.array(plausible.looked_at, dtype=np.uint64)), merit.promise(found)
    worth = promise + np.where(looked_at, WEIGHTS["plausibility"] * plausible.of(found.keys()), 0.0)
    for row in range(3):
        own = worth[found.row.numpy() == row]
        best = worth[looked_at & (found.row.numpy() == row)].max(initial=-np.inf)
        behind = own < (best + np.log(share / 2) if share else -np.inf)
        behind[:4] = False
        assert behind.tolist() == sorted(behind.tolist())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 100_000), st.integers(1, 4), st.sampled_from([0.1, 0.5, 1.0]))
def test_rows_are_short_if_too_few_of_their_leading_strategies_are_worth_showing(seed, enough, share) -> None:
    plausible, merit = made_merit(nearer=False)
    states = some_states(seed, 60)
    short = replace(merit, worth=share).short_of(states, np.arange(3), enough)
    promise = merit.promise(states)
    worth = promise + WEIGHTS["plausibility"] * plausible.of(states.keys())
    names = strategies(states)
    for row in range(3):
        best = {}
        for at in np.argsort(promise):
            if states.row[at] == row:
                best[names[at]] = at  # the most promising is written last
        leading = sorted(best.values(), key=lambda at: -promise[at])[: enough + module.BESIDES]
        good = [at for at in leading if worth[at] >= worth[leading].max() + np.log(share / 2)]
        assert (row in short) == (len(good) < enough)


def test_no_state_is_looked_at_twice_however_often_it_is_met() -> None:
    plausible, merit = made_merit(nearer=False)
    states = some_states(3, 60)
    merit.short_of(states, np.arange(3), 3)
    merit.best(states)
    merit.in_order(states, 4)
    assert len(set(plausible.looked_at)) == len(plausible.looked_at)

from itertools import combinations

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings

from counterflownet import (
    Changes,
    Equals,
    Falls,
    IfThen,
    Immutable,
    LessEqual,
    MaxChanges,
    OneHot,
    Rises,
    RisesBy,
    Schema,
    Stays,
    Together,
)
from counterflownet._states import States, unedited
from counterflownet.tabular import dissolving, elimination
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.prepared import compiled, prepared
from tabular.ruled_table import SCHEMA, TABLE, Ruled

RULES = [
    IfThen(Rises("grade"), RisesBy("age", at_least=2)),
    IfThen(Rises("grade"), RisesBy("age", at_least=2), as_="consequence"),
    LessEqual("paid", "owed"),
    LessEqual("owed", "rank", offset=-3),
    OneHot("red", "green", "blue"),
    Together("age", "paid"),
    IfThen(Falls("age") | Changes("red"), Stays("grade") & ~Equals("rank", 2)),
]


def test_an_edit_that_needs_another_is_offered_only_if_there_is_room():
    rule = IfThen(Rises("grade"), RisesBy("age", at_least=2))
    tight, wide = Ruled(TABLE, [rule, MaxChanges(1)]), Ruled(TABLE, [rule, MaxChanges(2)])
    assert "grade" not in tight.offered(tight.state())
    assert wide.offered(wide.state())["grade"] == ["mid", "top"]


def test_the_last_change_is_kept_for_what_is_needed():
    ruled = Ruled(TABLE, [IfThen(Rises("grade"), RisesBy("age", at_least=2)), MaxChanges(2)])
    begun = ruled.state(grade="mid")
    assert not ruled.may_stop(begun)
    assert ruled.offered(begun) == {"age": [25, 30, 40, 50, 60]}
    assert ruled.may_stop(ruled.state(grade="mid", age=30))


def test_one_edit_moves_a_group():
    ruled = Ruled(TABLE, [OneHot("red", "green", "blue")])
    assert {name: ruled.offered(ruled.state()).get(name) for name in ("red", "green", "blue")} == {
        "red": None,
        "green": [1],
        "blue": [1],
    }
    assert not {"red", "green"} & ruled.offered(ruled.state(blue=1)).keys()


@pytest.mark.parametrize(
    ("cells", "offered"), [({"red": 0}, {"red", "green", "blue"}), ({"blue": 1}, {"red", "green", "blue"})]
)
def test_a_row_that_breaks_a_group_is_repaired(cells, offered):
    ruled = Ruled(TABLE.iloc[:1].assign(**cells), [OneHot("red", "green", "blue"), MaxChanges(1)])
    assert not ruled.may_stop(ruled.state())
    assert ruled.offered(ruled.state()).keys() == offered


def test_a_row_that_breaks_an_order_must_be_repaired():
    ruled = Ruled(TABLE.iloc[:1].assign(paid=5), [LessEqual("paid", "owed"), MaxChanges(1)])
    assert ruled.offered(ruled.state()) == {"paid": [1, 2], "owed": [5, 6]}


def test_a_rule_of_one_row_binds_no_other():
    rows = TABLE.iloc[:2].set_axis(["p", "q"])
    ruled = Ruled(rows, [MaxChanges(1)], {"q": [Together("age", "paid")]})
    assert "age" in ruled.offered(ruled.state(0))
    assert "age" not in ruled.offered(ruled.state(1))


def test_the_smallest_set_that_conflicts_is_named():
    rows = TABLE.iloc[:1].assign(paid=5)
    given = [Together("age", "rank"), LessEqual("paid", "owed"), Immutable("owed", "red"), Immutable("paid")]
    (told,) = Ruled(rows, given).allowance.contradictions.values()
    assert told == "LessEqual('paid', 'owed') and Immutable('owed', 'red') and Immutable('paid') cannot all be kept"


def test_one_rule_that_leaves_no_answer_is_named_alone():
    (told,) = Ruled(TABLE.iloc[:1], [LessEqual("age", "owed"), Immutable("paid")]).allowance.contradictions.values()
    assert told == "LessEqual('age', 'owed') leaves no answer"


def test_rows_in_which_rules_exclude_every_change_are_told_apart_from_rows_that_must_change():
    rows = TABLE.iloc[:2].assign(paid=[1, 6])
    given = [Immutable("age", "grade", "rank", "red", "green", "blue"), LessEqual("owed", "paid"), Immutable("owed")]
    ruled = Ruled(rows, [*given, Together("paid", "age")])
    assert set(ruled.allowance.contradictions) == {0}
    assert set(ruled.allowance.closed) == {1}
    assert ruled.allowance.closed[1] == (
        "Together('paid', 'age') and Immutable('age', 'grade', 'rank', 'red', 'green', 'blue') and Immutable('owed') "
        "exclude every change"
    )


def drawn_state(data, ruled):
    """A state of any edits that are open in its row."""
    row = data.draw(st.integers(0, len(TABLE) - 1))
    codes, edited = ruled.codec.codes[[row]].copy(), np.zeros((1, len(SCHEMA)), dtype=bool)
    open_ = ruled.allowed.codes.numpy()[row]
    for d in data.draw(st.lists(st.integers(0, len(SCHEMA) - 1), max_size=4, unique=True)):
        choices = np.flatnonzero(open_[SCHEMA.space.span(d)]).tolist()
        if choices:
            codes[0, d], edited[0, d] = data.draw(st.sampled_from(choices)), True
    return States.of_arrays(np.array([row]), codes, edited)


def completable(ruled, states):
    room = ruled.allowed.most_changes.numpy()[states.row.numpy()] - states.change_counts
    return ruled.allowed.joint.needs(ruled.allowed, states) <= room


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sets(st.sampled_from(range(len(RULES))), min_size=1, max_size=3), st.integers(1, 4))
def test_a_part_of_what_can_be_completed_can_be_completed(data, chosen, most):
    if {0, 1} <= chosen:
        chosen = chosen - {1}
    ruled = Ruled(TABLE, [*(RULES[number] for number in chosen), MaxChanges(most)])
    states = drawn_state(data, ruled)
    features = np.flatnonzero(states.edited[0].numpy())
    if not completable(ruled, states)[0]:
        return
    for size in range(len(features)):
        for kept in combinations(features, size):
            edited = torch.from_numpy(np.isin(np.arange(len(SCHEMA)), kept))[None, :]
            own = torch.from_numpy(ruled.codec.codes[states.row.numpy()])
            part = States(states.row, torch.where(edited, states.codes, own), edited)
            assert completable(ruled, part)[0]


@settings(deadline=None, max_examples=30)
@given(st.data(), st.integers(2, 5))
def test_every_way_ends_where_all_rules_are_kept(data, most):
    ruled = Ruled(TABLE, [RULES[0], *RULES[2:5], MaxChanges(most)])
    states = drawn_state(data, ruled)
    states = states if completable(ruled, states)[0] else ruled.state(int(states.row[0]))
    if not completable(ruled, states)[0]:
        return
    while not ruled.may_stop(states):
        codes = ruled.allowed.joint.moves(ruled.allowed, states).codes[0].numpy()
        place = data.draw(st.sampled_from(np.flatnonzero(codes).tolist()))
        d = int(np.searchsorted(SCHEMA.space.starts, place, side="right")) - 1
        states.codes[0, d], states.edited[0, d] = place - SCHEMA.space.starts[d], True
    decoded = ruled.codec.decode(states)
    for rule in ruled.checked.rules:
        assert rule.kept(SCHEMA, TABLE.iloc[states.row.numpy()], decoded).all()


@settings(deadline=None, max_examples=60)
@given(st.data(), st.sets(st.sampled_from([0, 2, 3, 4, 5, 6]), min_size=1, max_size=3))
def test_what_mends_a_rule_is_the_nearest_value_that_does(data, chosen):
    ruled = Ruled(TABLE, [RULES[number] for number in chosen])
    states = drawn_state(data, ruled)
    if ruled.allowed.joint.needs(ruled.allowed, states)[0] != 1:
        return
    direct = ruled.allowed.directly()
    offered = direct.joint.moves(direct, states).codes[0].numpy()
    ways = {(d, code): away(ruled, states, d, code) for d, code in zip(*places(offered), strict=True)}
    mended = ruled.allowed.joint.completed(ruled.allowed, states)
    ((d,),) = (mended.edited & ~states.edited)[0].numpy().nonzero()
    assert ways[d, int(mended.codes[0, d])] == min(ways.values())


def places(offered):
    """The column and the code of each code that is offered."""
    (at,) = offered.nonzero()
    column = np.searchsorted(SCHEMA.space.starts, at, side="right") - 1
    return column.tolist(), (at - np.array(SCHEMA.space.starts)[column]).tolist()


def away(ruled, states, d, code):
    """How far a code is from the row's own value, as a share of all codes of its column."""
    numbers = SCHEMA.features[d].code_numbers
    return abs(numbers[code] - ruled.codec.own_numbers(d)[int(states.row[0])]) / np.ptp(numbers)


@pytest.mark.parametrize("number", range(len(RULES)))
def test_searching_finds_what_elimination_finds(number, monkeypatch):
    ruled = Ruled(TABLE, [RULES[number], RULES[2], RULES[4]])
    by_tables = ruled.allowed.joint.moves(ruled.allowed, ruled.state(1))
    again = Ruled(TABLE, [RULES[number], RULES[2], RULES[4]])
    monkeypatch.setattr(elimination, "MOST_CELLS", 0)
    by_search = again.allowed.joint.moves(again.allowed, again.state(1))
    assert torch.equal(by_tables.codes, by_search.codes)
    assert torch.equal(by_tables.stop, by_search.stop)


@pytest.mark.parametrize("number", range(len(RULES)))
def test_helpers_say_the_same_whether_they_are_taken_out_or_left(number, monkeypatch):
    found = []
    for few_cells in (0, 10**6):
        monkeypatch.setattr(dissolving, "FEW_CELLS", few_cells)
        ruled = Ruled(TABLE, [RULES[number], RULES[2], RULES[4]])
        found.append(ruled.allowed.joint.moves(ruled.allowed, ruled.state(1)))
    left, taken_out = found
    assert torch.equal(left.codes, taken_out.codes)
    assert torch.equal(left.stop, taken_out.stop)


def test_without_detours_only_what_mends_a_rule_is_offered():
    ruled = Ruled(TABLE, [IfThen(Rises("grade"), RisesBy("age", at_least=2)), LessEqual("paid", "owed")])
    direct, begun = ruled.allowed.joint.directly(), ruled.state(grade="mid")
    everything = ruled.allowed.joint.moves(ruled.allowed, begun).codes[0].numpy()
    offered = direct.moves(ruled.allowed, begun).codes[0].numpy()
    span = SCHEMA.space.span(SCHEMA.position("age"))
    assert offered[span].tolist() == everything[span].tolist()
    assert offered.sum() == offered[span].sum() < everything.sum()
    free = [joint.moves(ruled.allowed, ruled.state()).codes.tolist() for joint in (direct, ruled.allowed.joint)]
    assert free[0] == free[1]


def test_a_group_of_very_many_columns_is_moved_by_one_edit():
    names = [f"x{number}" for number in range(150)]
    table = pd.DataFrame(np.eye(150, dtype=int), columns=names)
    schema = Schema.infer(table)
    checked = CheckedConstraints.of(schema, [OneHot(*names), MaxChanges(1)])
    codec = prepared(checked, schema, table.iloc[:3]).codec
    allowed = compiled(checked, codec).allowed
    moves = allowed.joint.moves(allowed, unedited(torch.from_numpy(codec.codes), torch.arange(3)))
    assert moves.stop.all()
    assert moves.codes.sum(dim=1).tolist() == [149, 149, 149]

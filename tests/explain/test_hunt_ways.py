"""The ways of a hunt one by one: what samples give, and what is tried for rows that have nothing yet."""

from dataclasses import replace
from itertools import combinations, islice

import numpy as np
import pandas as pd
import pytest
from made_grounds import Made
from made_searches import made_search

from counterflownet import Changes, Equals, IfThen
from counterflownet._states import States
from counterflownet.explain.hunt import Effort, Hunt
from counterflownet.explain.reduction import FEW
from counterflownet.explain.turns import Turn

FLAGS = list("abcdefg")
TRAIN = pd.DataFrame(np.random.default_rng(0).random((60, 7)) < 0.5, columns=FLAGS)
NONE_SET = pd.DataFrame(False, index=range(2), columns=FLAGS)


def votes(needed: int):
    return lambda rows: 1 / (1 + np.exp(needed - 0.5 - rows.to_numpy(float).sum(axis=1)))


def made_hunt(
    likely, *, minimal: bool = True, samples: int = 300, wanted: int = 1, constraints=()
) -> tuple[Made, Hunt]:
    made = Made(NONE_SET, TRAIN, likely, constraints)
    search = made_search(made, {"proximity": 0.4, "sparsity": 0.2})
    search = replace(search, sampler=replace(search.sampler, samples=samples))
    return made, Hunt(search, np.arange(2), Effort(wanted=wanted, rounds=1), minimal=minimal, tight=True)


def sets(states: States) -> list[set[str]]:
    return [set(np.array(FLAGS)[flags]) for flags in states.edited.numpy()]


def pair_or_triple(rows: pd.DataFrame) -> np.ndarray:
    return np.where(rows[["a", "b"]].all(axis=1) | rows[["c", "d", "e"]].all(axis=1), 0.9, 0.1)


def test_a_pair_that_breaks_a_rule_gets_what_the_rule_asks_for() -> None:
    rule = IfThen(Equals("a", True) & Equals("b", True), Equals("c", True))
    _, hunt = made_hunt(lambda rows: votes(2)(rows[["a", "b"]]), constraints=[rule])
    hunt.finds.add(hunt._no_states())
    hunt._pair_on(hunt._pair(hunt.proposals.singles(hunt.asked)))
    assert sets(hunt.finds.joined()) == [{"a", "b", "c"}] * 2


def test_pairs_are_made_of_changes_with_what_rules_ask_for_besides() -> None:
    """Either change asks for company; none of the four is of use without the others."""
    rules = [IfThen(Changes("a"), Changes("b")), IfThen(Changes("c"), Changes("d"))]
    _, hunt = made_hunt(lambda rows: votes(2)(rows[["a", "c"]]), constraints=rules)
    hunt.finds.add(hunt._no_states())
    hunt._pair(hunt.proposals.mended(hunt.proposals.singles(hunt.asked), hunt.oracle.keeps))
    assert sets(hunt.finds.joined()) == [set("abcd")] * 2


def test_changes_are_added_beside_others_with_what_rules_ask_for_besides() -> None:
    rules = [IfThen(Changes("a"), Changes("b")), IfThen(Changes("c"), Changes("d")), IfThen(Changes("e"), Changes("f"))]
    _, hunt = made_hunt(lambda rows: votes(3)(rows[["a", "c", "e"]]), constraints=rules)
    hunt.finds.add(hunt._no_states())
    hunt._look_beside(hunt.asked, hunt.proposals.mended(hunt.proposals.singles(hunt.asked), hunt.oracle.keeps))
    assert sets(hunt.finds.joined()) == [set("abcdef")] * 2


def test_of_samples_of_few_changes_the_minimal_parts_are_found() -> None:
    _, hunt = made_hunt(pair_or_triple)
    hunt._look_among_samples(hunt.asked, Turn(0, 0, 300))
    found = hunt.finds.joined()
    assert {(row, *sorted(names)) for row, names in zip(found.row.tolist(), sets(found), strict=True)} == {
        (row, *names) for row in (0, 1) for names in ("ab", "cde")
    }


def test_samples_of_many_changes_wait_until_they_are_shortened() -> None:
    _, hunt = made_hunt(votes(FEW + 1))
    hunt._look_among_samples(hunt.asked, Turn(0, 0, 300))
    assert len(hunt.finds.joined()) == 0
    assert (States.joined(hunt.long).change_counts > FEW).all()
    hunt._shorten_long_ones()
    found = hunt.finds.joined()
    assert set(found.row.tolist()) == {0, 1}
    assert (found.change_counts == FEW + 1).all()
    assert hunt.long == []


def test_rows_that_are_not_short_have_no_long_samples_shortened() -> None:
    made, hunt = made_hunt(votes(FEW + 1))
    hunt._look_among_samples(hunt.asked, Turn(0, 0, 300))
    hunt.finds.add(made.state(dict.fromkeys(FLAGS, True), 1))
    hunt._shorten_long_ones()
    assert np.bincount(hunt.finds.joined().row.numpy())[1] == 1
    assert set(hunt.finds.joined().row.tolist()) == {0, 1}


def test_without_minimality_valid_samples_are_found_as_they_are() -> None:
    made, hunt = made_hunt(pair_or_triple, minimal=False)
    hunt._look_among_samples(hunt.asked, Turn(0, 0, 300))
    found = hunt.finds.joined()
    assert (pair_or_triple(made.decoded(found)) > 0.5).all()
    assert any(len(names) > 3 for names in sets(found))
    assert hunt.long == []


@pytest.mark.parametrize("minimal", [True, False])
def test_a_row_that_needs_every_change_is_helped_by_climbing(minimal) -> None:
    made, hunt = made_hunt(votes(7), minimal=minimal, samples=2)
    found = hunt.answers()
    assert sorted(found.row.tolist()) == [0, 1]
    assert made.decoded(found).all(axis=None)


def test_nothing_is_looked_further_for_rows_that_have_an_answer(monkeypatch) -> None:
    asked: list[list[int]] = []
    monkeypatch.setattr(Hunt, "_look_further", lambda _hunt, rows, _edits: asked.append(rows.tolist()))
    made_hunt(votes(2))[1].answers()
    made_hunt(lambda rows: np.where(rows.all(axis=1), 0.9, 0.1), samples=2)[1].answers()
    assert asked == [[], [0, 1]]


def test_all_answers_of_a_hunt_are_valid_and_minimal() -> None:
    made, hunt = made_hunt(pair_or_triple, wanted=4)
    found = hunt.answers()
    for row, names in zip(found.row.tolist(), sets(found), strict=True):
        parts = [dict.fromkeys(part, True) for part in combinations(names, len(names) - 1)]
        assert hunt.oracle.verdicts(made.state(dict.fromkeys(names, True), row)).valid[0]
        assert not any(hunt.oracle.verdicts(made.state(part, row)).valid[0] for part in parts)
    assert len(found) == 4


def just_these(rows: pd.DataFrame) -> np.ndarray:
    """Five flags are enough if the other two are not set, and nothing tells how near one is."""
    return np.where(rows[list("acdeg")].all(axis=1) & ~rows[list("bf")].any(axis=1), 0.9, 0.1)


def looked_further(hunt: Hunt) -> tuple[States, list[tuple[list[int], float]]]:
    """What comes of looking further, and the rows and the share of uniform actions of every draw on the way."""
    drawn: list[tuple[list[int], float]] = []
    plain = hunt._states

    def noted(rows: np.ndarray, turn: Turn, *, epsilon: float) -> States:
        drawn.append((rows.tolist(), epsilon))
        return plain(rows, turn, epsilon=epsilon)

    hunt._states = noted
    hunt.finds.add(hunt._no_states())
    hunt._look_further(hunt.asked, hunt.proposals.singles(hunt.asked))
    return hunt.finds.joined(), drawn


def test_rows_that_climbing_cannot_help_are_drawn_for_without_the_policy() -> None:
    found, drawn = looked_further(made_hunt(just_these, samples=2)[1])
    assert sorted(found.row.tolist()) == [0, 1]
    assert all(names == set("acdeg") for names in sets(found))
    assert drawn[0] == ([0, 1], 1.0)


@pytest.mark.parametrize(("likely", "looked_up"), [(just_these, [0, 1]), (votes(6), [])])
def test_rows_that_climbing_cannot_help_are_made_alike_to_rows_of_the_wanted_class(likely, looked_up) -> None:
    made, hunt = made_hunt(likely, samples=2)
    rows = []

    class Known:
        def states(self, _table, _allowed, row, target, _count) -> States:
            rows.append(row)
            return made.state(dict.fromkeys("acdeg", target == 1), row)

    hunt.search = replace(hunt.search, examples=Known())
    found, drawn = looked_further(hunt)
    assert rows == looked_up
    assert set(found.row.tolist()) == {0, 1}
    assert drawn == []


def test_rows_that_climbing_helped_are_not_drawn_for() -> None:
    found, drawn = looked_further(made_hunt(votes(6), samples=2)[1])
    assert set(found.row.tolist()) == {0, 1}
    assert drawn == []


def add_strategies(made: Made, hunt: Hunt, count: int) -> None:
    """So many different sets of three flags for each row."""
    chosen = list(combinations(FLAGS, 3))[:count]
    states = [made.state(dict.fromkeys(names, True), row) for row in (0, 1) for names in chosen]
    hunt.finds.add(States.joined([hunt._no_states(), *states]))


@pytest.mark.parametrize(
    ("wanted", "strategies", "drawn_again"),
    [(20, 4, True), (20, 5, False), (8, 1, True), (8, 2, False), (3, 0, True), (3, 1, False)],
)
def test_rows_are_drawn_for_until_they_have_a_quarter_of_what_is_wanted(wanted, strategies, drawn_again) -> None:
    made, hunt = made_hunt(votes(3), samples=2, wanted=wanted)
    hunt.effort = replace(hunt.effort, rounds=2)
    add_strategies(made, hunt, strategies)
    turns: list[Turn] = []
    hunt._look_among_samples = lambda _rows, turn: turns.append(turn)
    hunt._draw_on(hunt.turns.later(), hunt._enough_for_rounds)
    assert turns == [Turn(1, 2, 2)] * drawn_again


def test_one_more_than_are_wanted_is_made_tight_first_then_others_for_rows_that_are_short() -> None:
    made, hunt = made_hunt(votes(3), wanted=3)
    add_strategies(made, hunt, 12)
    given: list[list[int]] = []

    class Half:
        nearer = True

        def tightened(self, states: States, _both: np.ndarray | None = None) -> States:
            given.append(np.bincount(states.row.numpy(), minlength=2).tolist())
            return states[states.row.numpy() == 1]  # so that nothing is left of the others

    hunt.tightening = Half()
    hunt._polished(hunt.asked)
    assert given == [[4, 4], [8, 0]]


@pytest.mark.parametrize("minimal", [True, False])
def test_looking_around_asks_about_the_factuals_and_single_changes_in_one_call_with_the_samples(minimal) -> None:
    made, hunt = made_hunt(votes(2), minimal=minimal, samples=2)
    edits = hunt.proposals.singles(hunt.asked)
    hunt._look_around(edits)
    assert len(made.asked) == 1
    hunt.oracle.verdicts(hunt._factuals(hunt.asked))
    assert len(made.asked) == 1
    hunt.oracle.verdicts(edits.states)
    assert len(made.asked) == 1 + (not minimal)  # nobody wants single changes if all of a sample's are kept


@pytest.mark.parametrize(("minimal", "timed"), [(False, False), (True, True)])
def test_without_pairs_or_while_time_lasts_nothing_less_than_what_is_wanted_is_enough(minimal, timed) -> None:
    made, hunt = made_hunt(votes(3), minimal=minimal, samples=2, wanted=12)
    add_strategies(made, hunt, 11)
    turn, turns = Turn(1, 2, 2, timed=timed), []
    hunt._look_among_samples = lambda _rows, turn: turns.append(turn)
    hunt._draw_on(iter([turn]), None if timed else hunt._enough_for_rounds)
    assert turns == [turn]


def test_rounds_while_time_lasts_go_on_where_the_others_ended_and_double() -> None:
    _, hunt = made_hunt(votes(3), samples=4)
    hunt.effort = Effort(wanted=1, rounds=3, until=np.inf)
    rounds = hunt.turns.while_time_lasts(hunt._most_samples())
    turns = [(turn.number, turn.start, turn.count) for turn in islice(rounds, 3)]
    assert turns == [(3, 12, 8), (4, 20, 16), (5, 36, 32)]


def test_rounds_of_rows_that_are_looked_at_again_draw_other_samples() -> None:
    turns = replace(made_hunt(votes(3), samples=4)[1].turns, rounds=3)
    before = [turns.first, *turns.later(), *islice(replace(turns, until=np.inf).while_time_lasts(100), 10)]
    again = list(turns.again())
    drawn = {number for turn in before for number in range(turn.start, turn.start + turn.count)}
    assert [turn.count for turn in again] == [4, 4]
    assert not drawn & {number for turn in again for number in range(turn.start, turn.start + turn.count)}


@pytest.mark.parametrize(("left", "looked_at"), [(2, [[0]]), (3, [])])
def test_rows_whose_finds_became_alike_when_made_tight_are_looked_at_again(left, looked_at) -> None:
    made, hunt = made_hunt(votes(3), wanted=3, samples=2)
    hunt.effort = replace(hunt.effort, rounds=2)
    some, rows = list(combinations(FLAGS, 3)), []
    found = States.joined(
        [made.state(dict.fromkeys(names, True), 0) for names in some[:left]]
        + [made.state(dict.fromkeys(names, True), 1) for names in some[:3]]
    )
    hunt.finds.add(found)
    hunt._look_beside = lambda asked, _edits: rows.append(asked.tolist())
    more = hunt._looked_again(found, hunt.proposals.singles(hunt.asked))
    assert rows == looked_at
    assert np.bincount(more.row.numpy()).min() >= 3 - (not looked_at and left < 3)
    assert np.isin(found[found.row.numpy() == 1].keys(), more.keys()).all()


def of_four(rows: pd.DataFrame) -> np.ndarray:
    """Four flags are enough in four ways that have three of them in common; none brings anything without these."""
    ways = [[*"abc", last] for last in "defg"]
    enough = np.any([rows[way].all(axis=1) for way in ways], axis=0)
    return np.where(enough, 0.9, 0.1 + 0.1 * rows[list("abc")].all(axis=1))


def test_changes_of_an_answer_are_exchanged_for_others_where_rows_are_short() -> None:
    made, hunt = made_hunt(of_four, wanted=4, samples=1)
    found = States.joined([made.state(dict.fromkeys("abcd", True), row) for row in (0, 1)])
    hunt.finds.add(found)
    more = hunt._looked_again(found, hunt.proposals.singles(hunt.asked))
    for row in (0, 1):
        assert {"".join(sorted(names)) for names in sets(more[more.row.numpy() == row])} == {
            "abcd",
            "abce",
            "abcf",
            "abcg",
        }

"""In which order candidates are looked for: cheap ways first, expensive ones for rows that are short of answers."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet
from counterflownet.errors import InvalidInputError
from counterflownet.explain.hunt import Hunt
from counterflownet.explain.reduction import FEW
from counterflownet.explain.sampler import Sampler
from counterflownet.explain.turns import EXPLORATION, EXPLORATION_LATER

FLAGS = [f"flag {number}" for number in range(9)]
NEEDED = FEW + 2
NOBODY = pd.DataFrame([[False] * len(FLAGS)], columns=FLAGS)


class Votes:
    """A classifier that wants so many flags; it remembers how many were set in the rows of each call."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    def __call__(self, rows: pd.DataFrame) -> np.ndarray:
        votes = rows.to_numpy(bool).sum(axis=1)
        self.calls.append(int(votes.max(initial=0)))
        yes = 1 / (1 + np.exp(NEEDED - 0.5 - votes))
        return np.column_stack([1 - yes, yes])


@pytest.fixture(scope="module")
def votes() -> Votes:
    return Votes()


@pytest.fixture(scope="module")
def voting(votes, tiny) -> CounterFlowNet:
    rows = pd.DataFrame(np.random.default_rng(0).random((80, len(FLAGS))) < 0.5, columns=FLAGS)
    return CounterFlowNet(votes, classes=["no", "yes"], training=tiny).fit(rows)


@pytest.fixture
def drawn(monkeypatch, votes) -> list[tuple[int, float]]:
    """Of every round of samples: how often the classifier was asked before it, and the share of uniform actions."""
    seen: list[tuple[int, float]] = []
    draw = Sampler.draw

    def spied(self, questions, asked, *, epsilon=0.0, **which):
        seen.append((len(votes.calls), epsilon))
        return draw(self, questions, asked, epsilon=epsilon, **which)

    monkeypatch.setattr(Sampler, "draw", spied)
    return seen


def test_answers_of_many_changes_are_found_and_minimal(voting) -> None:
    answer = voting.explain(NOBODY, count=3)
    assert len(answer.row) == 3
    assert (answer.changed.sum(axis=1) == NEEDED).all()


def test_one_round_is_enough_to_shorten_what_it_found(voting) -> None:
    assert len(voting.explain(NOBODY, count=3, rounds=1, samples=400).row) == 3


def test_another_round_comes_before_samples_of_many_changes_are_shortened(voting, votes, drawn) -> None:
    votes.calls.clear()
    voting.explain(NOBODY, count=3)
    second_round = drawn[1][0]
    assert max(votes.calls[:second_round]) <= FEW < max(votes.calls[second_round:])


def test_samples_of_the_first_round_are_shortened_too(voting, monkeypatch) -> None:
    # Where one round leaves few, others are found in other ways.
    monkeypatch.setattr(Hunt, "_looked_again", lambda _, found, __: found)
    once, twice = (voting.explain(NOBODY, count=200, samples=60, rounds=rounds) for rounds in (1, 2))
    first, both = ({tuple(row) for row in answer.counterfactuals.to_numpy()} for answer in (once, twice))
    assert first
    assert first < both


@pytest.mark.parametrize(("minimal", "first"), [(True, EXPLORATION), (False, 0.0)])
def test_minimal_answers_are_looked_for_beside_the_policy_from_the_first_round_on(voting, drawn, minimal, first):
    voting.explain(NOBODY, count=400, rounds=3, minimal=minimal)
    assert [epsilon for _, epsilon in drawn] == [first, EXPLORATION_LATER, EXPLORATION_LATER]


def test_rows_that_are_short_are_searched_on_while_seconds_are_left(voting, drawn) -> None:
    few = voting.explain(NOBODY, count=400, rounds=2)
    assert len(drawn) == 2
    drawn.clear()
    more = voting.explain(NOBODY, count=400, rounds=2, seconds=1.0)
    assert len(drawn) > 2
    assert len(more.row) > len(few.row)
    assert more.valid.all()


def test_seconds_are_not_spent_on_rows_that_are_complete(voting, drawn) -> None:
    voting.explain(NOBODY, count=1, seconds=5.0)
    assert len(drawn) <= 4


@pytest.mark.parametrize("seconds", [0, -1.0, "long", True])
def test_seconds_must_be_a_number_above_zero(voting, seconds) -> None:
    with pytest.raises(InvalidInputError, match="seconds must be a finite number above 0"):
        voting.explain(NOBODY, seconds=seconds)

"""Constraints that are given to fit hold in every step of training."""

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import OBJECTIVES, CounterFlowNet, Immutable, Increasing, MaxChanges, Range
from counterflownet._space import Allowed, CodeSpace, everything_allowed
from counterflownet.errors import ConstraintError, SavedFileError
from counterflownet.training.restriction import randomly_restricted


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """Whoever knows ``a`` knows ``b``, as long as neither is changed."""
    draw = np.random.default_rng(0)
    a = draw.integers(0, 8, 60)
    return pd.DataFrame({"a": a, "b": 10 * a, "c": draw.random(60)})


class Watching:
    """A classifier that notes every row it is asked about."""

    def __init__(self) -> None:
        self.seen: list[pd.DataFrame] = []

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        self.seen.append(frame)
        return frame["c"].clip(0, 1).to_numpy(float)

    def fit(self, table: pd.DataFrame, *, constrained: float = 0.0, steps: int = 5, **options) -> pd.DataFrame:
        """Every row that a fit has asked about, but those made up to recognise the classifier by."""
        training = {"steps": steps, "window": 1, "batch_rows": 32, "width": 8, "constrained": constrained}
        CounterFlowNet(self, classes=["no", "yes"], training=training).fit(table, progress=False, **options)
        training_rows, _made_up, *edited = self.seen
        assert len(training_rows) == len(table)
        return pd.concat([training_rows, *edited])


def test_what_is_immutable_is_never_changed_in_training(table) -> None:
    free, fixed = Watching().fit(table), Watching().fit(table, constraints=[Immutable("a", "b")])
    assert (free["b"] != 10 * free["a"]).any()
    assert (fixed["b"] == 10 * fixed["a"]).all()
    assert set(zip(fixed["a"], fixed["c"], strict=True)) > set(zip(table["a"], table["c"], strict=True))


def test_what_may_only_rise_never_falls_in_training(table) -> None:
    seen = Watching().fit(table, constraints=[Immutable("b"), Increasing("a")])
    assert (10 * seen["a"] > seen["b"]).any()
    assert (10 * seen["a"] >= seen["b"]).all()


@pytest.mark.filterwarnings("ignore:few samples are valid")  # so short a training leaves much to be desired
def test_random_constraints_come_on_top_and_leave_open_what_must_change(table) -> None:
    rules = [Immutable("b"), Range("a", 3, None), MaxChanges(1)]
    seen = Watching().fit(table, constrained=1.0, steps=30, constraints=rules)
    changed = seen[10 * seen["a"] != seen["b"]]
    assert set(changed["b"]) >= {0, 10, 20}  # those that must change, and some that may
    assert (changed["a"] >= 3).all()


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_must_change_does_not_end_the_training(table, objective) -> None:
    training = {"steps": 5, "batch_rows": 32, "width": 8, "objective": objective}
    explainer = CounterFlowNet(Watching(), classes=["no", "yes"], training=training)
    explainer.fit(table, progress=False, constraints=[Range("a", 3, None)])
    assert np.isfinite([moment.residual for moment in explainer.history.moments]).all()
    answer = explainer.explain(table.head(10), constraints=[Range("a", 3, None)])
    assert (answer.counterfactuals["a"] >= 3).all()


def test_rows_in_which_nothing_can_be_learned_are_an_error(table) -> None:
    with pytest.raises(ConstraintError, match="of 60 training rows, the first at position"):
        Watching().fit(table, constraints=[Increasing("a"), Range("a", None, 3)])


def test_a_run_does_not_go_on_from_one_under_other_constraints(table, tmp_path) -> None:
    path = tmp_path / "run.checkpoint"
    Watching().fit(table, checkpoint=path, constraints=[Immutable("a")])
    with pytest.raises(SavedFileError, match="belongs to another table, another classifier, other settings"):
        Watching().fit(table, checkpoint=path, constraints=[Immutable("b")])


def test_a_feature_that_must_change_is_spared_by_random_constraints() -> None:
    space = CodeSpace((4, 4, 4), ordered=(True, True, True))
    factual = torch.zeros(400, 3, dtype=torch.long)
    whole = everything_allowed(space, factual)
    required = torch.zeros(400, 3, dtype=torch.bool)
    required[:, :2] = True
    allowed = Allowed(whole.codes, required, whole.most_changes)
    found = randomly_restricted(space, allowed, factual, 1.0, np.random.default_rng(0))
    assert torch.equal(found.codes[:, :8], whole.codes[:, :8])
    assert not torch.equal(found.codes[:, 8:], whole.codes[:, 8:])
    assert found.most_changes.min() == 2

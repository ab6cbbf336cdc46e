"""A fit balances the directions, tells how each fares, and keeps what it found."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Bins, CounterFlowNet, Schema
from counterflownet.errors import WeakDirectionWarning

QUICK = {"steps": 8, "window": 4, "batch_rows": 32, "width": 16, "patience": None}


def rare(frame: pd.DataFrame) -> np.ndarray:
    """One row in a hundred is put in the second class."""
    return 1 / (1 + np.exp(-40 * (frame["a"].to_numpy(float) - 0.99)))


@pytest.fixture
def table() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame({"a": np.linspace(0, 1, 2_000), "b": draw.integers(0, 5, 2_000)})


def fitted(table: pd.DataFrame, model=rare, classes=("no", "yes"), **training) -> CounterFlowNet:
    schema = Schema.infer(table, bins=Bins(strategy="uniform"))
    explainer = CounterFlowNet(model, schema=schema, classes=list(classes), training={**QUICK, **training})
    return explainer.fit(table, progress=False)


def test_a_fit_tells_every_direction_by_its_labels(table) -> None:
    there, back = fitted(table).history.directions
    assert (there.predicted, there.target, there.rows, there.held_out) == ("no", "yes", 99, True)
    assert (back.predicted, back.target, back.held_out) == (
        "yes",
        "no",
        False,
    )  # some twenty rows: too few to hold back
    assert 15 <= back.rows <= 25


def test_the_history_s_repr_names_the_worst_direction(table) -> None:
    explainer = fitted(table)
    worst = min(explainer.history.directions, key=lambda direction: direction.validity)
    assert f"worst direction {worst.predicted} -> {worst.target} {worst.validity:.1%}" in repr(explainer)


def test_what_was_found_is_saved_with_the_explainer(table, tmp_path) -> None:
    explainer = fitted(table)
    loaded = CounterFlowNet.load(explainer.save(tmp_path / "made.cfn"), rare, classes=["no", "yes"])
    assert loaded.history == explainer.history
    assert len(loaded.history.directions) == 2


def test_labels_that_json_does_not_know_are_told_as_text(table, tmp_path) -> None:
    days = [pd.Timestamp("2026-01-01"), pd.Timestamp("2026-01-02")]
    explainer = CounterFlowNet(rare, classes=days, training=QUICK).fit(table, checkpoint=tmp_path / "run")
    assert explainer.history.directions[0].predicted == "2026-01-01 00:00:00"


def test_a_rare_direction_is_learned_from_as_often_as_the_other(table) -> None:
    asked: dict[bool, float] = {}
    for balanced in (True, False):
        seen: list[float] = []

        def noting(frame: pd.DataFrame, seen=seen) -> np.ndarray:
            found = rare(frame)
            seen.append(float((found > 0.5).mean()))
            return found

        fitted(table, noting, balanced=balanced, constrained=0.0, exploration=0.0, learning_rate=1e-9)
        asked[balanced] = float(np.mean(seen[2:10]))  # of states in training: after the table and the rows made up
    assert asked[True] > 5 * asked[False]


def test_a_class_that_nothing_reaches_is_warned_of_after_a_repair(table) -> None:
    def never_third(frame: pd.DataFrame) -> np.ndarray:
        yes = rare(frame)
        return np.stack([1 - yes, yes, np.zeros(len(yes))], axis=1)

    with pytest.warns(WeakDirectionWarning, match=r"no -> maybe 0\.0%.*yes -> maybe 0\.0%"):
        explainer = fitted(table, never_third, ("no", "yes", "maybe"), repair=1.0)
    assert explainer.history.ended == "repair limit"


def test_a_fit_repairs_a_weak_direction(table) -> None:
    plain, repaired = (fitted(table, steps=12, repair=repair) for repair in (0.0, 9.0))
    worst = [min(one.validity for one in explainer.history.directions) for explainer in (plain, repaired)]
    assert (plain.history.ended, plain.history.repair_began) == ("step limit", None)
    assert (repaired.history.ended, repaired.history.repair_began) == ("repaired", 12)
    assert worst[0] < 0.97 <= worst[1]

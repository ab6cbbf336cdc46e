"""When a fit learns from relatives of rare rows, and what never sees them."""

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import Immutable
from counterflownet.classifier import as_classifier
from counterflownet.explain.fitting import Fit
from counterflownet.explain.settings import ExplainerSettings

QUICK = {"steps": 4, "window": 2, "batch_rows": 16, "width": 8, "patience": None}
RARE = 6


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """The columns agree in every row, so that whatever is mixed shows."""
    number = np.arange(230)
    return pd.DataFrame({"a": number, "b": number * 2.0, "c": number + 0.5}, index=number[::-1])


def last_few(rows: pd.DataFrame) -> np.ndarray:
    """Two classes; the second has only the last rows, which a mixture stays within."""
    return (rows["a"].to_numpy() >= 230 - RARE).astype(float)


class Noting:
    def __init__(self) -> None:
        self.seen: list[pd.DataFrame] = []

    def __call__(self, rows: pd.DataFrame) -> np.ndarray:
        self.seen.append(rows)
        return last_few(rows)


def prepared(table: pd.DataFrame, model=last_few, constraints=(), **training) -> Fit:
    settings = ExplainerSettings.of(training={**QUICK, **training})
    classifier = as_classifier(model, classes=["no", "yes"])
    return Fit(classifier, table, None, settings, (), torch.device("cpu"), constraints=constraints)


def learned_from(fit: Fit) -> list[int]:
    return [len(way.learned) for way in fit.directions]


def agrees(rows: pd.DataFrame) -> np.ndarray:
    return ((rows["b"] == 2 * rows["a"]) & (rows["c"] == rows["a"] + 0.5)).to_numpy()


def test_a_fit_learns_from_relatives_that_stand_behind_the_rows(table) -> None:
    fit = prepared(table)
    assert learned_from(fit) == [11 * (230 - RARE - 11), 11 * RARE]
    rows = fit.factuals.codec.rows
    assert len(rows) == sum(learned_from(fit)) + 11  # and those that are held back
    pd.testing.assert_frame_equal(rows.head(230).reset_index(drop=True), table.reset_index(drop=True))
    assert rows.dtypes.tolist() == table.dtypes.tolist()
    assert not agrees(rows.iloc[230:]).all()
    for way in fit.directions:
        assert (last_few(rows.iloc[way.learned]) == way.predicted).all()


@pytest.mark.parametrize("without", [{"balanced": False}, {"constraints": [Immutable("c")]}], ids=str)
def test_without_balance_or_under_constraints_a_fit_learns_from_the_rows_alone(table, without) -> None:
    noting = Noting()
    fit = prepared(table, noting, **without)
    assert learned_from(fit) == [230 - RARE - 11, RARE]
    pd.testing.assert_frame_equal(fit.factuals.codec.rows.reset_index(drop=True), table.reset_index(drop=True))
    assert len(noting.seen) == 2  # about the rows, and about rows to recognise the classifier by


def test_no_relative_is_among_the_rows_that_plausibility_is_measured_against(table) -> None:
    fit = prepared(table)
    own = np.unique(prepared(table, balanced=False).factuals.vectors, axis=0)
    assert fit.outlier.reference.tolist() == own.tolist()
    assert len(np.unique(fit.factuals.vectors, axis=0)) > len(own)


def test_what_the_reward_calls_plausible_is_the_same_with_relatives_and_without(table) -> None:
    one, other = (
        next(term for term, _ in prepared(table, balanced=balanced).reward.terms if term.name == "plausibility")
        for balanced in (True, False)
    )
    assert one.outlier.reference.tolist() == other.outlier.reference.tolist()


def test_the_probabilities_of_a_fit_are_those_of_the_rows(table) -> None:
    assert len(prepared(table).probabilities) == len(table)


def test_batches_of_a_fit_hold_relatives_and_no_row_that_is_held_back(table) -> None:
    noting = Noting()
    fit = prepared(table, noting)
    held = {row for way in fit.directions if way.held_out for row in way.measured}
    batches = fit._batches(fit._order(last_few(table).astype(int), 0), 0)
    source = np.concatenate([batches(step).source.numpy() for step in range(60)])
    assert (source >= len(table)).any()
    assert not set(source.tolist()) & held


def test_a_direction_is_measured_on_rows_of_the_table(table) -> None:
    for way in prepared(table).directions:
        assert (way.measured < len(table)).all()


def test_relatives_depend_on_the_seed_of_the_explainer(table) -> None:
    few = table.tail(100)  # of which none is held back, which depends on the seed as well

    def relatives(seed: int) -> pd.DataFrame:
        settings = ExplainerSettings.of(training=QUICK, seed=seed)
        fit = Fit(as_classifier(last_few, classes=[0, 1]), few, None, settings, (), torch.device("cpu"))
        return fit.factuals.codec.rows.iloc[len(few) :]

    pd.testing.assert_frame_equal(relatives(3), relatives(3))
    assert not relatives(3).equals(relatives(4))

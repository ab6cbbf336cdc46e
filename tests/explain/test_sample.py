"""Samples come as they are drawn, and explain chooses among them."""

import numpy as np
import pandas as pd
from explained import found

from counterflownet import (
    CounterFlowNet,
    Outcome,
    RowTerm,
)
from counterflownet.explain.verification import Verification


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
    assert len(answer.row) < 200 * len(rejected)
    assert answer.changed.any(axis=1).all()
    for _, own in answer.to_frame().groupby("factual"):
        assert own["rank"].is_monotonic_increasing
        assert own["rank"].is_unique
        assert own["rank"].between(1, 200).all()


def test_explain_chooses_among_what_sample_draws(explainer, rejected) -> None:
    samples = explainer.sample(rejected, samples=50)
    answered = rejected.iloc[np.unique(samples.row[samples.valid])]  # others are searched in other ways as well
    drawn, as_drawn = found(samples).astype(object), {"minimal": False, "tight": False}
    chosen = found(explainer.explain(answered, count=3, samples=50, rounds=1, **as_drawn)).astype(object)
    assert len(chosen) > 3
    assert chosen.merge(drawn.drop_duplicates(), how="left", indicator=True)["_merge"].eq("both").all()


def test_terms_of_ones_own_steer_and_are_reported(plain, tiny) -> None:
    cheap = RowTerm("row", lambda new, old: np.where(new["b"] == old["b"], 1.0, 0.1))
    model = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=[0, 1], training=tiny, terms=[(cheap, 1.0)])
    answer = model.fit(plain).sample(plain, samples=20)
    frame = answer.to_frame()
    same = frame["b"].to_numpy() == plain["b"].to_numpy()[answer.row]
    np.testing.assert_allclose(frame["row"], np.where(same, 1.0, 0.1))


def test_samples_for_a_wish_that_the_flow_was_not_trained_for_are_drawn_from_a_pool(plain, tiny) -> None:
    explainer = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=[0, 1], training={**tiny, "steps": 2})
    explainer.fit(plain)
    for asked in ({"costs": {"a": 4.0}}, {"row_preferences": {0: {"beta": 40.0}}}):
        told = {"samples": 5, **asked}
        drawn, pooled = (explainer.sample(plain, **told, **pool).to_frame() for pool in ({}, {"pool": 100}))
        pd.testing.assert_frame_equal(drawn, pooled)


def test_of_many_samples_the_classifier_is_asked_again_about_some_of_few_about_all(
    explainer, rejected, monkeypatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(Verification, "_note", lambda _self, stable: asked.append(len(stable)))
    drawn = len(explainer.sample(rejected, samples=40).row)
    monkeypatch.setattr("counterflownet.explain.verification.MOST_SAMPLES", 16)
    assert len(explainer.sample(rejected, samples=40).row) == drawn > 32
    all_of_them, some = asked
    assert all_of_them == drawn
    assert 8 < some <= 16

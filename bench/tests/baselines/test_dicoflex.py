"""DiCoFlex: smooth vectors, neighbours in the other class, a flow that learns them, and what it draws."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines import dicoflex
from counterflownet_bench.baselines.dicoflex import DiCoFlex, DiCoFlexTraining
from counterflownet_bench.baselines.dicoflex_pairs import Neighbourhoods, PairNoise, SmoothSpace, pairs_of
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.benchmark.presets import BINS
from counterflownet_bench.benchmark.roles import constraints_of, reference_of, schema_of
from counterflownet_bench.datasets import load_benchmark

SHORT = DiCoFlexTraining(epochs=12, groups=32)
RAW = DiCoFlex(filtered=False, training=SHORT)


@pytest.fixture(scope="module")
def german():
    return load_benchmark("german_credit")


@pytest.fixture(scope="module")
def task(german) -> Task:
    card, train = german.card, german.X_train
    classifier = reference_of(german, seed=0).classifier
    schema = schema_of(card, train, BINS[card.protocol])
    return Task(card=card, train=train, classifier=classifier, schema=schema, constraints=constraints_of(card), seed=0)


@pytest.fixture(scope="module")
def asked(german, task):
    """Rows of both predicted classes, in an order and with an index of their own, and the class each is to get."""
    rows = german.X_test.head(40)
    wanted = 1 - task.classifier.predicted(rows)
    assert set(wanted) == {0, 1}
    return rows, [task.classifier.classes[number] for number in wanted]


@pytest.fixture(scope="module")
def fitted(task):
    return RAW.fit(task)


def validity(fitted, asked, count=10) -> float:
    given = fitted.answer(*asked, count=count, selection="selected")
    wanted = np.array([fitted.classifier.classes.index(target) for target in asked[1]])
    return float((fitted.classifier.predicted(given.counterfactuals) == wanted[given.row]).mean())


def probability_of_wanted(fitted, asked, given) -> pd.Series:
    wanted = np.array([fitted.classifier.classes.index(target) for target in asked[1]])[given.row]
    return pd.Series(fitted.classifier.probabilities(given.counterfactuals)[np.arange(len(wanted)), wanted])


def with_method(fitted, **changes):
    return replace(fitted, method=replace(fitted.method, **changes))


def test_rows_come_back_from_smooth_vectors_and_test_rows_lie_where_training_rows_do(german) -> None:
    chance = np.random.default_rng(0)
    space = SmoothSpace.of(german.card, german.X_train, 0.05, chance)
    rows = german.X_test.reset_index(drop=True)
    pd.testing.assert_frame_equal(space.decode(space.encode(rows, chance)), rows)
    for table in (german.X_train, german.X_test):
        coordinates = space.encode(table, chance)[:, space.categorical]
        assert coordinates.mean() == pytest.approx(0.5, abs=0.02)
        assert coordinates.std() == pytest.approx(np.sqrt(1 / 12), abs=0.02)


@pytest.mark.parametrize("norm", [2.0, 0.01])
def test_neighbours_are_the_nearest_rows_of_the_other_class(norm) -> None:
    chance = np.random.default_rng(0)
    points, predicted = chance.random((60, 5)).astype(np.float32), chance.integers(0, 2, 60)
    chosen = np.arange(20)
    groups = list(Neighbourhoods(points, predicted, 2, 4).groups(chosen, [norm], chance))
    assert sorted(np.concatenate([factual for factual, _, _ in groups])) == chosen.tolist()
    for factual, question, neighbours in groups:
        for one, told, found in zip(factual, question.tolist(), neighbours, strict=True):
            wanted = 1 - predicted[one]
            assert told == pytest.approx([*np.eye(2)[wanted], norm])
            distance = (np.abs(points.astype(np.float64) - points[one]) ** norm).sum(axis=1)
            distance[predicted != wanted] = np.inf
            assert found.tolist() == distance.argsort()[:4].tolist()


def test_pairs_are_drawn_anew_with_noise_around_the_factual_and_its_neighbours(task) -> None:
    chance = np.random.default_rng(0)
    space = SmoothSpace.of(task.card, task.train, 0.05, chance)
    points = space.encode(task.train, chance)
    around = Neighbourhoods(points, task.classifier.predicted(task.train), 2, 6)
    pairs = pairs_of(around.groups(np.arange(100), [0.01, 2.0], chance), points, space)
    assert len(pairs) == 200
    draws = [pairs.drawn(torch.arange(200), 3, PairNoise(), torch.Generator().manual_seed(seed)) for seed in (0, 1)]
    assert not torch.equal(draws[0][0], draws[1][0])
    targets, contexts = draws[0]
    group = torch.arange(200).repeat_interleave(3)
    assert torch.allclose(contexts[:, : space.width], pairs.points[pairs.factual[group]], atol=0.01)
    assert torch.equal(contexts[:, space.width :], pairs.asked[group])
    apart = (targets[:, None] - pairs.points[pairs.neighbours[group]]).square().sum(dim=2).sqrt()
    assert apart.min(dim=1).values.mean() == pytest.approx(0.08 * space.categorical.sum() ** 0.5, rel=0.05)
    assert len(apart.argmin(dim=1).view(200, 3).unique()) == 6
    assert all(len(set(places)) == 3 for places in apart.argmin(dim=1).view(200, 3).tolist())


def test_the_flow_learns_and_draws_more_valid_rows_than_an_untrained_one(task, fitted, asked) -> None:
    told = fitted.training
    assert told["last_loss"] < told["first_loss"] - 10
    assert told["held_out_loss"] < told["held_out_loss_untrained"] - 10
    untrained = replace(RAW, training=replace(SHORT, epochs=1, learning_rate=0.0)).fit(task)
    assert validity(fitted, asked) > validity(untrained, asked) + 0.1


def test_the_flow_listens_to_the_wanted_class(fitted, asked) -> None:
    rows, targets = asked
    same = [fitted.classifier.classes[1 - fitted.classifier.classes.index(target)] for target in targets]
    swapped = fitted.answer(rows, same, count=10, selection="selected")
    given = fitted.answer(rows, targets, count=10, selection="selected")
    gain = probability_of_wanted(fitted, asked, given).mean() - probability_of_wanted(fitted, asked, swapped).mean()
    assert gain > 0.1


def test_learning_ends_when_it_has_stopped_to_help_and_keeps_the_best_weights(task) -> None:
    wild = replace(SHORT, learning_rate=30.0, patience=2)
    spoiled = replace(RAW, factuals=100, training=wild).fit(task)
    resting = replace(RAW, factuals=100, training=replace(wild, learning_rate=0.0)).fit(task)
    assert (spoiled.training["epochs"], spoiled.training["best_epoch"]) == (2, 0)
    for name, weight in spoiled.flow.state_dict().items():
        assert torch.equal(weight, resting.flow.state_dict()[name])


def test_unfiltered_answers_are_the_first_draws_whatever_stands_beside_a_row(fitted, asked) -> None:
    rows, targets = asked
    many = fitted.answer(rows, targets, count=5, selection="selected")
    few = fitted.answer(rows.head(7), targets[:7], count=3, selection="selected")
    assert many.row.tolist() == np.repeat(np.arange(len(rows)), 5).tolist()
    assert many.rank.tolist() == [1, 2, 3, 4, 5] * len(rows)
    assert many.outcomes == {"complete": len(rows)}
    first = many.counterfactuals[(many.row < 7) & (many.rank <= 3)].reset_index(drop=True)
    pd.testing.assert_frame_equal(few.counterfactuals, first, rtol=1e-4)
    pd.testing.assert_series_equal(few.counterfactuals.dtypes, rows.dtypes)


def test_filtered_answers_are_the_best_of_all_draws_and_distinct(fitted, asked) -> None:
    given = with_method(fitted, filtered=True, draws=30).answer(*asked, count=4, selection="selected")
    drawn = fitted.answer(*asked, count=30, selection="selected")
    assert given.outcomes == {"complete": len(asked[0])}
    best = probability_of_wanted(fitted, asked, drawn).groupby(drawn.row).nlargest(4).to_numpy()
    assert probability_of_wanted(fitted, asked, given).to_numpy() == pytest.approx(best)
    assert not given.counterfactuals.assign(factual=given.row).duplicated().any()


def test_without_temperature_all_draws_of_a_row_are_one(fitted, asked) -> None:
    raw = with_method(fitted, temperature=0.0).answer(*asked, count=3, selection="selected")
    assert len(raw.row) == 3 * len(asked[0])
    assert len(raw.counterfactuals.assign(factual=raw.row).drop_duplicates()) == len(asked[0])
    filtered = with_method(fitted, temperature=0.0, filtered=True, draws=5).answer(*asked, count=3, selection="any")
    assert filtered.outcomes == {"partial": len(asked[0])}
    assert filtered.row.tolist() == list(range(len(asked[0])))


@pytest.mark.parametrize("filtered", [True, False])
def test_draws_that_are_no_rows_and_copies_of_the_factual_are_left_out(fitted, asked, monkeypatch, filtered) -> None:
    def spoiled(flow, contexts, base):
        points = original(flow, contexts, base).reshape(len(contexts), -1, base.shape[2])
        points[:, 0, 3], points[:, 1, 0] = np.nan, np.inf
        points[:, 2] = contexts[:, : base.shape[2]]  # decodes to the factual
        points[5] = np.nan
        return points.reshape(-1, base.shape[2])

    original = dicoflex.drawn_points
    monkeypatch.setattr(dicoflex, "drawn_points", spoiled)
    method = with_method(fitted, filtered=filtered, draws=4)
    given = method.answer(*asked, count=4, selection="selected")
    assert given.outcomes == {"partial": len(asked[0]) - 1, "none": 1}
    assert given.row.tolist() == [row for row in range(len(asked[0])) if row != 5]
    assert not given.counterfactuals.isna().any(axis=None)
    assert given.counterfactuals.index.tolist() == list(range(len(given.row)))


def test_a_flow_that_draws_nothing_answers_nothing(fitted, asked, monkeypatch) -> None:
    monkeypatch.setattr(dicoflex, "drawn_points", lambda flow, contexts, base: base.flatten(0, 1).numpy() * np.nan)
    given = with_method(fitted, filtered=True).answer(*asked, count=4, selection="selected")
    assert given.outcomes == {"none": len(asked[0])}
    assert given.counterfactuals.empty


def test_the_seed_decides_everything_and_no_other_generator_is_touched(task, asked) -> None:
    method = replace(RAW, factuals=100, training=replace(SHORT, epochs=2))
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002
    answers = [
        method.fit(replace(task, seed=seed)).answer(*asked, count=2, selection="selected").counterfactuals
        for seed in (3, 3, 4)
    ]
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1] == np.random.get_state()[1].tolist()  # noqa: NPY002
    pd.testing.assert_frame_equal(answers[0], answers[1])
    assert not answers[0].equals(answers[2])


def test_what_cannot_be_asked_is_an_error(task, fitted, asked) -> None:
    with pytest.raises(InvalidInputError, match="no such class"):
        fitted.answer(asked[0].head(1), ["no such class"], count=1, selection="selected")
    with pytest.raises(InvalidInputError, match=r"DiCoFlex\.norm"):
        DiCoFlex(norm=0.01)
    with pytest.raises(InvalidInputError, match="greater than 0"):
        DiCoFlex(norm=0.0, norms=(0.0,))
    alike = task.train[task.classifier.predicted(task.train) == 1]
    with pytest.raises(InvalidInputError, match="the same class"):
        RAW.fit(replace(task, train=alike))

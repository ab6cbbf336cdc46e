"""L2C: its levels before the classifier, its training, its draws."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet.errors import InvalidInputError
from counterflownet.tabular import States
from counterflownet_bench.baselines.differentiable import DifferentiableClassifier
from counterflownet_bench.baselines.l2c import L2C
from counterflownet_bench.baselines.l2c_levels import Levels, whole_levels
from counterflownet_bench.baselines.l2c_networks import hard_levels, relaxed_levels, relaxed_selection
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.benchmark.presets import BINS
from counterflownet_bench.benchmark.roles import constraints_of, reference_of, schema_of
from counterflownet_bench.datasets import load_benchmark
from counterflownet_bench.references.model import Layer, ReferenceClassifier

QUICK = L2C(epochs=2, draws_at_once=100, most_draws=10_000)


@pytest.fixture(scope="module")
def german():
    return load_benchmark("german_credit")


@pytest.fixture(scope="module")
def task(german) -> Task:
    return Task(
        card=german.card,
        train=german.X_train,
        classifier=reference_of(german, seed=0).classifier,
        schema=schema_of(german.card, german.X_train, BINS["a"]),
        constraints=constraints_of(german.card),
        seed=0,
    )


@pytest.fixture(scope="module")
def rows(german) -> pd.DataFrame:
    return german.X_test.head(40)


@pytest.fixture(scope="module")
def targets(task, rows) -> list:
    return [task.classifier.classes[1 - number] for number in task.classifier.predicted(rows)]


@pytest.fixture(scope="module")
def fitted(task):
    return QUICK.fit(task)


@pytest.fixture(scope="module")
def given(fitted, rows, targets):
    return fitted.answer(rows, targets, count=6, selection="raw")


def network(classifier: ReferenceClassifier) -> ReferenceClassifier:
    """A network with one hidden layer."""
    encoder = classifier.encoder
    draw = np.random.default_rng(0).standard_normal
    layers = (Layer(draw((encoder.width, 7)), draw(7)), Layer(draw((7, 2)), draw(2)))
    return ReferenceClassifier(encoder, layers, classifier.classes)


@pytest.fixture(params=["logistic regression", "network"])
def classifier(request, task) -> ReferenceClassifier:
    return task.classifier if request.param == "logistic regression" else network(task.classifier)


def test_the_classifier_says_the_same_in_torch(classifier, rows) -> None:
    twin = DifferentiableClassifier.of(classifier, "L2C")
    assert np.allclose(twin.probabilities(twin.vectors(rows)).numpy(), classifier.probabilities(rows), atol=1e-12)


def test_placed_levels_are_what_the_classifier_sees_of_the_decoded_rows(classifier, task, rows) -> None:
    twin = DifferentiableClassifier.of(classifier, "L2C")
    levels = Levels.of(whole_levels(task.schema, task.train), twin, task.card)
    seen = levels.seen(rows)
    generator = torch.Generator().manual_seed(0)
    counts = torch.tensor(levels.schema.space.code_counts)
    codes = (torch.rand(len(rows), 1, len(counts), generator=generator) * counts).long()
    selected = torch.rand(codes.shape, generator=generator) < 0.5
    decoded = seen.codec.decode(States(torch.arange(len(rows)), codes[:, 0], selected[:, 0]))
    placed = levels.placed(seen.vectors, selected, codes)[:, 0]
    assert torch.equal(placed, twin.vectors(decoded))
    weights = torch.nn.functional.one_hot(codes[:, 0], levels.exists.shape[1]).double()
    assert torch.allclose(levels.mixture(seen.vectors, selected[:, 0].double(), weights), placed)


def test_levels_of_whole_numbers_are_whole_and_lie_in_their_bins(task) -> None:
    schema = whole_levels(task.schema, task.train)
    for name in task.card.continuous:
        feature = schema[name]
        assert all(isinstance(value, int) for value in feature.values)
        assert feature.encode(pd.Series(feature.values)).tolist() == list(range(feature.code_count))


def test_an_impossible_level_is_never_drawn() -> None:
    distribution = torch.tensor([[[0.0, 0.3, 0.0, 0.7, 0.0]]], dtype=torch.float64)
    ends = torch.tensor([0.0, 0.3, 1 - 2**-53], dtype=torch.float64)
    assert hard_levels(distribution, ends[None, None]).flatten().tolist() == [1, 3, 3]
    weights = relaxed_levels(distribution.expand(50, -1, -1), 0.2, torch.Generator().manual_seed(0))
    assert torch.equal(weights > 0, (distribution > 0).expand(50, -1, -1))
    assert torch.allclose(weights.sum(dim=2), torch.ones(50, 1, dtype=torch.float64))


def test_draws_follow_the_probabilities() -> None:
    generator = torch.Generator().manual_seed(0)
    uniforms = torch.rand(1, 1, 20_000, generator=generator, dtype=torch.float64)
    levels = hard_levels(torch.tensor([[[0.2, 0.5, 0.3]]], dtype=torch.float64), uniforms)
    assert np.allclose(np.bincount(levels.flatten()) / 20_000, [0.2, 0.5, 0.3], atol=0.015)
    blurred = relaxed_selection(torch.full((20_000, 1), 0.2, dtype=torch.float64), 0.1, generator)
    assert (blurred > 0.5).double().mean().item() == pytest.approx(0.2, abs=0.015)


def test_training_lowers_the_loss_and_makes_more_draws_valid(task) -> None:
    learning = L2C(epochs=12, learning_rate=2e-3, smoothing=0.0)
    trained = learning.fit(task).training
    assert trained["last_loss"] < trained["first_loss"] - 0.3
    untrained = replace(learning, epochs=1, learning_rate=0.0).fit(task).training
    assert trained["held_out_validity"] > untrained["held_out_validity"] + 0.3


def test_full_smoothing_is_the_limit_of_much_smoothing(task, fitted) -> None:
    networks = fitted.networks
    rows = networks.levels.seen(task.train.head(5))
    (selection, levels), (nearly_selection, nearly) = (networks(rows, smoothing=by) for by in (1.0, 1.0 - 1e-9))
    assert torch.equal(selection, nearly_selection)
    assert torch.allclose(levels, nearly, atol=1e-8)
    assert levels.dtype == nearly.dtype


def test_full_smoothing_leaves_the_perturber_as_it_began(task, fitted) -> None:
    begin = replace(QUICK, epochs=0).fit(task).networks
    for name, weight in fitted.networks.named_parameters():
        same = torch.equal(weight, begin.get_parameter(name))
        assert same == name.startswith("perturber")


def test_without_rows_held_out_the_last_epoch_stays(task) -> None:
    one, two = (replace(QUICK, held_out=0.0, epochs=epochs).fit(task) for epochs in (1, 2))
    assert "chosen_epoch" not in two.training
    assert not torch.equal(one.networks.selector[0].weight, two.networks.selector[0].weight)


def test_epochs_are_compared_by_the_last_batch_of_the_rows_that_are_held_out(task) -> None:
    """800 rows, of which 160 are held out: three batches of 50 and one of 10."""
    shares = {judged: replace(QUICK, judged=judged).fit(task).course.held_out for judged in ("batch", "all")}
    assert all(share * 10 == pytest.approx(round(share * 10)) for share in shares["batch"])
    assert all(share * 160 == pytest.approx(round(share * 160)) for share in shares["all"])
    assert shares["batch"] != shares["all"]


def test_every_answer_is_valid_and_ranked(task, rows, targets, given) -> None:
    wanted = np.array([task.classifier.classes.index(target) for target in targets])
    assert set(targets) == set(task.classifier.classes)
    assert (task.classifier.predicted(given.counterfactuals) == wanted[given.row]).all()
    ranks = pd.Series(given.rank).groupby(given.row).agg(list)
    assert all(own == list(range(1, len(own) + 1)) for own in ranks)
    assert given.outcomes == {"complete": len(rows)}
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, task.train.dtypes)
    assert given.counterfactuals.index.equals(pd.RangeIndex(6 * len(rows)))


def test_constraints_hold_in_every_answer(task, rows, given) -> None:
    before = rows.take(given.row).reset_index(drop=True)
    for name in task.card.immutable:
        assert given.counterfactuals[name].equals(before[name])
    for name in task.card.increasing:
        feature = task.schema[name]
        after = feature.coordinates(given.counterfactuals[name])
        assert (after >= feature.coordinates(before[name])).all()
        assert (after > feature.coordinates(before[name])).any()


def test_what_was_not_drawn_is_missing(task, fitted, rows, targets) -> None:
    few = replace(fitted, method=replace(QUICK, most_draws=4)).answer(rows, targets, count=3, selection="raw")
    found = np.bincount(few.row, minlength=len(rows))
    assert few.outcomes["none"] == (found == 0).sum() > 0
    assert few.outcomes["partial"] == ((found > 0) & (found < 3)).sum() > 0
    assert sum(few.outcomes.values()) == len(rows)
    assert len(few.counterfactuals) == found.sum()


def test_a_row_is_no_answer_to_itself(task, fitted, rows) -> None:
    own = [task.classifier.classes[number] for number in task.classifier.predicted(rows)]
    unchanging = replace(fitted, networks=replace(QUICK, epochs=0).fit(task).networks)
    unchanging.networks.selector[-1].bias.data.fill_(-3.0)
    given = unchanging.answer(rows, own, count=20, selection="raw")
    assert len(given.row)
    changed = given.counterfactuals.to_numpy() != rows.to_numpy()[given.row]
    assert changed.any(axis=1).all()


def test_a_row_has_the_same_answers_whatever_stands_beside_it_and_however_many_are_drawn_at_once(
    fitted, rows, targets, given
) -> None:
    slowly = replace(fitted, method=replace(QUICK, draws_at_once=7))
    alone = slowly.answer(rows.iloc[[9]], targets[9:10], count=6, selection="raw")
    pd.testing.assert_frame_equal(alone.counterfactuals, given.counterfactuals[given.row == 9].reset_index(drop=True))


def test_the_seed_decides_and_the_process_is_left_alone(task, rows, targets, given) -> None:
    before = torch.get_rng_state()
    again, other = (
        QUICK.fit(replace(task, seed=seed)).answer(rows, targets, count=6, selection="raw") for seed in (0, 1)
    )
    assert torch.equal(before, torch.get_rng_state())
    pd.testing.assert_frame_equal(again.counterfactuals, given.counterfactuals)
    assert not other.counterfactuals.equals(given.counterfactuals)


def test_text_and_fractions_are_answered_too() -> None:
    adult = load_benchmark("adult_protocol_b")
    train, rows = adult.X_train.head(600), adult.X_test.head(20)
    classifier = reference_of(adult, seed=0).classifier
    schema = schema_of(adult.card, train, BINS["a"])
    fitted = QUICK.fit(Task(card=adult.card, train=train, classifier=classifier, schema=schema, constraints=[], seed=0))
    wanted = 1 - classifier.predicted(rows)
    given = fitted.answer(rows, [classifier.classes[number] for number in wanted], count=2, selection="raw")
    assert len(given.row) > 20
    assert (classifier.predicted(given.counterfactuals) == wanted[given.row]).all()
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, train.dtypes)


def test_what_cannot_be_done_is_said(task, fitted, rows) -> None:
    class Other:
        classes = (0, 1)

    with pytest.raises(InvalidInputError, match=r"L2C learns through .* got Other"):
        QUICK.fit(replace(task, classifier=Other()))
    with pytest.raises(InvalidInputError, match="unknown target 'good'"):
        fitted.answer(rows, ["good"] * len(rows), count=1, selection="raw")
    with pytest.raises(InvalidInputError, match="smoothing must be between 0 and 1"):
        L2C(smoothing=2.0)
    with pytest.raises(InvalidInputError, match=r"unknown L2C\.judged 'some'"):
        L2C(judged="some")
    assert QUICK.settings()["epochs"] == 2

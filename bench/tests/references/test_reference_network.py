from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from counterflownet.errors import InvalidInputError
from counterflownet_bench.datasets import protocol_names
from counterflownet_bench.references.network import Adam, NetworkTraining, trained_network, trained_row_count
from counterflownet_bench.references.settings import RECIPES, LogisticSettings, NetworkSettings


def separable(row_count: int = 200) -> tuple[np.ndarray, np.ndarray]:
    inputs = np.random.default_rng(0).normal(size=(row_count, 4))
    return inputs, (inputs[:, 0] > 0).astype(np.int64)


def share_right(layers, inputs, labels) -> float:
    for layer in layers[:-1]:
        inputs = np.maximum(inputs @ layer.weight + layer.bias, 0.0)
    return float(((inputs @ layers[-1].weight + layers[-1].bias).argmax(axis=1) == labels).mean())


@pytest.mark.parametrize("twice", [False, True])
def test_a_network_learns_what_can_be_learnt(twice):
    inputs, labels = separable()
    settings = NetworkSettings(hidden=16, epochs=20, batch=5, softmax_twice=twice)
    layers = trained_network(inputs, labels, settings, class_count=2, seed=0)
    assert [layer.weight.shape for layer in layers] == [(4, 16), (16, 16), (16, 2)]
    assert share_right(layers, inputs, labels) > 0.95


def test_rows_held_out_are_the_last_ones_and_never_trained_on():
    inputs, labels = separable()
    wrong = np.where(np.arange(200) < 160, labels, 1 - labels)  # whoever trains on the last 40 learns something else
    settings = NetworkSettings(hidden=16, epochs=1, batch=10, held_out=0.2)
    told = trained_network(inputs, wrong, settings, class_count=2, seed=0)
    right = trained_network(inputs, labels, settings, class_count=2, seed=0)
    assert all((a.weight == b.weight).all() for a, b in zip(told, right, strict=True))


def test_the_epoch_that_is_best_on_the_rows_held_out_is_kept():
    inputs, labels = separable()
    wrong = np.where(np.arange(200) < 160, labels, 1 - labels)  # every step of training makes these worse
    settings = NetworkSettings(hidden=16, epochs=10, batch=10)
    kept = trained_network(inputs, wrong, replace(settings, held_out=0.2), class_count=2, seed=0)
    last = trained_network(inputs[:160], labels[:160], settings, class_count=2, seed=0)
    assert share_right(kept, inputs[160:], wrong[160:]) > share_right(last, inputs[160:], wrong[160:])


def test_of_equally_good_epochs_the_first_is_kept():
    inputs, labels = separable(10)
    inputs[8:], labels[8:] = 0.0, [0, 1]  # the same row with both labels: one of two is right, whatever was learnt
    settings = NetworkSettings(epochs=5, held_out=0.2)
    many = trained_network(inputs, labels, settings, class_count=2, seed=0)
    one = trained_network(inputs, labels, replace(settings, epochs=1), class_count=2, seed=0)
    assert all((a.weight == b.weight).all() for a, b in zip(one, many, strict=True))


def test_an_accuracy_that_is_enough_ends_the_training():
    inputs, labels = separable()
    one, many = (
        trained_network(
            inputs, labels, NetworkSettings(epochs=epochs, held_out=0.2, enough=enough), class_count=2, seed=0
        )
        for epochs, enough in ((1, 1.0), (50, 0.0))
    )
    assert all((a.weight == b.weight).all() for a, b in zip(one, many, strict=True))


@pytest.mark.parametrize("twice", [False, True])
def test_the_gradient_is_that_of_automatic_differentiation(twice):
    inputs, labels = separable(30)
    training = NetworkTraining(NetworkSettings(hidden=5, softmax_twice=twice), (4, 5, 5, 2), seed=0)
    rows, masks = inputs.astype(np.float32), training.masks(30)
    found = training.layers_of(training.gradient(rows, np.eye(2, dtype=np.float32)[labels], masks))
    layers = [[torch.tensor(part, requires_grad=True) for part in (e.weight, e.bias)] for e in training.layers]
    values = torch.tensor(rows)
    for (weight, bias), mask in zip(layers, masks, strict=False):
        values = ((values @ weight + bias) * torch.tensor(mask)).relu()
    scores = values @ layers[-1][0] + layers[-1][1]
    cross_entropy(scores.softmax(dim=1) if twice else scores, torch.tensor(labels)).backward()
    for layer, (weight, bias) in zip(found, layers, strict=True):
        assert layer.weight == pytest.approx(weight.grad.numpy(), rel=1e-4, abs=1e-7)
        assert layer.bias == pytest.approx(bias.grad.numpy(), rel=1e-4, abs=1e-7)


def test_a_step_is_that_of_the_adam_everybody_uses():
    chance = np.random.default_rng(0)
    weights = chance.normal(size=6).astype(np.float32)
    theirs = torch.tensor(weights.copy(), requires_grad=True)
    ours, optimiser = Adam(6, 1e-2), torch.optim.Adam([theirs], 1e-2)
    for gradient in chance.normal(size=(5, 6)).astype(np.float32):
        ours.step(weights, gradient)
        theirs.grad = torch.tensor(gradient)
        optimiser.step()
    assert weights == pytest.approx(theirs.detach().numpy(), rel=1e-4)


def test_dropout_keeps_the_expected_value_and_drops_the_share_it_should():
    masks = NetworkTraining(NetworkSettings(dropout=0.75), (4, 30, 30, 2), seed=0).masks(1_000)
    assert len(masks) == 2
    for mask in masks:
        assert set(np.unique(mask)) == {0.0, 4.0}
        assert mask.mean() == pytest.approx(1.0, abs=0.05)


def test_validation_may_keep_its_dropout():
    inputs, labels = separable()
    rows = inputs.astype(np.float32)
    quiet, noisy = (
        NetworkTraining(NetworkSettings(validated_with_dropout=flag), (4, 30, 30, 2), seed=0) for flag in (False, True)
    )
    assert len({quiet.accuracy(rows, labels) for _ in range(5)}) == 1
    assert len({noisy.accuracy(rows, labels) for _ in range(5)}) > 1


@pytest.mark.parametrize(("rows", "trained"), [(800, 640), (423, 339), (400, 320), (36_177, 28_942)])
def test_the_last_fifth_is_held_out_as_in_l2c(rows, trained):
    assert trained_row_count(rows, 0.2) == trained


def test_there_is_a_recipe_for_every_data_set_of_both_protocols():
    assert set(RECIPES) == {*protocol_names("a"), *protocol_names("b")}


@pytest.mark.parametrize("wrong", [{"hidden": 0}, {"epochs": 0}, {"batch": 0}, {"dropout": 1.0}, {"held_out": 1.0}])
def test_settings_that_cannot_be_are_refused(wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        NetworkSettings(**wrong)
    with pytest.raises(InvalidInputError, match="held_out"):
        LogisticSettings(held_out=-0.1)

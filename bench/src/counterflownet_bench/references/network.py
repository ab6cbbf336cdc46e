"""Training of the reference networks.

They are so small that a framework would spend its time on calling itself: forward pass, gradient and Adam are written
out here, five times as fast as with automatic differentiation, which the tests compare them with.
"""

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.seeds import numpy_generator
from counterflownet_bench.references.model import Layer, softmax
from counterflownet_bench.references.settings import NetworkSettings

Masks = tuple[Float[ndarray, "row hidden"], ...]
"""For each hidden layer, 0 where a unit is dropped and the factor that makes up for it elsewhere."""


def trained_network(
    inputs: Float[ndarray, "row dimension"],
    labels: Int[ndarray, " row"],
    settings: NetworkSettings,
    *,
    class_count: int,
    seed: int,
) -> tuple[Layer, ...]:
    """The layers of a network trained on these rows."""
    training = NetworkTraining(settings, (inputs.shape[1], settings.hidden, settings.hidden, class_count), seed)
    rows, wanted = inputs.astype(np.float32), np.eye(class_count, dtype=np.float32)[labels]
    kept = trained_row_count(len(rows), settings.held_out)
    best, found = -1.0, training.weights.copy()
    for _ in range(settings.epochs):
        training.epoch(rows[:kept], wanted[:kept])
        accuracy = training.accuracy(rows[kept:], labels[kept:])
        if accuracy > best or kept == len(rows):
            best, found = accuracy, training.weights.copy()
        if accuracy >= settings.enough:
            break
    return tuple(
        Layer(layer.weight.astype(np.float64), layer.bias.astype(np.float64)) for layer in training.layers_of(found)
    )


def trained_row_count(row_count: int, held_out: float) -> int:
    """How many rows are left to train on when the last ones are held out."""
    return row_count - int(held_out * row_count)


class NetworkTraining:
    """Weights on their way: all of them in one array, of which the layers are views."""

    def __init__(self, settings: NetworkSettings, widths: tuple[int, ...], seed: int) -> None:
        self.settings, self.widths = settings, widths
        self.chance = numpy_generator(seed, "reference network")
        self.weights = self._first_weights()
        self.layers = self.layers_of(self.weights)
        self.adam = Adam(len(self.weights), settings.learning_rate)

    def epoch(self, rows: Float[ndarray, "row dimension"], wanted: Float[ndarray, "row class"]) -> None:
        """One step for every batch of the rows, in an order of its own."""
        order, size = self.chance.permutation(len(rows)), self.settings.batch
        rows, wanted, masks = rows[order], wanted[order], self.masks(len(rows))
        for start in range(0, len(rows), size):
            some = slice(start, start + size)
            self.adam.step(self.weights, self.gradient(rows[some], wanted[some], tuple(mask[some] for mask in masks)))

    def gradient(
        self, rows: Float[ndarray, "row dimension"], wanted: Float[ndarray, "row class"], masks: Masks
    ) -> Float[ndarray, " weight"]:
        """The slope of the mean cross-entropy in every weight, by the chain rule from the last layer to the first."""
        values = self._values(rows, masks)
        slope = _score_slope(values.pop(), wanted, twice=self.settings.softmax_twice) / len(rows)
        found = np.empty_like(self.weights)
        parts = self.layers_of(found)
        for number in reversed(range(len(parts))):
            np.matmul(values[number].T, slope, out=parts[number].weight)
            slope.sum(axis=0, out=parts[number].bias)
            if number:  # a unit that was dropped or is at rest passes nothing on
                slope = (slope @ self.layers[number].weight.T) * masks[number - 1] * (values[number] > 0)
        return found

    def accuracy(self, rows: Float[ndarray, "row dimension"], labels: Int[ndarray, " row"]) -> float:
        """The share of rows put in their class; NaN if there are none."""
        if not len(rows):
            return float("nan")
        dropping = self.settings.validated_with_dropout
        masks = self.masks(len(rows)) if dropping else tuple(np.ones((1, 1), np.float32) for _ in self.widths[1:-1])
        return float((self._values(rows, masks)[-1].argmax(axis=1) == labels).mean())

    def masks(self, row_count: int) -> Masks:
        """Which units of each hidden layer are dropped, drawn anew."""
        dropout = np.float32(self.settings.dropout)
        return tuple(
            (self.chance.random((row_count, width), dtype=np.float32) >= dropout) / (1 - dropout)
            for width in self.widths[1:-1]
        )

    def layers_of(self, weights: Float[ndarray, " weight"]) -> list[Layer]:
        """Views of an array of all weights: layer after layer, each one's biases behind its weights."""
        layers, start = [], 0
        for inward, outward in zip(self.widths[:-1], self.widths[1:], strict=True):
            middle, end = start + inward * outward, start + (inward + 1) * outward
            layers.append(Layer(weights[start:middle].reshape(inward, outward), weights[middle:end]))
            start = end
        return layers

    def _values(self, rows: Float[ndarray, "row dimension"], masks: Masks) -> list[ndarray]:
        """What goes into each layer, and what comes out of the last."""
        values = [rows]
        for layer, mask in zip(self.layers[:-1], masks, strict=True):
            values.append(np.maximum(values[-1] @ layer.weight + layer.bias, 0) * mask)
        return [*values, values[-1] @ self.layers[-1].weight + self.layers[-1].bias]

    def _first_weights(self) -> Float[ndarray, " weight"]:
        """Weights and biases uniform up to one over the root of the layer's inputs, as in torch."""
        parts = [
            self.chance.uniform(-1, 1, (inward + 1) * outward) / np.sqrt(inward)
            for inward, outward in zip(self.widths[:-1], self.widths[1:], strict=True)
        ]
        return np.concatenate(parts).astype(np.float32)


class Adam:
    """Kingma and Ba (2015), with their constants."""

    def __init__(self, size: int, learning_rate: float) -> None:
        self.learning_rate = learning_rate
        self.first, self.second = np.zeros((2, size), dtype=np.float32)
        self.steps = 0

    def step(self, weights: Float[ndarray, " weight"], gradient: Float[ndarray, " weight"]) -> None:
        """Moves the weights in place."""
        self.steps += 1
        self.first += np.float32(1 - 0.9) * (gradient - self.first)
        self.second += np.float32(1 - 0.999) * (gradient * gradient - self.second)
        rate = np.float32(self.learning_rate / (1 - 0.9**self.steps))
        weights -= rate * self.first / (np.sqrt(self.second / np.float32(1 - 0.999**self.steps)) + np.float32(1e-8))


def _score_slope(
    scores: Float[ndarray, "row class"], wanted: Float[ndarray, "row class"], *, twice: bool
) -> Float[ndarray, "row class"]:
    """The slope of each row's cross-entropy in its scores; with ``twice``, of that of softmax(scores) as scores."""
    chances = softmax(scores)
    if not twice:
        return chances - wanted
    outer = softmax(chances) - wanted
    return chances * (outer - (outer * chances).sum(axis=1, keepdims=True))

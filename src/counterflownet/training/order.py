"""Which rows, with which targets, a step learns from: as the table has them, or the same number of each direction."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from counterflownet.seeds import derived_seed, keyed_uniforms
from counterflownet.training.directions import Directions
from counterflownet.training.rounds import Rounds


class Chosen(NamedTuple):
    """Rows of the training table, and the class wanted for each."""

    source: Int[ndarray, " row"]
    target: Int[ndarray, " row"]


Order = Callable[[int], Chosen]


class TableOrder:
    """All rows in a new random order each time round; the target is any class but the predicted one."""

    def __init__(
        self, rows: Int[ndarray, " row"], predicted: Int[ndarray, " all"], class_count: int, size: int, seed: int
    ) -> None:
        self.predicted, self.class_count, self.size, self.seed = predicted, class_count, size, seed
        self._rounds = Rounds(rows, seed, "order")

    def __call__(self, step: int) -> Chosen:
        source = self._rounds(step * self.size, (step + 1) * self.size)
        keys = np.arange(self.size, dtype=np.uint64) + np.uint64(derived_seed(self.seed, "target", step))
        steps_on = 1 + (keyed_uniforms(keys, 0) * (self.class_count - 1)).astype(np.int64)
        return Chosen(source, (self.predicted[source] + steps_on) % self.class_count)


class DirectionOrder:
    """Every direction has its share of each batch, the same unless ``shares`` says otherwise.

    The places of all batches, one after the other, repeat a pattern of directions, so that no batch has one more or
    fewer of a direction than it must. The rows of a direction come in a new random order each time round.
    """

    def __init__(self, directions: Directions, size: int, seed: int, shares: Sequence[int] | None = None) -> None:
        self.directions, self.size, self.seed = directions, size, seed
        self.shares = np.array([1] * len(directions) if shares is None else shares)
        self._pattern, self._turn = evenly_mixed(self.shares)
        self._rounds = [Rounds(way.learned, seed, "order", way.predicted, way.target) for way in directions]

    def __call__(self, step: int) -> Chosen:
        again, place = np.divmod(np.arange(step * self.size, (step + 1) * self.size), len(self._pattern))
        number = self._pattern[place]
        turn = again * self.shares[number] + self._turn[place]
        source, target = np.empty_like(number), np.empty_like(number)
        for one in np.unique(number):
            mine = number == one
            source[mine] = self._rounds[one](int(turn[mine][0]), int(turn[mine][-1]) + 1)
            target[mine] = self.directions.all[one].target
        return Chosen(source, target)


def evenly_mixed(shares: Int[ndarray, " direction"]) -> tuple[Int[ndarray, " place"], Int[ndarray, " place"]]:
    """Numbers, each as often as its share says and spread evenly, and how often each stood there before."""
    number = np.repeat(np.arange(len(shares)), shares)
    turn = np.concatenate([np.arange(share) for share in shares])
    order = np.argsort((turn + 0.5) / shares[number], kind="stable")
    return number[order], turn[order]

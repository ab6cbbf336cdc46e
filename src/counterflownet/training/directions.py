"""Directions: every predicted class that occurs, with every other class as its target."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from counterflownet.seeds import numpy_generator

HELD_SHARE = 0.05
HELD_ROWS = 500  # of all classes together
FEWEST_HELD = 10  # fewer rows would tell little, and a class so small needs all it has


@dataclass(frozen=True, slots=True, eq=False)
class Direction:
    """From one class to another, by number: the rows it is learned from, and those it is measured on.

    If the class has too few rows to hold some back (``held_out`` is false), it is measured on rows it is learned from.
    ``spare`` rows are learned from only if they turn out to be missed.
    """

    predicted: int
    target: int
    learned: Int[ndarray, " row"]
    measured: Int[ndarray, " other"]
    held_out: bool
    spare: Int[ndarray, " more"] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def missable(self) -> Int[ndarray, " any"]:
        """All rows that may be learned from where they are missed."""
        return np.concatenate([self.learned, self.spare])


@dataclass(frozen=True, slots=True, eq=False)
class Directions:
    """All directions of a table, and all rows to learn from, whichever their direction."""

    all: tuple[Direction, ...]
    learned: Int[ndarray, " row"]

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Direction]:
        return iter(self.all)

    def joined_by(self, more: Mapping[int, Int[ndarray, " added"]]) -> "Directions":
        """The same with more rows to learn from, by the class they are put in."""
        none = np.zeros(0, dtype=np.int64)
        ways = [replace(way, learned=np.concatenate([way.learned, more.get(way.predicted, none)])) for way in self]
        return Directions(tuple(ways), self.learned)

    def spared(self, more: Mapping[int, Int[ndarray, " added"]]) -> "Directions":
        """The same with spare rows, by the class they are put in."""
        ways = [replace(way, spare=more.get(way.predicted, way.spare)) for way in self]
        return Directions(tuple(ways), self.learned)

    @classmethod
    def of(cls, predicted: Int[ndarray, " row"], class_count: int, seed: int) -> "Directions":
        """The directions of rows by the class they are put in; some rows of each class are held back."""
        found: list[Direction] = []
        occurring, parts = np.unique(predicted).tolist(), []
        for number in occurring:
            order = numpy_generator(seed, "held back", number).permutation(np.flatnonzero(predicted == number))
            most = HELD_ROWS // len(occurring)
            count = min(int(HELD_SHARE * len(order)), most)
            held = count >= FEWEST_HELD
            learned, measured = (np.sort(order[count:]), order[:count]) if held else (np.sort(order), order[:most])
            parts.append(learned)
            targets = (target for target in range(class_count) if target != number)
            found += [Direction(number, target, learned, measured, held) for target in targets]
        return cls(tuple(found), np.sort(np.concatenate(parts)))

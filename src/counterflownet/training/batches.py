"""Which factuals, and which target for each, a training step works on."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet._space import Allowed, CodeSpace, everything_allowed
from counterflownet.flow.context import Questions
from counterflownet.seeds import derived_seed, keyed_uniforms, numpy_generator
from counterflownet.training.restriction import randomly_restricted


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Questions, and the row of the training table each comes from."""

    questions: Questions
    source: Int[Tensor, " row"]


@dataclass(frozen=True, slots=True, eq=False)
class FactualBatches:
    """All rows in a new random order each time round; the target is any class but the predicted one.

    Batch ``step`` depends on the seed and on ``step`` alone, so that a run can be resumed anywhere. ``always`` is what
    is allowed in each row of the table whenever it is trained on, its most changes included; None: everything. If a
    trajectory ``stops_anywhere``, what must change in an answer is left open, but not required.
    """

    space: CodeSpace
    codes: Int[ndarray, "row feature"]
    predicted: Int[ndarray, " row"]
    class_count: int
    size: int
    seed: int
    max_changes: int | None = None
    constrained: float = 0.0
    offsets: Float[ndarray, "row feature"] | None = None
    always: Allowed | None = None
    stops_anywhere: bool = False

    def __call__(self, step: int) -> Batch:
        source = self._rows(step * self.size, (step + 1) * self.size)
        factual = torch.from_numpy(self.codes[source])
        target = torch.from_numpy(self._targets(step, source))
        allowed = self._allowed(source, factual)
        if self.constrained > 0:
            generator = numpy_generator(self.seed, "constraints", step)
            allowed = randomly_restricted(self.space, allowed, factual, self.constrained, generator)
        if self.stops_anywhere:
            allowed = replace(allowed, required=torch.zeros_like(allowed.required))
        offset = None if self.offsets is None else torch.from_numpy(self.offsets[source])
        return Batch(Questions(factual, target, allowed, offset), torch.from_numpy(source))

    def _allowed(self, source: Int[ndarray, " row"], factual: Int[Tensor, "row feature"]) -> Allowed:
        if self.always is None:
            return everything_allowed(self.space, factual, self.max_changes)
        return self.always[torch.from_numpy(source)]

    def _rows(self, start: int, stop: int) -> Int[ndarray, " row"]:
        row_count = len(self.codes)
        rounds = range(start // row_count, (stop - 1) // row_count + 1)
        order = np.concatenate([_order(self.seed, r, row_count) for r in rounds])
        begin = start - rounds[0] * row_count
        return order[begin : begin + self.size]

    def _targets(self, step: int, source: Int[ndarray, " row"]) -> Int[ndarray, " row"]:
        keys = np.arange(self.size, dtype=np.uint64) + np.uint64(derived_seed(self.seed, "target", step))
        steps_on = 1 + (keyed_uniforms(keys, 0) * (self.class_count - 1)).astype(np.int64)
        return (self.predicted[source] + steps_on) % self.class_count


@lru_cache(maxsize=2)  # a round has many steps, and a step may lie in two rounds
def _order(seed: int, number: int, row_count: int) -> Int[ndarray, " row"]:
    """The rows of one round in random order."""
    return numpy_generator(seed, "order", number).permutation(row_count)

"""Rows on their way: vectors through which a classifier's gradients pass, and the rows that they stand for."""

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from counterflownet_bench.baselines.differentiable import DifferentiableClassifier
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.baselines.search_space import SearchSpace
from counterflownet_bench.vectors import CategoryBlock, NumberBlock


@dataclass(frozen=True, slots=True, eq=False)
class RelaxedRows:
    """A search space through which the classifier's gradients are known; its vectors may blend categories.

    ``scale``, ``shift`` and ``order`` turn a vector of the space into one of the classifier's; ``share`` is what each
    coordinate counts for in a distance, so that another category counts as much as the whole range of a number.
    """

    space: SearchSpace
    classifier: DifferentiableClassifier
    scale: Float[Tensor, " dimension"]
    shift: Float[Tensor, " dimension"]
    order: Int[Tensor, " dimension"]
    share: Float[Tensor, " dimension"]

    @classmethod
    def of(cls, task: Task, method: str) -> "RelaxedRows":
        """The space of a task, or an error that names the method if its classifier has no gradients to offer."""
        space, classifier = SearchSpace.of(task), DifferentiableClassifier.of(task.classifier, method)
        width = space.vectors.width
        scale, shift, share = (torch.full((width,), value, dtype=torch.float64) for value in (1.0, 0.0, 0.5))
        theirs = {block.name: block for block in classifier.encoder.space.blocks}
        for block in space.vectors.blocks:
            other, place = theirs[block.name], space.vectors.spans[block.name].start
            if isinstance(block, NumberBlock) and isinstance(other, NumberBlock):
                scale[place], shift[place] = block.scale / other.scale, (block.shift - other.shift) / other.scale
                share[place] = 1.0
        places = {name: np.arange(span.start, span.stop) for name, span in space.vectors.spans.items()}
        order = torch.from_numpy(np.concatenate([places[block.name] for block in classifier.encoder.space.blocks]))
        return cls(space, classifier, scale, shift, order, share)

    def logits(self, points: Float[Tensor, "search dimension"]) -> Float[Tensor, "search class"]:
        return self.classifier.logits((points * self.scale + self.shift)[:, self.order])

    @torch.no_grad()
    def hardened(
        self, points: Float[Tensor, "search dimension"], factuals: Float[Tensor, "search dimension"]
    ) -> Float[Tensor, "search dimension"]:
        """The vectors of rows that can exist, with immutable columns as they were and one value for each category."""
        found = torch.zeros_like(points)
        for block in self.space.vectors.blocks:
            span = self.space.vectors.spans[block.name]
            if isinstance(block, CategoryBlock):
                code = points[:, span].masked_fill(~torch.as_tensor(block.decodable), -torch.inf).argmax(dim=1)
                found[:, span] = torch.nn.functional.one_hot(code, block.width).double()
            else:
                values = (points[:, span] * block.scale + block.shift).clamp(block.low, block.high)
                whole = values.round() if np.issubdtype(block.dtype, np.integer) else values
                found[:, span] = (whole - block.shift) / block.scale
        return torch.where(torch.from_numpy(self.space.free), found, factuals)

    def distances(
        self, points: Float[Tensor, "search dimension"], factuals: Float[Tensor, "search dimension"]
    ) -> Float[Tensor, " search"]:
        """What lies between: numbers in shares of their range, another category as 1."""
        return ((points - factuals).abs() * self.share).sum(dim=1)

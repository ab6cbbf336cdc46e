"""Gradient searches side by side, and the best valid row that each of them has come across."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet.errors import check_count, check_positive
from counterflownet_bench.baselines.method import Given
from counterflownet_bench.baselines.relaxed_rows import RelaxedRows
from counterflownet_bench.baselines.search_space import Finds

SEARCHES_AT_ONCE = 2_000  # bounds the memory of a step
_MOVED = 1e-9  # less is what rounding leaves of no move
Chance = Sequence[np.random.Generator | None]


class Pursuit(Protocol):
    """What a method does with its searches; all tensors have one row for each."""

    @property
    def bounds(self) -> tuple[float, float]:
        """Between which values variables are kept."""
        ...

    def started(self) -> Float[Tensor, "search variable"]:
        """The variables before the first step."""
        ...

    def points(self, variables: Float[Tensor, "search variable"]) -> Float[Tensor, "search dimension"]:
        """Where the variables stand in the search space."""
        ...

    def losses(
        self,
        points: Float[Tensor, "search dimension"],
        logits: Float[Tensor, "search class"],
        found: Bool[Tensor, " search"],
    ) -> tuple[Float[Tensor, " search"], Float[Tensor, " search"]]:
        """What is to become small, and what a row there costs as an answer."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class MovingPoints:
    """The part of a pursuit whose variables are the points themselves: it starts beside the factuals."""

    factuals: Float[Tensor, "search dimension"]
    wanted: Int[Tensor, " search"]
    noise: Float[Tensor, "search dimension"]

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 1.0

    def started(self) -> Float[Tensor, "search dimension"]:
        return (self.factuals + self.noise).clamp(*self.bounds)

    def points(self, variables: Float[Tensor, "search dimension"]) -> Float[Tensor, "search dimension"]:
        return variables


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """How long Adam goes on, and in steps of which size."""

    steps: int
    learning_rate: float

    def __post_init__(self) -> None:
        check_count("Descent.steps", self.steps)
        check_positive("Descent.learning_rate", self.learning_rate)

    def best(
        self,
        rows: RelaxedRows,
        pursuit: Pursuit,
        factuals: Float[Tensor, "search dimension"],
        wanted: Int[Tensor, " search"],
    ) -> tuple[Float[Tensor, "search dimension"], Float[Tensor, " search"]]:
        """The cheapest valid row that each search came across and its cost, which is infinite if there was none.

        The classifier is shown rows that can exist; its gradients pass to the variables as if nothing were rounded.
        Searches do not meet: Adam moves each coordinate by itself.
        """
        variables = pursuit.started().requires_grad_()
        adam = torch.optim.Adam([variables], lr=self.learning_rate, amsgrad=True)
        best, least = factuals.clone(), torch.full((len(factuals),), torch.inf).double()
        for _ in range(self.steps):
            points = pursuit.points(variables)
            hard = rows.hardened(points, factuals)
            seen = points + (hard - points).detach()
            logits = rows.logits(seen)
            losses, costs = pursuit.losses(seen, logits, least.isfinite())
            better = (logits.argmax(dim=1) == wanted) & (costs < least) & ((hard - factuals).abs() > _MOVED).any(dim=1)
            best, least = torch.where(better[:, None], hard, best), torch.where(better, costs.detach(), least)
            adam.zero_grad()
            losses.sum().backward()  # type: ignore[no-untyped-call]
            adam.step()
            with torch.no_grad():
                variables.clamp_(*pursuit.bounds)
        return best, least


class Starts(Protocol):
    """What makes a pursuit of the searches that start at some factuals."""

    def __call__(
        self,
        factuals: Float[Tensor, "search dimension"],
        wanted: Int[Tensor, " search"],
        chance: Chance,
    ) -> Pursuit: ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """The wanted class of each row, how many answers each is to get, and the name of the random numbers."""

    wanted: Int[ndarray, " row"]
    count: int
    name: str


def descended(rows: RelaxedRows, descent: Descent, starts: Starts, factuals: pd.DataFrame, asked: Asked) -> Given:
    """The answers of ``count`` searches for each row; the first has no random numbers and starts at the row itself."""
    origins = rows.space.vectors.encode(factuals)
    generators = rows.space.generators(factuals, asked.count, asked.name)
    chance = [None if place % asked.count == 0 else generator for place, generator in enumerate(generators)]
    row, found = np.arange(len(factuals)).repeat(asked.count), []
    for start in range(0, len(row), SEARCHES_AT_ONCE):
        some = slice(start, start + SEARCHES_AT_ONCE)
        own, wanted = torch.from_numpy(origins[row[some]]), torch.from_numpy(asked.wanted[row[some]])
        found.append(descent.best(rows, starts(own, wanted, chance[some]), own, wanted))
    points, costs = (torch.cat(parts).numpy() for parts in zip(*found, strict=True))
    (ended,) = np.isfinite(costs).nonzero()
    table = rows.space.rows(points[ended], factuals.take(row[ended]))
    valid = rows.space.valid(table, asked.wanted[row[ended]])  # what is returned is asked about once more
    return Finds(table[valid], row[ended][valid], costs[ended][valid]).given(factuals, asked.count)


def noise(chance: Chance, width: int) -> Float[Tensor, "search width"]:
    """Gaussian noise for the searches that have random numbers, 0 for the others."""
    drawn = [np.zeros(width) if own is None else own.standard_normal(width) for own in chance]
    return torch.from_numpy(np.stack(drawn))

"""DiCoFlex: a conditional flow that has learned where the neighbours of a row in the other class are."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
import zuko
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Generator, Tensor

from counterflownet import Classifier
from counterflownet.errors import InvalidInputError, check_at_least, check_count, check_one_of
from counterflownet.seeds import derived_seed, numpy_generator, seeded_networks
from counterflownet_bench.baselines.dicoflex_pairs import (
    CANDIDATES,
    Neighbourhoods,
    PairNoise,
    Pairs,
    SmoothSpace,
    context,
    pairs_of,
    question,
)
from counterflownet_bench.baselines.method import Given, Task, class_numbers, places_within

DRAWN_TOGETHER = 4_000  # points in a block: larger ones leave the processor's cache


@dataclass(frozen=True, slots=True, kw_only=True)
class DiCoFlexTraining:
    """How long the flow learns, and on how much of what it could at a time.

    An epoch sees ``pairs`` of the neighbours of every factual, drawn anew. ``patience`` counts epochs without an
    improvement on the held-out groups; the weights that were best there are kept.
    """

    epochs: int = 100
    groups: int = 32
    pairs: int = 8
    learning_rate: float = 1e-3
    held_out: float = 0.2
    patience: int = 10
    improvement: float = 1e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class DiCoFlex:
    """Draws from a masked autoregressive flow, given the factual, the wanted class and the norm of the neighbourhood.

    The classifier labels the training rows; with ``filtered`` it also ranks ``draws`` draws of each row, valid ones
    first and then by the probability of the wanted class, of which the first distinct ones are given (the authors'
    later code). Without it, the first draws are given as they are (the code of their paper), as many as asked for.

    Nothing is guaranteed: answers need not be valid, and immutable and increasing columns are not kept, since the
    method knows constraints only as weights of a distance and as a part of the context. In the published experiments
    these weights are the same for all columns, where they change nothing; so they are left out here.

    ``norms`` are those the flow learns, ``norm`` the one of them it answers with; under any but 2, neighbours are
    looked for in a part of the rows. ``factuals`` limits the training rows from which pairs start.
    """

    norms: tuple[float, ...] = (2.0,)
    norm: float = 2.0
    neighbours: int = 32
    factuals: int = 6_000
    blur: float = 0.05
    noise: PairNoise = field(default_factory=PairNoise)
    transforms: int = 5
    hidden: tuple[int, ...] = (64, 64)
    training: DiCoFlexTraining = field(default_factory=DiCoFlexTraining)
    temperature: float = 0.8
    draws: int = 100
    filtered: bool = True

    def __post_init__(self) -> None:
        check_one_of("DiCoFlex.norm", self.norm, self.norms)
        if min(self.norms) <= 0:
            raise InvalidInputError(f"DiCoFlex.norms must be greater than 0; got {self.norms!r}.")
        check_count("DiCoFlex.factuals", self.factuals, 2)  # one to learn from, one held out
        for name in ("neighbours", "transforms", "draws"):
            check_count(f"DiCoFlex.{name}", getattr(self, name))
        for name in ("epochs", "groups", "pairs", "patience"):
            check_count(f"DiCoFlexTraining.{name}", getattr(self.training, name))
        check_at_least("DiCoFlex.temperature", self.temperature, 0.0)

    def settings(self) -> dict[str, Any]:
        return asdict(self) | {"candidates_of_other_norms": CANDIDATES}

    def fit(self, task: Task) -> "FittedDiCoFlex":
        seed = derived_seed(task.seed, "dicoflex")
        space = SmoothSpace.of(task.card, task.train, self.blur, numpy_generator(seed, "space"))
        pairs = self._pairs(task, space, numpy_generator(seed, "pairs"))
        with seeded_networks(derived_seed(seed, "flow")):
            flow = zuko.flows.MAF(
                space.width, pairs.context_width, transforms=self.transforms, hidden_features=self.hidden
            )
        training = learned(flow, pairs, self, torch.Generator().manual_seed(derived_seed(seed, "training")))
        return FittedDiCoFlex(self, task.classifier, space, flow, training, seed)

    def _pairs(self, task: Task, space: SmoothSpace, chance: np.random.Generator) -> Pairs:
        probabilities = task.classifier.probabilities(task.train)
        points = space.encode(task.train, chance)
        chosen = chance.permutation(len(points))[: self.factuals]
        around = Neighbourhoods(points, probabilities.argmax(axis=1), probabilities.shape[1], self.neighbours)
        return pairs_of(around.groups(chosen, self.norms, chance), points, space)


def learned(flow: Any, pairs: Pairs, method: DiCoFlex, chance: Generator) -> dict[str, Any]:
    """How it went when the flow learned the pairs by maximum likelihood; it has its best weights afterwards."""
    rules = method.training
    drawn = partial(pairs.drawn, count=rules.pairs, noise=method.noise, chance=chance)
    order = torch.randperm(len(pairs), generator=chance)
    held_out, learning = order.tensor_split([max(1, round(rules.held_out * len(pairs)))])
    judged = drawn(held_out)  # once, so that epochs are compared on the same pairs
    optimizer = torch.optim.Adam(flow.parameters(), lr=rules.learning_rate)
    losses: list[float] = []
    judgements, best, weights = [mean_loss(flow, judged)], 0, deepcopy(flow.state_dict())
    while len(losses) < rules.epochs and len(losses) - best < rules.patience:
        shuffled = learning[torch.randperm(len(learning), generator=chance)]
        batches = map(drawn, torch.split(shuffled, rules.groups))
        losses.append(float(np.mean([_step(flow, batch, optimizer) for batch in batches])))
        judgements.append(mean_loss(flow, judged))
        if judgements[-1] < judgements[best] - rules.improvement:
            best, weights = len(losses), deepcopy(flow.state_dict())
    flow.load_state_dict(weights)
    return {
        "groups": len(pairs),
        "epochs": len(losses),
        "best_epoch": best,
        "first_loss": losses[0],
        "last_loss": losses[-1],
        "held_out_loss_untrained": judgements[0],
        "held_out_loss": judgements[best],
    }


def _step(flow: Any, batch: tuple[Tensor, Tensor], optimizer: torch.optim.Optimizer) -> float:
    targets, contexts = batch
    loss = -flow(contexts).log_prob(targets).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss.detach())


@torch.no_grad()
def mean_loss(flow: Any, judged: tuple[Tensor, Tensor]) -> float:
    """The mean negative log-likelihood of these pairs."""
    blocks = zip(*(torch.split(part, DRAWN_TOGETHER) for part in judged), strict=True)
    total = sum(float(-flow(contexts).log_prob(targets).sum()) for targets, contexts in blocks)
    return total / len(judged[0])


@torch.no_grad()
def drawn_points(
    flow: Any, contexts: Float[Tensor, "row context"], base: Float[Tensor, "row draw dimension"]
) -> Float[ndarray, "point dimension"]:
    """Where the flow takes each row's base noise, those of a row together."""
    repeated = contexts.repeat_interleave(base.shape[1], dim=0)
    blocks = zip(*(torch.split(part, DRAWN_TOGETHER) for part in (repeated, base.flatten(0, 1))), strict=True)
    return torch.cat([flow.transform(told).inv(noise) for told, noise in blocks]).numpy()


@dataclass(frozen=True, slots=True, eq=False)
class FittedDiCoFlex:
    """A flow that has learned, and the space it draws in."""

    method: DiCoFlex
    classifier: Classifier
    space: SmoothSpace
    flow: Any
    training: Mapping[str, Any]
    seed: int

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        rows, wanted = rows.reset_index(drop=True), class_numbers(self.classifier.classes, targets)
        draws = max(self.method.draws, count) if self.method.filtered else count
        contexts = self._contexts(rows, wanted)
        found = []
        for part in np.array_split(np.arange(len(rows)), -(-len(rows) * draws // DRAWN_TOGETHER)):
            points = drawn_points(self.flow, contexts[part], self._base(part, draws))
            found.append(self._answers(points, part.repeat(draws), rows, wanted, count))
        answers, places = zip(*found, strict=True)
        return Given.of_rows(pd.concat(answers), np.concatenate(places), row_count=len(rows), count=count)

    def _base(self, part: Int[ndarray, " row"], draws: int) -> Float[Tensor, "row draw dimension"]:
        """The noise that the flow moves, of each row its own, so that other rows and more draws do not change it."""
        streams = (numpy_generator(self.seed, "draws", int(position)) for position in part)
        noise = [stream.standard_normal((draws, self.space.width), dtype=np.float32) for stream in streams]
        return self.method.temperature * torch.from_numpy(np.stack(noise))

    def _contexts(self, rows: pd.DataFrame, wanted: Int[ndarray, " row"]) -> Float[Tensor, "row context"]:
        factuals = torch.from_numpy(self.space.encode(rows, numpy_generator(self.seed, "contexts")))
        return context(factuals, question(wanted, len(self.classifier.classes), self.method.norm))

    def _answers(
        self,
        points: Float[ndarray, "point dimension"],
        row: Int[ndarray, " point"],
        rows: pd.DataFrame,
        wanted: Int[ndarray, " row"],
        count: int,
    ) -> tuple[pd.DataFrame, Int[ndarray, " answer"]]:
        """The points that are answers, as rows, and the position of each one's factual; the best of a row first."""
        finite = np.isfinite(points).all(axis=1)
        found, row = self.space.decode(points[finite]), row[finite]
        factuals = rows[found.columns].take(row).reset_index(drop=True)
        usable = ~(found == factuals).all(axis=1).to_numpy(dtype=np.bool_)
        if self.method.filtered:
            usable &= ~found.assign(**{"its factual": row}).duplicated().to_numpy()
        order = np.flatnonzero(usable)
        if self.method.filtered and len(order):
            order = order[self._best_first(found.take(order), row[order], wanted)]
        order = order[places_within(row[order]) < count]
        return found.take(order), row[order]

    def _best_first(
        self, found: pd.DataFrame, row: Int[ndarray, " point"], wanted: Int[ndarray, " row"]
    ) -> Int[ndarray, " point"]:
        probabilities = self.classifier.probabilities(found.reset_index(drop=True))
        valid = probabilities.argmax(axis=1) == wanted[row]
        return np.lexsort((-probabilities[np.arange(len(row)), wanted[row]], ~valid, row))

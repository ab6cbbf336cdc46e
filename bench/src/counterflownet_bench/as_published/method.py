"""The paper's training and sampling (its algorithm 1 and section Sampling) as a method of the benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet import RewardSettings, RewardWeights
from counterflownet.errors import check_count
from counterflownet.reward import LocalOutlierFactor
from counterflownet.seeds import derived_seed
from counterflownet.tabular import States
from counterflownet_bench.as_published.exact import FittedExactly
from counterflownet_bench.as_published.network import FlowNetwork, PolicyNetwork, Shape
from counterflownet_bench.as_published.quantised import quantised
from counterflownet_bench.as_published.reading import FORMULAS, Reading
from counterflownet_bench.as_published.reward import PublishedReward, units
from counterflownet_bench.as_published.rollout import Ended, rollout
from counterflownet_bench.as_published.table import Table
from counterflownet_bench.baselines.method import Given, Task, class_numbers
from counterflownet_bench.baselines.vectors import vector_space
from counterflownet_bench.metrics import without_copies

RECENT = 50  # steps over which what is told of the training is averaged


@dataclass(frozen=True, slots=True, kw_only=True)
class AsPublished:
    """Trajectory balance with a squared loss, Adam at a constant rate, batches of rows in the order of the table.

    The share of random actions is that of the code the paper builds on. That code also replays a sixth of each batch
    from the best it has seen, of which the paper says nothing: there is no replay here. How long the paper trains is
    not known either: ``steps`` says it.
    """

    weights: RewardWeights
    reward: RewardSettings
    reading: Reading = FORMULAS
    steps: int = 5_000
    batch_rows: int = 1_000
    learning_rate: float = 5e-3
    flow_factor: float = 10.0
    exploration: float = 0.05

    def __post_init__(self) -> None:
        check_count("AsPublished.steps", self.steps)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedAsPublished | FittedExactly":
        if self.reading.quantised:
            task = replace(task, train=quantised(task.schema, task.train))
        if self.reading.exact:
            return FittedExactly(task, _reward(self, task, task.classifier.probabilities(task.train).argmax(axis=1)))
        torch_seed = derived_seed(task.seed, "as published")
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(torch_seed)
            run = _Run(self, task)
        generator = torch.Generator().manual_seed(torch_seed)
        told = [run.step(number, generator) for number in range(self.steps)]
        return FittedAsPublished(run, {"steps": self.steps, "ended": "step limit"} | _recent(told))


def _recent(told: Sequence[Mapping[str, float]]) -> dict[str, float]:
    last = told[-RECENT:]
    return {name: float(np.mean([each[name] for each in last])) for name in last[0]}


class _Run:
    """Networks, reward and training rows."""

    def __init__(self, method: AsPublished, task: Task) -> None:
        self.method, self.task = method, task
        shape = Shape(tuple(feature.code_count for feature in task.schema), len(task.classifier.classes))
        self.policy, self.flow = PolicyNetwork(shape), FlowNetwork(shape)
        self.optimizer = torch.optim.Adam(self._groups(), lr=method.learning_rate)
        self.train = Table.of(task, task.train, reassign=method.reading.reassign)
        self.predicted = task.classifier.probabilities(task.train).argmax(axis=1)
        self.reward = _reward(method, task, self.predicted)

    def _groups(self) -> list[dict[str, Any]]:
        fast = self.method.learning_rate * self.method.flow_factor
        usual = list(self.policy.parameters())
        if self.method.reading.faster_flow == "network":
            return [{"params": usual}, {"params": list(self.flow.parameters()), "lr": fast}]
        others = [parameter for name, parameter in self.flow.named_parameters() if name != "scalar"]
        return [{"params": usual + others}, {"params": [self.flow.scalar], "lr": fast}]

    def step(self, number: int, generator: torch.Generator) -> dict[str, float]:
        """One batch and one step of the optimiser on it; what the batch showed."""
        at = np.arange(number * self.method.batch_rows, (number + 1) * self.method.batch_rows) % len(self.predicted)
        other = torch.randint(1, len(self.task.classifier.classes), (len(at),), generator=generator).numpy()
        target = (self.predicted[at] + other) % len(self.task.classifier.classes)
        asked = Asked(self.train, at, target)
        ended = asked.drawn(self.policy, generator, exploration=self.method.exploration)
        value, valid = asked.judged(ended, self.reward)
        log_reward = torch.from_numpy(self.reward.log_tempered(value)).float()
        log_flow = self.flow(asked.factual, torch.from_numpy(target))
        residual = log_flow + ended.log_forward - log_reward - ended.log_backward
        loss = residual.square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        shown = {"reward": value, "validity": valid, "edits": ended.edited.sum(dim=1).numpy()}
        return {name: float(each.mean()) for name, each in shown.items()} | {"loss": float(loss.detach())}


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Rows of a table by their numbers, and the class wanted for each."""

    table: Table
    row: Int[ndarray, " asked"]
    target: Int[ndarray, " asked"]

    @property
    def factual(self) -> Int[Tensor, "asked feature"]:
        return self.table.codes[self.row]

    def drawn(self, policy: PolicyNetwork, generator: torch.Generator, *, exploration: float = 0.0) -> Ended:
        target, allowed = torch.from_numpy(self.target), self.table.allowed[self.row]
        return rollout(policy, self.factual, target, allowed, generator, exploration=exploration)

    def changed(self, ended: Ended) -> Bool[ndarray, "row feature"]:
        """An edit that sets the code that was there changes nothing."""
        return (ended.edited & (ended.codes != self.factual)).numpy()

    def decoded(self, ended: Ended) -> pd.DataFrame:
        return self.table.codec.decode(States.of_arrays(self.row, ended.codes.numpy(), self.changed(ended)))

    def judged(self, ended: Ended, reward: PublishedReward) -> tuple[Float[ndarray, " row"], Bool[ndarray, " row"]]:
        factuals = self.table.codec.rows.take(self.row)
        return reward.value(self.decoded(ended), factuals, self.changed(ended), self.target)


def _reward(method: AsPublished, task: Task, predicted: Int[ndarray, " row"]) -> PublishedReward:
    reading, settings = method.reading, method.reward
    space = vector_space(task.card, task.train, "deviation")  # what the classifier sees, as far as the text says
    numeric = np.array([feature.numeric for feature in task.schema])
    return PublishedReward(
        classifier=task.classifier,
        weights=method.weights,
        settings=settings,
        reading=reading,
        units=units(task.train, [str(name) for name in task.card.continuous], reading),
        sparse=~numeric if settings.sparsity_over == "categorical" else np.ones_like(numeric),
        space=space,
        outliers=_outliers(method, task, space.encode(task.train).astype(np.float32), predicted),
    )


def _outliers(
    method: AsPublished, task: Task, vectors: Float[ndarray, "row dimension"], predicted: Int[ndarray, " row"]
) -> dict[int, LocalOutlierFactor]:
    if method.weights.plausibility == 0:
        return {}
    groups = {-1: vectors}
    if method.reading.outlier_rows == "target":
        groups = {int(number): vectors[predicted == number] for number in np.unique(predicted)}
    return {
        number: LocalOutlierFactor.fit(rows, reference_rows=None, seed=task.seed) for number, rows in groups.items()
    }


@dataclass(frozen=True, slots=True, eq=False)
class FittedAsPublished:
    """A trained policy; samples depend on the seed and on the place of a row among those that are asked about."""

    run: _Run
    training: Mapping[str, Any]

    @torch.no_grad()
    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:
        """K samples of each row, as drawn; if selected, those of the K that are valid, each once, the best first."""
        run, task = self.run, self.run.task
        wanted = class_numbers(task.classifier.classes, targets).repeat(count)
        ordered = rows[list(task.schema.names)].reset_index(drop=True)
        own = np.arange(len(rows)).repeat(count)
        asked = Asked(Table.of(task, rows, reassign=run.method.reading.reassign), own, wanted)
        generator = torch.Generator().manual_seed(derived_seed(task.seed, "as published", "answers"))
        ended = asked.drawn(run.policy, generator)
        table = asked.decoded(ended)
        kept = without_copies(ordered, table, own)
        if selection != "raw":
            kept = _selected(kept, table, own, *asked.judged(ended, run.reward))
        found = table.take(kept)[list(task.train.columns)]
        return Given.of_rows(found, own[kept], row_count=len(rows), count=count)


def _selected(
    kept: Int[ndarray, " kept"],
    table: pd.DataFrame,
    own: Int[ndarray, " sample"],
    value: Float[ndarray, " sample"],
    valid: Bool[ndarray, " sample"],
) -> Int[ndarray, " chosen"]:
    """Of the samples that are kept, the valid ones, each once, the best first."""
    single = ~table.assign(**{"row of the sample": own}).duplicated().to_numpy()
    chosen = kept[valid[kept] & single[kept]]
    return chosen[np.lexsort([-value[chosen], own[chosen]])]

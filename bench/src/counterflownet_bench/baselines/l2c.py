"""L2C: learn which features to change and to which levels, then draw until enough draws are valid (Vo et al. 2023)."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int, UInt64
from numpy import ndarray
from torch import Tensor, nn

from counterflownet.errors import check_at_least, check_between, check_count, check_one_of
from counterflownet.seeds import derived_seed, keyed_uniforms, row_keys, sample_keys, seeded_networks
from counterflownet.tabular import States
from counterflownet_bench.baselines.differentiable import DifferentiableClassifier
from counterflownet_bench.baselines.l2c_levels import Levels, SeenRows, whole_levels
from counterflownet_bench.baselines.l2c_networks import Networks, relaxed_levels, relaxed_selection
from counterflownet_bench.baselines.method import Given, Task, class_numbers

Judged = Literal["batch", "all"]
ROWS_AT_ONCE = 256  # bounds the memory of drawing; each row's draws follow from its own codes alone


@dataclass(frozen=True, slots=True, kw_only=True)
class L2C:
    """A selector (which features change) and a perturber (to which level), trained through the classifier.

    Levels are the codes of the task's schema: categories, and bins of numbers, each of which becomes the middle of its
    bin (a whole number in a column of whole numbers). All answers are valid and no draw is repeated to fill a place.
    Immutable features are never selected, and a feature that must not decrease is only drawn among levels that are not
    below the row's own value: both are guaranteed.

    ``smoothing`` mixes the level distribution with a uniform one while training. At 1, as published, the perturber gets
    no gradient and only the selector learns. ``selection_temperature`` is 1 because the published one cancels. The
    networks are those of the first epoch after which most of the ``held_out`` share of rows have a valid first draw (0
    trains on all rows and takes the last epoch); the published code looks at the last batch of such rows alone. Other
    than there, masks hold in training too, and a row with a single valid draw keeps it.
    """

    epochs: int = 100
    batch_rows: int = 50
    learning_rate: float = 1e-4
    width: int = 50
    temperature: float = 0.2
    selection_temperature: float = 1.0
    selection_cost: float = 1e-3
    smoothing: float = 1.0
    held_out: float = 0.2
    judged: Judged = "batch"
    draws_at_once: int = 1_000
    most_draws: int = 10_000_000

    def __post_init__(self) -> None:
        for name in ("batch_rows", "width", "draws_at_once", "most_draws"):
            check_count(f"L2C.{name}", getattr(self, name))
        check_count("L2C.epochs", self.epochs, least=0)
        for name in ("learning_rate", "selection_cost"):
            check_at_least(f"L2C.{name}", getattr(self, name), 0.0)
        for name in ("temperature", "selection_temperature"):
            check_at_least(f"L2C.{name}", getattr(self, name), 1e-3)
        check_between("L2C.smoothing", self.smoothing, 0.0, 1.0)
        check_between("L2C.held_out", self.held_out, 0.0, 0.9)
        check_one_of("L2C.judged", self.judged, get_args(Judged))

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedL2C":
        classifier = DifferentiableClassifier.of(task.classifier, "L2C")
        levels = Levels.of(whole_levels(task.schema, task.train), classifier, task.card)
        with seeded_networks(derived_seed(task.seed, "l2c", "networks")):
            networks = Networks(levels, self.width)
        generator = torch.Generator().manual_seed(derived_seed(task.seed, "l2c", "training"))
        return FittedL2C(self, networks, task.seed, self._trained(networks, levels.seen(task.train), generator))

    def _trained(self, networks: Networks, rows: SeenRows, generator: torch.Generator) -> "Course":
        """Train the networks in place."""
        order = torch.randperm(len(rows.vectors), generator=generator)
        aside = round(self.held_out * len(order))
        judge = HeldOutJudge.of(networks, rows[self._judging(order[:aside])], generator)
        optimiser = torch.optim.Adam(networks.parameters(), lr=self.learning_rate)
        losses, held_out, best = [], [], deepcopy(networks.state_dict())
        for _ in range(self.epochs):
            losses.append(self._epoch(networks, rows[order[aside:]], optimiser, generator))
            held_out.append(judge.validity(networks))
            if aside == 0 or held_out[-1] > max(held_out[:-1], default=-1.0):
                best = deepcopy(networks.state_dict())
        networks.load_state_dict(best)
        return Course(losses, held_out if aside else [])

    def _judging(self, aside: Int[Tensor, " row"]) -> Int[Tensor, " row"]:
        """The rows, of those that are held out, that epochs are compared by."""
        return (
            aside
            if self.judged == "all" or len(aside) == 0
            else aside[(len(aside) - 1) // self.batch_rows * self.batch_rows :]
        )

    def _epoch(
        self, networks: Networks, rows: SeenRows, optimiser: torch.optim.Optimizer, generator: torch.Generator
    ) -> float:
        """One pass over the rows; the mean loss."""
        total, row_count = 0.0, len(rows.vectors)
        for some in _batches(torch.randperm(row_count, generator=generator), self.batch_rows):
            loss = self._loss(networks, rows[some], generator)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            total += loss.item() * len(some)
        return total / row_count

    def _loss(self, networks: Networks, rows: SeenRows, generator: torch.Generator) -> Float[Tensor, ""]:
        """Cross-entropy towards each row's least likely class, and the price of selecting.

        The cross-entropy takes the classifier's probabilities as if they were logits, as published: it saturates early.
        """
        selection, distribution = networks(rows, smoothing=self.smoothing)
        selected = relaxed_selection(selection, self.selection_temperature, generator) * rows.editable
        weights = relaxed_levels(distribution, self.temperature, generator)
        changed = networks.levels.mixture(rows.vectors, selected, weights)
        probabilities = networks.levels.classifier.probabilities(changed)
        away = nn.functional.cross_entropy(probabilities, networks.opposite(rows))
        return away + self.selection_cost * selection.sum()


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutJudge:
    """Rows that are not trained on, and the same random numbers for them in every epoch."""

    rows: SeenRows
    uniforms: Float[Tensor, "row draw two_features"]

    @classmethod
    def of(cls, networks: Networks, rows: SeenRows, generator: torch.Generator) -> "HeldOutJudge":
        shape = (len(rows.vectors), 1, 2 * len(networks.levels.schema))
        return cls(rows, torch.rand(shape, generator=generator, dtype=torch.float64))

    def validity(self, networks: Networks) -> float:
        draws = networks.drawn(self.rows, self.uniforms)
        return float(networks.valid(self.rows, draws, networks.opposite(self.rows)).double().mean())


@dataclass(frozen=True, slots=True)
class Course:
    """The mean loss of each epoch, and the validity on held out rows after it, if there are any."""

    losses: Sequence[float]
    held_out: Sequence[float]

    def told(self) -> dict[str, Any]:
        found: dict[str, Any] = {"epochs": len(self.losses)}
        if self.losses:
            found |= {"first_loss": self.losses[0], "last_loss": self.losses[-1]}
        if self.held_out:
            found |= {"chosen_epoch": 1 + int(np.argmax(self.held_out)), "held_out_validity": max(self.held_out)}
        return found


@dataclass(frozen=True, slots=True, eq=False)
class ValidDraws:
    """Draws to answer with: the position and rank of each, its codes, and which of them were selected."""

    row: Int[ndarray, " draw"]
    rank: Int[ndarray, " draw"]
    codes: Int[ndarray, "draw feature"]
    selected: Bool[ndarray, "draw feature"]


@dataclass(frozen=True, slots=True, eq=False)
class FittedL2C:
    """Trained networks, and the settings that say how long to draw from them."""

    method: L2C
    networks: Networks
    seed: int
    course: Course

    @property
    def training(self) -> Mapping[str, Any]:
        return self.course.told()

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        seen = self.networks.levels.seen(rows)
        wanted = torch.from_numpy(class_numbers(self.networks.levels.classifier.classes, targets))
        parts = _batches(torch.arange(len(rows)), ROWS_AT_ONCE)
        found = _joined([draws for some in parts for draws in self._valid_draws(seen, wanted, some, count)])
        decoded = seen.codec.decode(States.of_arrays(found.row, found.codes, found.selected))
        return Given.of_rows(decoded, found.row, row_count=len(rows), count=count)

    def _valid_draws(
        self, seen: SeenRows, wanted: Int[Tensor, " row"], some: Int[Tensor, " some"], count: int
    ) -> Iterator[ValidDraws]:
        """Draw for the rows that still lack answers until none does or the draws are used up."""
        keys = row_keys(seen.codec.codes[some.numpy()], seed=derived_seed(self.seed, "l2c", "draws"))
        found = torch.zeros(len(some), dtype=torch.int64)
        for start in range(0, self.method.most_draws, self.method.draws_at_once):
            lacking = (found < count).nonzero().flatten()
            if len(lacking) == 0:
                return
            rows, many = some[lacking], min(self.method.draws_at_once, self.method.most_draws - start)
            draws = self.networks.drawn(seen[rows], self._uniforms(keys[lacking.numpy()], many, start))
            valid = self.networks.valid(seen[rows], draws, wanted[rows])
            rank = found[lacking, None] + valid.cumsum(dim=1)
            kept = valid & (rank <= count)
            found[lacking] += kept.sum(dim=1)
            chosen = (rows[kept.nonzero()[:, 0]], rank[kept], draws.codes[kept], draws.selected[kept])
            yield ValidDraws(*(part.numpy() for part in chosen))

    def _uniforms(
        self, keys: UInt64[ndarray, " row"], draws: int, start: int
    ) -> Float[Tensor, "row draw two_features"]:
        streams = sample_keys(keys, draws, start=start)
        steps = range(2 * len(self.networks.levels.schema))
        numbers = np.stack([keyed_uniforms(streams, step) for step in steps], axis=1)
        return torch.from_numpy(numbers).reshape(len(keys), draws, -1)


def _joined(parts: Sequence[ValidDraws]) -> ValidDraws:
    """All draws, row by row."""
    row, rank, codes, selected = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("row", "rank", "codes", "selected")
    )
    order = np.lexsort([rank, row])
    return ValidDraws(row[order], rank[order], codes[order], selected[order])


def _batches(positions: Int[Tensor, " row"], size: int) -> Iterator[Int[Tensor, " some"]]:
    return (positions[start : start + size] for start in range(0, len(positions), size))

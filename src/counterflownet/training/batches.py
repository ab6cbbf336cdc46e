"""What a training step works on: factuals, each with its target and what may be done to it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet._preferences import Preferences
from counterflownet._space import Allowed, CodeSpace, everything_allowed
from counterflownet._states import unedited
from counterflownet.flow.context import Questions
from counterflownet.flow.known import Reach
from counterflownet.seeds import numpy_generator
from counterflownet.training.interval_draw import IntervalDraw
from counterflownet.training.order import Chosen, Order
from counterflownet.training.preference_draw import drawn_preferences
from counterflownet.training.restriction import randomly_restricted

ReachOf = Callable[[Int[ndarray, " row"]], Reach | None]  # of some rows of the training table


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Questions, and the row of the training table each comes from.

    ``relabels`` are other preferences of the same rows, one for every pass after the first.
    """

    questions: Questions
    source: Int[Tensor, " row"]
    relabels: tuple[Preferences, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FactualBatches:
    """Batches of rows in an order, which says which rows and which targets.

    Batch ``step`` depends on the seed, the order and on ``step`` alone, so that a run can be resumed anywhere.
    ``always`` is what is allowed in each row of the table whenever it is trained on, its most changes included; None:
    everything. If a trajectory ``stops_anywhere``, what must change in an answer is left open, but not required, and
    rules bind only rows that keep them as they are. With a ``standard`` preference, rows have others as well, and so
    has every pass of as many as there are over a batch. With ``intervals``, the targets of the order are directions
    that these are drawn for. ``reach`` says how far codes are from the values of rows, where that is known.
    """

    space: CodeSpace
    codes: Int[ndarray, "row feature"]
    order: Order
    seed: int
    max_changes: int | None = None
    constrained: float = 0.0
    offsets: Float[ndarray, "row feature"] | None = None
    always: Allowed | None = None
    stops_anywhere: bool = False
    standard: Preferences | None = None
    passes: int = 1
    intervals: IntervalDraw | None = None
    reach: ReachOf | None = None

    def __call__(self, step: int) -> Batch:
        batch = self.plain(self.order(step), step)
        questions = batch.questions
        allowed = questions.allowed
        if self.constrained > 0:
            generator = numpy_generator(self.seed, "constraints", step)
            allowed = randomly_restricted(self.space, allowed, questions.factual, self.constrained, generator)
        if self.stops_anywhere:
            allowed = _ending_at_once(allowed, questions.factual)
        if self.standard is None:
            return replace(batch, questions=replace(questions, allowed=allowed))
        generator = numpy_generator(self.seed, "preferences", step)
        first, *others = (drawn_preferences(self.standard, len(questions), generator) for _ in range(self.passes))
        return Batch(replace(questions, allowed=allowed, preferences=first), batch.source, tuple(others))

    def plain(self, chosen: Chosen, step: int = -1) -> Batch:
        """These rows under no constraints but those that always hold; intervals are those of the step."""
        asked = chosen.target if self.intervals is None else self.intervals(*chosen, step)
        source, target = torch.from_numpy(chosen.source), torch.from_numpy(asked)
        factual = torch.from_numpy(self.codes)[source]
        offset = None if self.offsets is None else torch.from_numpy(self.offsets)[source]
        reach = None if self.reach is None else self.reach(chosen.source)
        return Batch(Questions(factual, target, self._allowed(source, factual), offset, None, reach), source)

    def _allowed(self, source: Int[Tensor, " row"], factual: Int[Tensor, "row feature"]) -> Allowed:
        if self.always is None:
            return everything_allowed(self.space, factual, self.max_changes)
        return self.always[source]


def _ending_at_once(allowed: Allowed, factual: Int[Tensor, "row feature"]) -> Allowed:
    """The same if every factual may stop: nothing must change, and no rule binds rows that break one as they are."""
    allowed = replace(allowed, required=torch.zeros_like(allowed.required))
    if allowed.joint is None:
        return allowed
    needs = allowed.joint.needs(allowed, unedited(factual, torch.arange(len(factual))))
    return replace(allowed, joint=allowed.joint.sparing(needs > 0))

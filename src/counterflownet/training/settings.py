"""How the flow is trained."""

from dataclasses import dataclass
from typing import Literal, no_type_check

from counterflownet.errors import check_at_least, check_between, check_count, check_one_of
from counterflownet.flow.objectives import OBJECTIVES, Objective

USUAL_STEPS = 1_000
ObjectiveName = Literal["trajectory", "detailed", "subtrajectory", "stateflow"]


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Everything that decides what the flow learns, apart from the reward and the seed.

    Attributes:
        objective: The balance condition: ``"trajectory"`` (the paper's), ``"detailed"``, ``"subtrajectory"``, or
            ``"stateflow"``, which learns the flow through each state instead of reading it off P(STOP).
        steps: How many batches of trajectories to train on at most, but for ``repair``.
        balanced: Whether every direction, from a predicted class to a target, gets the same share of each batch, so
            that rare classes are learned too. False: batches have the shares of the table.
        batch_rows: How many factuals, and so trajectories, a batch has.
        passes: How often the optimiser learns from each batch; drawing and judging one costs more than a step. None: 4
            times, or 3 with ``preferences``, each for others of them, since a pass takes longer then.
        width: The size of the hidden layers.
        learning_rate: Adam's rate at the start. It falls linearly, and so does ``exploration``.
        final_rate: Which share of the learning rate is left at the end.
        log_flow_rate: How many times the learning rate the log-flow network learns at (``"trajectory"`` only).
        exploration: The share of uniformly random actions at the start.
        preferences: Whether to learn for any weights, costs of columns and temperatures that a call may ask for, beside
            those of the fit, which then learn more slowly. False: calls that ask for others get answers in another
            order, and samples corrected by importance weights.
        constrained: The share of factuals trained under random constraints, to be ready for those of a call.
        huber: From which residual on the loss grows linearly instead of quadratically.
        gradient_norm: The largest norm of a gradient; longer ones are scaled down to it.
        stretch_decay: How much less a stretch of edits counts than one an edit shorter (last two objectives).
        max_changes: The largest number of changes, in training and in every answer; None for no limit.
        window: Over how many steps the history averages.
        patience: Training ends when this many windows in a row have not raised the mean reward; None never ends early.
        tolerance: By how much the mean reward must rise to count as raised.
        repair: How many times ``steps`` may be spent on top of them if training ends, other than by a time limit, while
            samples of some direction are valid too rarely. Steps that a plateau left over are spent on that in any
            case. None: 1 if ``steps`` are at least 1,000, otherwise 0, so that whoever asks for few gets no more.
    """

    objective: ObjectiveName = "subtrajectory"
    steps: int = USUAL_STEPS
    balanced: bool = True
    batch_rows: int = 256
    passes: int | None = None
    width: int = 256
    learning_rate: float = 5e-3
    final_rate: float = 0.02
    log_flow_rate: float = 10.0
    exploration: float = 0.1
    preferences: bool = False
    constrained: float = 0.5
    huber: float = 1.0
    gradient_norm: float = 10.0
    stretch_decay: float = 0.9
    max_changes: int | None = None
    window: int = 50
    patience: int | None = 6
    tolerance: float = 0.002
    repair: float | None = None

    def __post_init__(self) -> None:
        check_one_of("TrainingSettings.objective", self.objective, OBJECTIVES)
        for name in ("steps", "batch_rows", "width", "window"):
            check_count(f"TrainingSettings.{name}", getattr(self, name))
        for name in ("final_rate", "exploration", "constrained", "stretch_decay"):
            check_between(f"TrainingSettings.{name}", getattr(self, name), 0.0, 1.0)
        for name in ("learning_rate", "log_flow_rate", "huber", "gradient_norm"):
            check_at_least(f"TrainingSettings.{name}", getattr(self, name), 1e-12)
        for name in ("max_changes", "passes", "patience"):
            if getattr(self, name) is not None:
                check_count(f"TrainingSettings.{name}", getattr(self, name))
        for name in ("balanced", "preferences"):
            check_one_of(f"TrainingSettings.{name}", getattr(self, name), (True, False))
        if self.repair is not None:
            check_at_least("TrainingSettings.repair", self.repair, 0.0)

    @property
    def pass_count(self) -> int:
        """How often the optimiser learns from each batch."""
        return self.passes or (3 if self.preferences else 4)

    @property
    def most_steps(self) -> int:
        """How many steps there can be, repair included."""
        usual = 1.0 if self.steps >= USUAL_STEPS else 0.0
        return int(self.steps * (1.0 + (usual if self.repair is None else self.repair)))

    def balance(self) -> Objective:
        """The objective itself."""
        return OBJECTIVES[self.objective](huber=self.huber, stretch_decay=self.stretch_decay)

"""How the flow is trained."""

from dataclasses import dataclass
from typing import Literal, get_args, no_type_check

from counterflownet.errors import check_at_least, check_between, check_count, check_one_of

Objective = Literal["trajectory", "detailed", "subtrajectory", "stateflow"]
OBJECTIVES: tuple[str, ...] = get_args(Objective)


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Everything that decides what the flow learns, but the reward and the seed.

    ``objective`` is the balance that is asked for: ``"trajectory"`` (the paper's), ``"detailed"``, ``"subtrajectory"``,
    or ``"stateflow"``, which also learns the flow through each state instead of reading it off the probability of STOP.
    ``exploration`` is the share of uniform actions at the beginning; it and the learning rate fall linearly.
    ``constrained`` is the share of factuals that are trained under random constraints, so that the policy knows what to
    do under those of a call. Every batch of trajectories is learned from ``passes`` times, since drawing and judging
    them costs more than a step of the optimiser. Training ends after ``steps`` batches, or when the mean reward of
    ``window`` steps has not risen by ``tolerance`` for ``patience`` windows (None: never).
    """

    objective: Objective = "subtrajectory"
    steps: int = 1_000
    batch_rows: int = 256
    passes: int = 4
    width: int = 256
    learning_rate: float = 5e-3
    final_rate: float = 0.02
    log_flow_rate: float = 10.0
    exploration: float = 0.1
    constrained: float = 0.5
    huber: float = 1.0
    gradient_norm: float = 10.0
    stretch_decay: float = 0.9
    max_changes: int | None = None
    window: int = 50
    patience: int | None = 6
    tolerance: float = 0.002

    def __post_init__(self) -> None:
        check_one_of("TrainingSettings.objective", self.objective, OBJECTIVES)
        for name in ("steps", "batch_rows", "passes", "width", "window"):
            check_count(f"TrainingSettings.{name}", getattr(self, name))
        for name in ("final_rate", "exploration", "constrained", "stretch_decay"):
            check_between(f"TrainingSettings.{name}", getattr(self, name), 0.0, 1.0)
        for name in ("learning_rate", "log_flow_rate", "huber", "gradient_norm"):
            check_at_least(f"TrainingSettings.{name}", getattr(self, name), 1e-12)
        for name in ("max_changes", "patience"):
            if getattr(self, name) is not None:
                check_count(f"TrainingSettings.{name}", getattr(self, name))

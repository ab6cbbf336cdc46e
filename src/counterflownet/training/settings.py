"""How the flow is trained."""

from dataclasses import dataclass
from typing import Literal

from counterflownet.errors import check_at_least, check_between, check_one_of

Objective = Literal["trajectory", "detailed", "subtrajectory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Everything that decides what the flow learns, but the reward and the seed.

    ``objective`` is the balance that is asked for: ``"trajectory"`` (the paper's), ``"detailed"`` or
    ``"subtrajectory"``. ``exploration`` is the share of uniform actions at the beginning; it and the learning rate
    fall linearly. Training ends after ``steps``, or when the mean reward of ``window`` steps has not risen by
    ``tolerance`` for ``patience`` windows (None: never).
    """

    objective: Objective = "detailed"
    steps: int = 2_000
    batch_rows: int = 256
    width: int = 256
    learning_rate: float = 2e-3
    final_rate: float = 0.02
    log_flow_rate: float = 10.0
    exploration: float = 0.1
    huber: float = 1.0
    gradient_norm: float = 10.0
    stretch_decay: float = 0.9
    max_changes: int | None = None
    window: int = 100
    patience: int | None = 6
    tolerance: float = 0.002

    def __post_init__(self) -> None:
        check_one_of("TrainingSettings.objective", self.objective, ["trajectory", "detailed", "subtrajectory"])
        for name in ("steps", "batch_rows", "width", "window"):
            check_at_least(f"TrainingSettings.{name}", getattr(self, name), 1)
        for name in ("final_rate", "exploration", "stretch_decay"):
            check_between(f"TrainingSettings.{name}", getattr(self, name), 0.0, 1.0)
        for name in ("learning_rate", "log_flow_rate", "huber", "gradient_norm"):
            check_at_least(f"TrainingSettings.{name}", getattr(self, name), 1e-12)
        for name in ("max_changes", "patience"):
            if getattr(self, name) is not None:
                check_at_least(f"TrainingSettings.{name}", getattr(self, name), 1)

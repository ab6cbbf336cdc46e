"""The flow learns: batches of factuals, trajectories, rewards, balance."""

from counterflownet.flow.objectives import OBJECTIVES
from counterflownet.training.history import History
from counterflownet.training.settings import TrainingSettings

__all__ = ["OBJECTIVES", "History", "TrainingSettings"]

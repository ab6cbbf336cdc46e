"""The flow learns: batches of factuals, trajectories, rewards, balance."""

from counterflownet.training.history import History
from counterflownet.training.settings import OBJECTIVES, TrainingSettings

__all__ = ["OBJECTIVES", "History", "TrainingSettings"]

"""Networks and trainers as settings describe them."""

from counterflownet._space import CodeSpace
from counterflownet.flow.model import FlowModel
from counterflownet.training.settings import TrainingSettings
from counterflownet.training.step import RewardOf, Trainer


def made_model(space: CodeSpace, class_count: int, settings: TrainingSettings, seed: int = 0) -> FlowModel:
    with_log_flow = settings.balance().learns_log_flow
    return FlowModel(space, class_count, width=settings.width, seed=seed, with_log_flow=with_log_flow)


def made_trainer(
    space: CodeSpace, class_count: int, settings: TrainingSettings, reward_of: RewardOf, seed: int = 0
) -> Trainer:
    return Trainer(made_model(space, class_count, settings, seed), reward_of, settings.balance())

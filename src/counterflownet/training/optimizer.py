"""Adam as the settings want it, and whether a saved state fits it."""

import torch

from counterflownet.errors import InvalidInputError
from counterflownet.flow.model import FlowModel
from counterflownet.training.settings import TrainingSettings


def optimizer_of(model: FlowModel, settings: TrainingSettings) -> torch.optim.Optimizer:
    """One group of parameters for each learning rate, which the group remembers as its ``full_rate``."""
    groups = [{"params": list(model.policy.parameters()), "full_rate": settings.learning_rate}]
    if model.log_flow is not None:
        rate = settings.learning_rate * settings.log_flow_rate
        groups.append({"params": list(model.log_flow.parameters()), "full_rate": rate})
    return torch.optim.Adam(groups, lr=settings.learning_rate, fused=True)  # one pass over memory, not eight


def set_rates(optimizer: torch.optim.Optimizer, factor: float) -> None:
    """Every rate to this share of its full one."""
    for group in optimizer.param_groups:
        group["lr"] = group["full_rate"] * factor


def check_state(saved: dict[int, dict[str, torch.Tensor]], optimizer: torch.optim.Optimizer) -> None:
    """An error if a parameter's state is not what Adam keeps of it: torch would take it, and fail later."""
    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    for number, state in saved.items():
        shape = parameters[number].shape
        kept = {"step": torch.Size(), "exp_avg": shape, "exp_avg_sq": shape}
        if {name: part.shape for name, part in state.items()} != kept:
            raise InvalidInputError(f"the optimizer's state of parameter {number} does not fit its shape.")

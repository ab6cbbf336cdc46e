"""The networks that are trained."""

import math
from functools import partial

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from counterflownet._preferences import Preferences
from counterflownet._space import CodeSpace
from counterflownet.flow.context import Context, Questions
from counterflownet.flow.policy import Policy
from counterflownet.seeds import derived_seed, seeded_networks


class LogFlow(nn.Module):
    """Log F of a question, an estimate of log Z: two hidden layers over its own context.

    ``shift`` is set once, to start close to the truth.
    """

    shift: Tensor

    def __init__(self, context: Context, width: int) -> None:
        super().__init__()
        self.context = context
        self.trunk = nn.Linear(width, width)
        self.head = nn.Linear(width, 1)
        self.register_buffer("shift", torch.zeros(()))

    def forward(self, questions: Questions) -> Float[Tensor, " row"]:
        hidden = functional.relu(self.trunk(functional.relu(self.context(questions, self.context.wish(questions)))))
        return self.head(hidden).squeeze(1) + self.shift


class FlowModel(nn.Module):
    """The policy, and a log-flow network if the objective learns log F of questions.

    With a ``standard``, they learn other preferences as well, and are ``informed`` of what is known of edits.
    """

    def __init__(  # noqa: PLR0913 - all but two by name
        self,
        space: CodeSpace,
        class_count: int,
        *,
        width: int,
        seed: int,
        with_log_flow: bool = False,
        standard: Preferences | None = None,
        informed: bool = True,
    ) -> None:
        super().__init__()
        with seeded_networks(derived_seed(seed, "networks")):
            # STOP begins at odds of one to two against all features together, so that first trajectories are short.
            stop_bias = math.log(space.feature_count / 2) if space.feature_count > 1 else 0.0
            context = partial(Context, space, class_count, width, standard, informed=informed)
            self.policy = Policy(space, context(), width, stop_bias=stop_bias)
            self.log_flow = LogFlow(context(), width) if with_log_flow else None

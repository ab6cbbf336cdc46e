"""The paper's two networks: one chooses actions from the state, one knows the flow of a question (its Parametrization).

Inputs are one-hot vectors. A product with one is a row of the weights, so rows are looked up and added; nothing is
shared between codes.
"""

from dataclasses import dataclass
from itertools import accumulate

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional

WIDTH = 256


@dataclass(frozen=True, slots=True)
class Shape:
    """How many codes each feature has, and how many classes there are."""

    code_counts: tuple[int, ...]
    class_count: int

    @property
    def features(self) -> int:
        return len(self.code_counts)

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each feature's codes begin when all stand side by side; the total comes last."""
        return tuple(accumulate(self.code_counts, initial=0))


class OneHotLayer(nn.Module):
    """A linear layer over the one-hot codes of a row, the one-hot target, and flags.

    A row may hold codes that no edit sets (a value never seen in training): these are nothing in its vector.
    """

    starts: Tensor

    def __init__(self, shape: Shape, *, rows: int, flags: int) -> None:
        super().__init__()
        self.shape = shape
        inputs = rows * shape.starts[-1] + shape.class_count + flags
        layer = nn.Linear(inputs, WIDTH)  # begins as torch begins any layer of so many inputs
        parts = [shape.starts[-1]] * rows + [shape.class_count, flags]
        cut = layer.weight.detach().T.split(parts)  # type: ignore[no-untyped-call]
        self.codes = nn.ParameterList([nn.Parameter(part.clone()) for part in cut[:rows]])
        self.targets, self.flags = nn.Parameter(cut[rows].clone()), nn.Parameter(cut[rows + 1].clone())
        self.bias = nn.Parameter(layer.bias.detach().clone())
        self.register_buffer("starts", torch.tensor(shape.starts[:-1]), persistent=False)

    def rows(self, number: int, codes: Int[Tensor, "row feature"]) -> Float[Tensor, "row width"]:
        """What the codes of the ``number``-th row add."""
        known = (codes < torch.tensor(self.shape.code_counts)).to(self.bias.dtype)
        places = (codes + self.starts).clamp(max=len(self.codes[number]) - 1)
        return functional.embedding_bag(places, self.codes[number], mode="sum", per_sample_weights=known)

    def question(self, factual: Int[Tensor, "row feature"], target: Int[Tensor, " row"]) -> Float[Tensor, "row width"]:
        """What the factual and the target add, the bias included."""
        return self.bias + self.rows(0, factual) + functional.embedding(target, self.targets)


class PolicyNetwork(nn.Module):
    """f(s), two hidden layers, then one linear map for the feature or STOP and one for each feature's codes."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.first = OneHotLayer(shape, rows=2, flags=shape.features)
        self.second = nn.Linear(WIDTH, WIDTH)
        self.action = nn.Linear(WIDTH, shape.features + 1)
        self.values = nn.ModuleList([nn.Linear(WIDTH, count) for count in shape.code_counts])

    def hidden(
        self,
        question: Float[Tensor, "row width"],
        codes: Int[Tensor, "row feature"],
        edited: Bool[Tensor, "row feature"],
    ) -> Float[Tensor, "row width"]:
        """The last layer for states; ``question`` is what factual and target add to the first."""
        state = self.first.rows(1, codes) + edited.to(question.dtype) @ self.first.flags
        return torch.relu(self.second(torch.relu(question + state)))


class FlowNetwork(nn.Module):
    """log F(x0, y'): two hidden layers and a number, which begins at 0 and is added to their output."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.first = OneHotLayer(shape, rows=1, flags=0)
        self.second = nn.Linear(WIDTH, WIDTH)
        self.last = nn.Linear(WIDTH, 1)
        self.scalar = nn.Parameter(torch.zeros(()))

    def forward(self, factual: Int[Tensor, "row feature"], target: Int[Tensor, " row"]) -> Float[Tensor, " row"]:
        hidden = torch.relu(self.second(torch.relu(self.first.question(factual, target))))
        return self.last(hidden).squeeze(1) + self.scalar

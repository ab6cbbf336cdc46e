"""A torch module with its preprocessing, as a classifier on raw columns."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from counterflownet.classifier.checks import checked_answer, with_both_classes
from counterflownet.classifier.labels import plain_labels
from counterflownet.errors import ClassifierError, check_one_of

_SWITCHING = Lock()  # the mode belongs to the module: threads must not switch it while another one uses it


class TorchClassifier:
    """A torch module as a classifier: run in evaluation mode, without gradients, and left in the mode it was in.

    Args:
        module: Returns the shape (row, class), or (row,) or (row, 1) for the second of two classes.
        preprocess: Turns a frame of raw columns into the tensor or array that the module takes.
        classes: The labels, in the order of the module's outputs.
        outputs: Whether these are ``"logits"`` or ``"probabilities"``.
    """

    def __init__(
        self,
        module: nn.Module,
        preprocess: Callable[[pd.DataFrame], Any],
        classes: Sequence[Any],
        outputs: str = "logits",
    ) -> None:
        check_one_of("outputs", outputs, ("logits", "probabilities"))
        self.module = module
        self.preprocess = preprocess
        self.outputs = outputs
        self.classes = plain_labels(classes)

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return checked_answer(self._answer, rows, class_count=len(self.classes))

    def __repr__(self) -> str:
        return f"TorchClassifier({type(self.module).__name__}, classes={self.classes!r}, outputs={self.outputs!r})"

    def _answer(self, rows: pd.DataFrame) -> Any:
        row_count = len(rows)  # counted first: the preprocessing may change its copy of the rows
        inputs = _as_input_of(self.module, self.preprocess(rows))
        with _SWITCHING, _evaluating(self.module), torch.inference_mode():
            output = self.module(inputs)
        if not isinstance(output, Tensor):
            message = f"the module must return a single tensor; got {type(output).__name__}."
            raise ClassifierError(f"{message} Wrap it in a module that returns only its logits.")
        output = output.detach().cpu().to(torch.float64)
        if self.outputs == "logits":
            single = output.ndim < 2 or output.shape[1] == 1
            output = output.sigmoid() if single else output.softmax(dim=1)
        return with_both_classes(output, row_count=row_count, class_count=len(self.classes))


def _as_input_of(module: nn.Module, given: Any) -> Tensor:
    """The input on the module's device; floats in its precision, integers unchanged."""
    tensor = given if isinstance(given, Tensor) else torch.tensor(np.asarray(given))
    weight = next((weight for weight in module.parameters() if weight.is_floating_point()), None)
    if weight is None:
        return tensor
    return tensor.to(weight.device, weight.dtype if tensor.is_floating_point() else tensor.dtype)


@contextmanager
def _evaluating(module: nn.Module) -> Iterator[None]:
    """The module in evaluation mode; each part gets its own flag back, since some may be frozen on purpose."""
    flags = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for part, training in flags:
            part.training = training

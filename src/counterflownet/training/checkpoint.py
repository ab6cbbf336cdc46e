"""Training saved on the way, so that a run that was stopped goes on as if it had not been."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet.errors import InvalidInputError, SavedFileError, check_at_least, check_count
from counterflownet.files import faults_of, read_tensors, write_tensors
from counterflownet.training.history import History

KIND, VERSION = "training checkpoint", 4
SAME_WITHIN = 1e-3  # probabilities differ by less between machines and library versions
REMEDY = "Give another path, or delete it to begin anew."


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """What a run is trained on: a checkpoint of another origin is refused.

    ``fingerprint`` must be the same letter by letter, ``probabilities`` of some rows the same but for rounding.
    """

    fingerprint: str = ""
    probabilities: Float[ndarray, "row class"] = field(default_factory=lambda: np.zeros((0, 0)))


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """All that a run has learned so far.

    ``best`` are the weights to go back to if a repair makes them worse, ``missed`` the rows that it leans towards, by
    number of the direction.
    """

    origin: Origin
    step: int
    seconds: float
    history: History
    model: dict[str, Tensor]
    optimizer: dict[int, dict[str, Tensor]]
    best: dict[str, Tensor] = field(default_factory=dict)
    missed: Mapping[int, Int[ndarray, " row"]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_count("the step of a checkpoint", self.step)
        check_at_least("the seconds of a checkpoint", self.seconds, 0.0)
        if not self.history.moments or self.history.moments[-1].step != self.step:
            raise InvalidInputError(f"the history of a checkpoint must end at its step, which is {self.step}.")


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write it in one step: a run that dies meanwhile leaves the previous checkpoint."""
    progress = {"step": checkpoint.step, "seconds": checkpoint.seconds, "history": checkpoint.history.to_json()}
    header = {"kind": KIND, "version": VERSION, "fingerprint": checkpoint.origin.fingerprint, **progress}
    tensors = {f"model/{name}": tensor for name, tensor in checkpoint.model.items()}
    tensors |= {f"best/{name}": tensor for name, tensor in checkpoint.best.items()}
    tensors |= {f"missed/{number}": torch.from_numpy(rows) for number, rows in checkpoint.missed.items()}
    for number, state in checkpoint.optimizer.items():
        tensors |= {f"optimizer/{number}/{name}": tensor for name, tensor in state.items()}
    write_tensors(path, header, tensors | {"probabilities": torch.from_numpy(checkpoint.origin.probabilities)})


def load_checkpoint(path: Path, origin: Origin) -> Checkpoint:
    """The checkpoint, or an error if it belongs to another table, classifier, settings or seed."""
    header, tensors = read_tensors(path, kind=KIND, version=VERSION)
    with faults_of(path):
        if header["fingerprint"] != origin.fingerprint:
            raise SavedFileError(
                f"the checkpoint {str(path)!r} belongs to another table, another classifier, other settings or another "
                f"seed. {REMEDY}"
            )
        _check_classifier(path, tensors.pop("probabilities").numpy(), origin)
        weights: dict[str, dict[str, Tensor]] = {"model": {}, "best": {}}
        optimizer: dict[int, dict[str, Tensor]] = {}
        missed: dict[int, ndarray] = {}
        for name, tensor in tensors.items():
            kind, _, rest = name.partition("/")
            if kind in weights:
                weights[kind][rest] = tensor
            elif kind == "missed":
                missed[int(rest)] = tensor.numpy()
            else:
                number, _, part = rest.partition("/")
                optimizer.setdefault(int(number), {})[part] = tensor
        history = History.from_json(header["history"])
        model, best = weights["model"], weights["best"]
        return Checkpoint(origin, header["step"], header["seconds"], history, model, optimizer, best, missed)


def _check_classifier(path: Path, saved: ndarray, origin: Origin) -> None:
    difference = largest_difference(saved, origin.probabilities)
    if difference > SAME_WITHIN:
        raise SavedFileError(
            f"the checkpoint {str(path)!r} belongs to another classifier: on {len(saved)} made-up rows the "
            f"probabilities differ by up to {difference:.3f}. {REMEDY}"
        )


def largest_difference(one: ndarray, other: ndarray) -> float:
    """By how much probabilities differ at most; infinitely if they are not of the same rows and classes."""
    return float(np.abs(one - other).max(initial=0.0)) if one.shape == other.shape else np.inf

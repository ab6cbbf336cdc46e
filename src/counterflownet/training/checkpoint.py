"""Training saved on the way, so that a run that was stopped goes on as if it had not been."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor

from counterflownet.errors import SavedFileError
from counterflownet.files import read_tensors, write_tensors
from counterflownet.training.history import History

KIND, VERSION = "training checkpoint", 1


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """All that a run has learned so far."""

    fingerprint: str
    step: int
    seconds: float
    history: History
    model: dict[str, Tensor]
    optimizer: dict[int, dict[str, Tensor]]


def save_checkpoint(path: Path, checkpoint: Checkpoint) -> None:
    """Write it in one step: a run that dies meanwhile leaves the previous checkpoint."""
    progress = {"fingerprint": checkpoint.fingerprint, "step": checkpoint.step, "seconds": checkpoint.seconds}
    header = {"kind": KIND, "version": VERSION, **progress, "history": checkpoint.history.to_json()}
    tensors = {f"model/{name}": tensor for name, tensor in checkpoint.model.items()}
    for number, state in checkpoint.optimizer.items():
        tensors |= {f"optimizer/{number}/{name}": tensor for name, tensor in state.items()}
    write_tensors(path, header, tensors)


def load_checkpoint(path: Path, fingerprint: str) -> Checkpoint:
    """The checkpoint, or an error if it belongs to other data, settings or seed."""
    header, tensors = read_tensors(path, kind=KIND, version=VERSION)
    if header.get("fingerprint") != fingerprint:
        raise SavedFileError(
            f"the checkpoint {str(path)!r} belongs to another table, other settings or another seed. "
            "Give another path, or delete it to begin anew."
        )
    model: dict[str, Tensor] = {}
    optimizer: dict[int, dict[str, Any]] = {}
    for name, tensor in tensors.items():
        kind, _, rest = name.partition("/")
        if kind == "model":
            model[rest] = tensor
        else:
            number, _, part = rest.partition("/")
            optimizer.setdefault(int(number), {})[part] = tensor
    history = History.from_json(header["history"])
    return Checkpoint(fingerprint, header["step"], header["seconds"], history, model, optimizer)

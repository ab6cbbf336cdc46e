"""Where networks compute: on the processor, or on a graphics card if there is one; and in a forked process alone."""

import os
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import faiss
import torch
from torch import Tensor

from counterflownet.errors import InvalidInputError

T = TypeVar("T")
CPU = torch.device("cpu")
_STARTED = os.getpid()


def chosen_device(name: Any) -> torch.device:
    """The device of that name (``"cpu"``, ``"cuda:1"``); ``"auto"`` is a graphics card if there is one."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)  # a device may be well named and yet not be there
    except (RuntimeError, TypeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise InvalidInputError(
            f"device must be 'auto' or a device of this machine, such as 'cpu' or 'cuda'; got {name!r}: {reason}"
        ) from error
    if device.type == "meta":
        raise InvalidInputError("device must be one that computes; 'meta' only pretends to. Take 'auto' or 'cpu'.")
    return device


def on_device(thing: T, device: torch.device) -> T:
    """The same value with all its tensors on the device, however deep they are in dataclasses."""
    if isinstance(thing, Tensor):
        return thing.to(device)  # type: ignore[return-value]  # a tensor is what T is here
    if is_dataclass(thing) and not isinstance(thing, type):
        return replace(thing, **{part.name: on_device(getattr(thing, part.name), device) for part in fields(thing)})
    return thing


def one_thread_if_forked() -> None:
    """Keep a forked process from waiting for threads that only its parent has.

    OpenMP keeps its threads for the next use, and a copy of the process would wait for them forever. With one thread it
    gives the same answers. Done when it computes, not when it forks: those who do not compute here are left alone.
    """
    if os.getpid() != _STARTED:
        torch.set_num_threads(1)
        faiss.omp_set_num_threads(1)

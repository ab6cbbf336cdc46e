"""Where networks compute: on the processor, or on a graphics card if there is one."""

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from counterflownet.errors import InvalidInputError

T = TypeVar("T")
CPU = torch.device("cpu")


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

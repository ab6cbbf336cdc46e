"""Ways to damage a file, by accident (its checksum then tells) and on purpose (its checksum is computed again)."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load

from counterflownet.files import write_tensors

ODD = (None, True, -1, 0, 1, 1e308, 2**70, float("nan"), "", "odd", [], {}, [None], {"a": []}, "é\x00")
Damage = Callable[[Path, random.Random], None]
Forgery = Callable[[torch.Tensor, random.Random], torch.Tensor | None]


def flipped_bit(path: Path, draw: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)


def truncated(path: Path, draw: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: draw.randrange(len(content))])


def appended(path: Path, draw: random.Random) -> None:
    path.write_bytes(path.read_bytes() + draw.randbytes(draw.randint(1, 64)))


def overwritten(path: Path, draw: random.Random) -> None:
    """A block of zeros or of anything, as a bad disk leaves it."""
    content = path.read_bytes()
    size, place = draw.randint(8, 512), draw.randrange(len(content))
    block = bytes(size) if draw.random() < 0.5 else draw.randbytes(size)
    path.write_bytes((content[:place] + block + content[place + size :])[: len(content)])


def forged_header(path: Path, draw: random.Random) -> None:
    """An entry of the header replaced or deleted, under a checksum that fits."""
    header, tensors = parts_of(path)
    holder, key = draw.choice(list(_places(header)))
    if draw.random() < 0.3:
        del holder[key]
    else:
        holder[key] = copy.deepcopy(draw.choice(ODD))
    write_tensors(path, header, tensors)


def forged_tensor(path: Path, draw: random.Random) -> None:
    """A tensor dropped, renamed, of another shape or type or of other numbers, under a checksum that fits."""
    header, tensors = parts_of(path)
    name = draw.choice(sorted(tensors))
    forged = draw.choice(FORGERIES)(tensors.pop(name), draw)
    renamed = draw.choice([name, name, name, "other/1/x"])
    write_tensors(path, header, tensors if forged is None else tensors | {renamed: forged})


def parts_of(path: Path) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """Header and tensors, whatever they are."""
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["counterflownet"])
    del header["checksum"]
    return header, load(content)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a tree of lists and mappings."""
    for key, child in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(child, (dict, list)):
            yield from _places(child)


def _filled(number: float, tensor: torch.Tensor, draw: random.Random) -> torch.Tensor:
    filled = tensor.clone().flatten()
    held = number if tensor.is_floating_point() else int(max(-(2**60), min(2**60, number)))
    filled[draw.randrange(max(len(filled), 1)) :] = held
    return filled.reshape(tensor.shape)


FORGERIES: tuple[Forgery, ...] = (
    lambda *_: None,
    lambda tensor, _: tensor.flatten(),
    lambda tensor, _: tensor[None],
    lambda tensor, _: tensor.flatten()[:0],
    lambda tensor, _: torch.cat([tensor[None], tensor[None]]).flatten(0, min(tensor.ndim, 1)),
    lambda tensor, _: tensor.double() if tensor.is_floating_point() else tensor.float(),
    lambda tensor, _: tensor.to(torch.int32),
    lambda tensor, _: tensor != 0,
    lambda tensor, _: _filled(torch.nan, tensor, _) if tensor.is_floating_point() else None,
    *(partial(_filled, number) for number in (-1, 0, 7, 1e4, 1e30, -1e38, torch.inf)),
)
ACCIDENTS: dict[str, Damage] = {
    "flipped bit": flipped_bit,
    "truncated": truncated,
    "appended bytes": appended,
    "overwritten block": overwritten,
}
FORGED: dict[str, Damage] = {"forged header": forged_header, "forged tensor": forged_tensor}

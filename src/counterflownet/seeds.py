"""Chance comes in by the door: one seed from the user, named seeds and keyed streams derived from it.

A keyed stream is stateless: the number drawn for (key, step) is a hash of both. So a row's draws depend neither on the
rows beside it nor on the size of a batch, and a run that resumes needs no saved generator.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.overrides import TorchFunctionMode

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
# How the names of all that initialisers draw with begin, in torch and in torch.nn.init.
_DRAWS = ("bernoulli", "kaiming_", "multinomial", "normal", "orthogonal_", "rand", "trunc_normal", "uniform", "xavier_")


def derived_seed(seed: int, *names: str | int) -> int:
    """A seed for one named use, e.g. ``derived_seed(7, "explain", 3)``; stable across machines."""
    text = "/".join(map(str, (seed, *names)))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1  # torch takes 63 bits


def numpy_generator(seed: int, *names: str | int) -> np.random.Generator:
    """A generator of its own for one named use."""
    return np.random.default_rng(derived_seed(seed, *names))


class seeded_networks(TorchFunctionMode):  # noqa: N801 - used as ``with seeded_networks(seed):``
    """Networks built inside are initialised from ``seed``, by a generator of their own.

    Layers take no generator, so what they draw is turned to ours on the way. That holds for this thread alone: no other
    thread, and no generator of the process, notices.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def __torch_function__(
        self, func: Callable[..., Any], _types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        given = dict(kwargs or {})
        if getattr(func, "__name__", "").startswith(_DRAWS) and given.get("generator") is None:
            given["generator"] = self.generator
        return func(*args, **given)


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each number scattered over all 64 bits (the finaliser of SplitMix64, Steele et al. 2014)."""
    z = numbers + _GOLDEN
    for shift, factor in ((_SHIFT_1, _MIX_1), (_SHIFT_2, _MIX_2)):
        z ^= z >> shift
        z *= factor
    z ^= z >> _SHIFT_3
    return z


def row_keys(codes: NDArray[np.int64], *, seed: int) -> NDArray[np.uint64]:
    """One key per row of whole numbers; equal rows have equal keys, whatever stands around them."""
    keys = np.full(len(codes), np.uint64(derived_seed(seed, "row")), dtype=np.uint64)
    for column in codes.T:
        keys = mixed(keys ^ mixed(column.astype(np.uint64)))
    return keys


def row_names(codes: NDArray[np.int64], first: NDArray[np.int64] | None = None) -> NDArray[np.uint64]:
    """One number per row by which equal rows are recognised: cheaper than :func:`row_keys`, but not to draw from.

    ``first`` is a column that stands before all others.
    """
    width = codes.shape[1] + (first is not None)
    odd = odd_numbers(width)
    if first is None:
        return codes.view(np.uint64) @ odd
    return codes.view(np.uint64) @ odd[1:] + first.view(np.uint64) * odd[0]


@lru_cache(maxsize=256)
def odd_numbers(count: int) -> NDArray[np.uint64]:
    """So many odd numbers, scattered over all 64 bits."""
    odd = scattered(count) | np.uint64(1)
    odd.setflags(write=False)
    return odd


@lru_cache(maxsize=256)
def scattered(count: int) -> NDArray[np.uint64]:
    """The numbers from 0 on, scattered over all 64 bits."""
    numbers = mixed(np.arange(count, dtype=np.uint64))
    numbers.setflags(write=False)
    return numbers


def sample_keys(keys: NDArray[np.uint64], samples: int, *, start: int = 0) -> NDArray[np.uint64]:
    """The keys of ``samples`` independent streams for each key, from number ``start`` on: those of one key together."""
    numbers = np.arange(start, start + samples, dtype=np.uint64)
    return mixed(keys[:, None] ^ mixed(numbers)[None, :]).ravel()


def keyed_uniforms(keys: NDArray[np.uint64], step: int) -> NDArray[np.float64]:
    """The ``step``-th number in [0, 1) of each key's stream."""
    bits = mixed(keys ^ mixed(np.array([step], dtype=np.uint64)))
    return (bits >> np.uint64(11)).astype(np.float64) * 2.0**-53

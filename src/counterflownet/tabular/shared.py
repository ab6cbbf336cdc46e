"""What was given for single rows, each thing once with all of its rows: rows that share it are processed together."""

from collections.abc import Hashable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Int
from numpy import ndarray

Given = TypeVar("Given")


def shared(given: Iterable[tuple[Given, Int[ndarray, "_"]]]) -> Iterator[tuple[Given, Int[ndarray, "_"]]]:
    """Equal things brought together, in the order in which they first come; their rows rise, each once."""
    found: dict[Hashable, tuple[Given, list[Int[ndarray, "_"]]]] = {}
    for thing, rows in given:
        found.setdefault(name_of(thing), (thing, []))[1].append(rows)
    for thing, parts in found.values():
        yield thing, parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))


def name_of(thing: Any) -> Hashable:
    """Equal for things that are equal and look alike (1 is no True); of what has no hash, only it itself is equal."""
    try:
        hash(thing)
    except TypeError:
        return id(thing)
    return repr(thing), thing

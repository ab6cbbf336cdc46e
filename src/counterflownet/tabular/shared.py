"""What was given for single rows, each thing once with all of its rows: rows that share it are processed together."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
import pandas as pd
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


def given_among(by_label: Mapping[Any, Given], index: pd.Index) -> dict[Any, Given]:
    """What was given for labels that are in the index."""
    return {label: given for label, given in by_label.items() if label in index}


def given_by_rows(by_label: Mapping[Any, Given], index: pd.Index) -> Iterator[tuple[Given, Int[ndarray, "_"]]]:
    """The same with the positions of their rows."""
    return ((given, rows_of(label, index)) for label, given in given_among(by_label, index).items())


def rows_of(label: Any, index: pd.Index) -> Int[ndarray, "_"]:
    """The positions of a label, which may occur more than once, or not at all."""
    if label not in index:
        return np.zeros(0, dtype=np.int64)
    found = index.get_loc(label)  # a number, a slice or flags
    return np.array([found]) if isinstance(found, int) else np.atleast_1d(np.arange(len(index))[found])

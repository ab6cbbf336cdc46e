"""Everything that a loaded model holds, and the faults that any part of it may have."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import Tree

MOST_JOBS = 64


def parts_of(thing: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """The thing and everything it holds, each once."""
    seen = set() if seen is None else seen
    if id(thing) in seen or isinstance(thing, (str, bytes, int, float, type(None), type)):
        return
    seen.add(id(thing))
    yield thing
    for entry in _held(thing):
        yield from parts_of(entry, seen)


def part_fault(part: Any) -> str | None:
    """What is wrong with one part, whatever it is."""
    hidden = next(iter(_hidden_methods(part)), None)
    if hidden:
        return f"a stored attribute hides the method {hidden!r}"
    if isinstance(part, np.ndarray) and part.dtype.itemsize == 0:
        return "an array holds nothing in each of its cells"
    if not isinstance(part, BaseDecisionTree) and any(isinstance(entry, Tree) for entry in _held(part)):
        return "a tree belongs to no model"
    if not _is_job_count(getattr(part, "__dict__", {}).get("n_jobs")):
        return f"n_jobs must be None or between -{MOST_JOBS} and {MOST_JOBS}"
    return None if _draws_inside(part) else "a source of random numbers would read beyond its state"


def _held(thing: Any) -> list[Any]:
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, (list, tuple, set)):
        return list(thing)
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype == object else []
    return list(getattr(thing, "__dict__", {}).values())


def _hidden_methods(part: Any) -> Iterator[str]:
    stored = getattr(part, "__dict__", None)
    if isinstance(stored, dict) and type(part).__module__.startswith("sklearn."):
        yield from (name for name in stored if callable(getattr(type(part), str(name), None)))


def _is_job_count(count: Any) -> bool:
    return count is None or (isinstance(count, int) and abs(count) <= MOST_JOBS)


def _draws_inside(part: Any) -> bool:
    if isinstance(part, np.random.Generator):
        return isinstance(part.bit_generator, np.random.PCG64)
    if isinstance(part, np.random.RandomState):
        state = part.get_state(legacy=False)
        return isinstance(state, dict) and 0 <= state["state"]["pos"] <= len(state["state"]["key"])
    return True

"""What a piece of work costs: seconds on the clock, seconds of computing, and memory at its peak."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, process_time


@dataclass(slots=True)
class Cost:
    """Filled in when the measured block ends, also if it ends with an error; NaN until then.

    A process's peak never falls: ``peak_bytes`` is the highest it has ever been, ``peak_growth_bytes`` how much this
    block raised it (0 if something before it needed more). NaN where the system does not tell. ``cpu_seconds`` are
    those of all threads, and of child processes that ended inside.
    """

    seconds: float = float("nan")
    cpu_seconds: float = float("nan")
    peak_bytes: float = float("nan")
    peak_growth_bytes: float = float("nan")


@contextmanager
def measured() -> Iterator[Cost]:
    """The cost of the block, known when it ends; of child processes only the seconds of computing are counted."""
    cost = Cost()
    before, clock, cpu = peak_memory(), perf_counter(), _computed()
    try:
        yield cost
    finally:
        cost.seconds = perf_counter() - clock
        cost.cpu_seconds = _computed() - cpu
        cost.peak_bytes = peak_memory()
        cost.peak_growth_bytes = cost.peak_bytes - before


def _computed() -> float:
    """Seconds of the processor that this process and the children it has waited for have used."""
    return process_time() + sum(os.times()[2:4])


def peak_memory() -> float:
    """The most memory this process ever held, in bytes."""
    if sys.platform == "win32":
        return float("nan")
    from resource import RUSAGE_SELF, getrusage  # noqa: PLC0415 - not on every system

    unit = 1 if sys.platform == "darwin" else 1024
    return float(getrusage(RUSAGE_SELF).ru_maxrss * unit)

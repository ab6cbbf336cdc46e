"""How long something takes, for tests that compare times on machines which do other things as well."""

import time
from collections.abc import Callable


def least_seconds(work: Callable[[], object], turns: int = 3) -> float:
    """The processor's time for ``work``, the least of some turns: what runs beside it can only add to it."""
    times = []
    for _ in range(turns):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)

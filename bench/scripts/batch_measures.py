"""What a process of a run notes about itself: time of the processor, where it went, and memory; see :mod:`batch`."""

import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from multiprocessing.util import Finalize
from pathlib import Path
from types import FrameType
from typing import Any

from counterflownet.files import write_atomically

TICK = 0.01  # seconds of the processor between two looks
KEPT_AFTER = 1.0  # seconds of the processor
PHASES = {  # a part of a file's path, innermost call first, and what the time is spent on
    "counterflownet_bench/references": "classifier",
    "explain/tightening": "tightening",
    "explain/sampler": "flow",
    "counterflownet/flow": "flow",
    "reward/outlier": "plausibility",
    "reward/neighbours": "plausibility",
    "batch/pieces": "files",
    "batch/folder": "files",
    "batch/arrow": "files",
    "batch/ids": "files",
    "counterflownet/explain": "search and choice",
    "counterflownet/batch": "files",
}


OPEN: list["Notes"] = []  # of this process


def end_notes() -> None:
    """What follows is no part of the run."""
    for notes in OPEN:
        notes.end()


class Notes:
    """The notes of one process, in a file that is there whole whenever the process is killed."""

    def __init__(self, file: Path) -> None:
        self.file, self.begun = file, time.time()
        self.started = time.process_time()  # what importing, and then loading, took
        self.phases: dict[str, float] = defaultdict(float)
        self.looked = self.kept = self.started
        signal.signal(signal.SIGPROF, self._look)
        signal.siginterrupt(signal.SIGPROF, False)
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
        self.looking = True
        OPEN.append(self)
        Finalize(None, self.end, exitpriority=0)  # of a process of a pool, too

    def ready(self) -> None:
        """From here on there are rows to explain."""
        self.started = time.process_time()
        self.phases.clear()

    def _look(self, _: int, frame: FrameType | None) -> None:
        now = time.process_time()  # a long call of compiled code is one look, however long it was
        self.phases[phase_of(frame)] += now - self.looked
        self.looked = now
        if now - self.kept > KEPT_AFTER:
            self.kept = now
            self.keep()

    def keep(self) -> None:
        told = {
            "begun": self.begun,
            "last": time.time(),
            "start_cpu": self.started,
            "cpu": time.process_time(),
            "peak_mb": peak_mb(),
            "phases": dict(self.phases),
        }
        write_atomically(self.file, json.dumps(told))

    def end(self) -> None:
        """Look no more; only the first end counts."""
        if self.looking:
            self.looking = False
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            self.keep()


def phase_of(frame: FrameType | None) -> str:
    """What the innermost call that we know of is for."""
    while frame is not None:
        path = frame.f_code.co_filename
        for part, phase in PHASES.items():
            if part in path:
                return phase
        frame = frame.f_back
    return "other"


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)


def summed(folder: Path) -> dict[str, Any]:
    """All notes of a run, over all sessions that it took."""
    told = [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]
    sessions: dict[str, list[float]] = {}
    for file, one in zip(sorted(folder.glob("*.json")), told, strict=True):
        sessions.setdefault(file.name.split("_")[0], []).append(one["last"])
    phases: dict[str, float] = defaultdict(float)
    for phase, seconds in (pair for one in told for pair in one["phases"].items()):
        phases[phase] += seconds
    return {
        "sessions": len(sessions),
        "seconds": sum(max(ends) - float(begun) for begun, ends in sessions.items()),
        "cpu_seconds": sum(one["cpu"] for one in told),
        "start_cpu_seconds": sum(one["start_cpu"] for one in told),
        "peak_mb": max(one["peak_mb"] for one in told),
        "shares": {name: phases[name] / sum(phases.values()) for name in sorted(phases, key=phases.__getitem__)[::-1]},
    }


def own_cpu() -> float:
    """Seconds of the processor that this process has used, and its children that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(kind)[:2]) for kind in kinds)


def tree_cpu(root: int | None = None) -> float:
    """Seconds of the processor that a process and all that came of it have used, as Linux tells."""
    pid = os.getpid() if root is None else root
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for one in threads for child in (one / "children").read_text().split()]
    except OSError:  # it has just ended
        return 0.0
    ticks = sum(int(field) for field in fields[11:15])  # its own, and those of children that have ended
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(tree_cpu, children))

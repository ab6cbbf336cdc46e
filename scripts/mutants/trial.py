"""Tests of a copy of the repository, each time in a fork of this process, which has imported what is slow to import."""

import json
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from traceback import print_exc
from typing import Any

import faiss  # noqa: F401 - imported here, so that no fork has to
import pandas as pd  # noqa: F401
import pytest
import sklearn.ensemble
import sklearn.linear_model
import sklearn.neighbors
import sklearn.pipeline  # noqa: F401
import torch  # noqa: F401

COPIED = ("src", "tests", "conftest.py", "pyproject.toml")
OPTIONS = ["-x", "-q", "-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider"]
MEMORY = 12 * 2**30


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first test that failed, if any (or "timeout"), and the seconds that each file of tests took."""

    failed: str | None
    seconds: dict[str, float] = field(default_factory=dict)


class Watching:
    """Notes what a run of pytest finds."""

    def __init__(self) -> None:
        self.failed: str | None = None
        self.seconds: dict[str, float] = {}

    def pytest_configure(self) -> None:
        """Let Hypothesis try the same examples every time, so that no mutant is killed by accident."""
        from hypothesis import settings  # noqa: PLC0415 - pytest wants to import it first

        settings.register_profile("alike", derandomize=True, database=None)
        settings.load_profile("alike")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.seconds[file] = self.seconds.get(file, 0.0) + report.duration
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or f"{report.nodeid} (collected)"


class Copy:
    """A copy of the repository, in which single files are changed for one trial."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            made = shutil.copytree if (root / name).is_dir() else shutil.copy2
            made(root / name, folder / name)

    def trial(self, tests: Sequence[str], *, cpu_seconds: float, changed: dict[str, str] | None = None) -> Verdict:
        """What these tests say, with some files changed. Too much time of the processor is a failure."""
        kept = {name: ((self.folder / name).read_bytes(), (self.folder / name).stat()) for name in changed or {}}
        try:
            for number, (name, source) in enumerate((changed or {}).items()):
                (self.folder / name).write_text(source, encoding="utf-8")
                os.utime(self.folder / name, (time.time(), 1_000_000_000 + number))  # no compiled file is that old
            return self._forked(tests, cpu_seconds)
        finally:
            for name, (content, facts) in kept.items():
                (self.folder / name).write_bytes(content)
                os.utime(self.folder / name, (facts.st_atime, facts.st_mtime))

    def _forked(self, tests: Sequence[str], cpu_seconds: float) -> Verdict:
        told = self.folder / "verdict.json"
        told.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            try:
                self._run(tests, cpu_seconds, told)
            except BaseException:  # noqa: BLE001 - whatever it is, it ends here
                print_exc()
            finally:
                os._exit(0)
        ended = _waited(child, seconds=20 * cpu_seconds)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and whatever it has started
        if not ended or not told.exists():
            return Verdict("timeout, or the process ended")
        return Verdict(**json.loads(told.read_text(encoding="utf-8")))

    def _run(self, tests: Sequence[str], cpu_seconds: float, told: Path) -> None:
        os.setsid()
        for kind, most in ((resource.RLIMIT_CPU, int(cpu_seconds)), (resource.RLIMIT_AS, MEMORY)):
            resource.setrlimit(kind, (most, most))
        os.chdir(self.folder)
        source = str(self.folder / "src")
        os.environ["PYTHONPATH"] = source
        sys.path.insert(0, source)
        sys.dont_write_bytecode = True
        log = os.open("log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)
        watching = Watching()
        code: Any = pytest.main([*OPTIONS, *tests], plugins=[watching])
        failed = watching.failed or (None if code == 0 else f"pytest ended with {code}")
        told.write_text(json.dumps({"failed": failed, "seconds": watching.seconds}), encoding="utf-8")


def _waited(child: int, *, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False

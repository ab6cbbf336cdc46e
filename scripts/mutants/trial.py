"""Tests of a copy of the repository, each time in a fork of this process, which has imported what is slow to import."""

import json
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from traceback import print_exc
from typing import Any

import hypothesis
import pytest
from tracing import Learned, Tracing

SLOW_TO_IMPORT = (
    "beartype",
    "faiss",
    "jaxtyping",
    "matplotlib.figure",
    "pandas",
    "rich.table",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "sklearn.neighbors",
    "sklearn.pipeline",
    "torch",
)
COPIED = ("src", "tests", "conftest.py", "pyproject.toml")
OPTIONS = ["-x", "-q", "-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider"]
EARLY_IMPORTS = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
MEMORY = 12 * 2**30
PATIENCE = 8.0  # seconds of the processor for any test, beside thrice its usual ones
COLLECTING = 60.0  # seconds of the processor until the first test begins
LONGEST = 1_200.0  # seconds by the clock


class Watching:
    """Runs chosen tests in the order given, and notes the first that fails. Too much time of the processor ends all."""

    def __init__(self, usual: Mapping[str, float]) -> None:
        self.usual = usual
        self.failed: str | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[test] for test in self.usual if test in found]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        limit_processor(3 * self.usual[item.nodeid] + PATIENCE)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.failed = self.failed or f"{report.nodeid} (collected)"


class Copy:
    """A copy of the repository, in which single files are changed for one trial."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder = folder
        self.trials = 0
        for name in SLOW_TO_IMPORT:
            import_module(name)
        for name in COPIED:
            made = shutil.copytree if (root / name).is_dir() else shutil.copy2
            made(root / name, folder / name)

    def traced(self, tests: str) -> Learned:
        """Which lines each test of a file runs."""
        learned = self._forked(lambda: self._traced(tests))
        if "failed" in learned:
            log = (self.folder / "log.txt").read_text(encoding="utf-8")
            sys.exit(f"tests fail without any mutant: {learned['failed']}\n{log[-3000:]}")
        return learned

    def _traced(self, tests: str) -> Learned:
        tracing = Tracing(self.folder)
        with tracing.coverage.collect():
            code = _pytest([tests], tracing)
        return tracing.learned() if code == 0 else {"failed": f"{tests}: pytest ended with {code}"}

    def trial(self, usual: Mapping[str, float], changed: Mapping[str, str]) -> str | None:
        """The first of these tests (with their usual seconds) that fails with some files changed."""
        kept = {name: ((self.folder / name).read_bytes(), (self.folder / name).stat()) for name in changed}
        self.trials += 1
        try:
            for name, source in changed.items():
                (self.folder / name).write_text(source, encoding="utf-8")
                os.utime(self.folder / name, (time.time(), 1_000_000_000 + self.trials))  # no compiled file is that old
            return self._forked(lambda: _tried(usual)).get("failed")
        finally:
            for name, (content, facts) in kept.items():
                (self.folder / name).write_bytes(content)
                os.utime(self.folder / name, (facts.st_atime, facts.st_mtime))

    def _forked(self, job: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        told = self.folder / "told.json"
        told.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            try:
                self._prepare()
                told.write_text(json.dumps(job()), encoding="utf-8")
            except BaseException:  # noqa: BLE001 - whatever it is, it ends here
                print_exc()
            finally:
                os._exit(0)
        ended = _waited(child)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and whatever it has started
        if not ended or not told.exists():
            return {"failed": "timeout, or the process ended"}
        return json.loads(told.read_text(encoding="utf-8"))

    def _prepare(self) -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.chdir(self.folder)
        source = str(self.folder / "src")
        os.environ["PYTHONPATH"] = source
        sys.path.insert(0, source)
        log = os.open("log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 1)
        os.dup2(log, 2)


def limit_processor(seconds: float) -> None:
    """End this process after so many more seconds of the processor."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))


def _tried(usual: Mapping[str, float]) -> dict[str, str | None]:
    limit_processor(COLLECTING)
    watching = Watching(usual)
    files = dict.fromkeys(test.partition("::")[0] for test in usual)
    code = _pytest([*files], watching)
    return {"failed": watching.failed or (None if code == 0 else f"pytest ended with {code}")}


def _pytest(places: Sequence[str], plugin: object) -> int:
    """Run pytest; Hypothesis tries the same examples every time, so that no mutant is killed by accident."""
    hypothesis.settings.register_profile("alike", derandomize=True, database=None, deadline=None)
    return int(pytest.main([*OPTIONS, "--hypothesis-profile=alike", *EARLY_IMPORTS, *places], plugins=[plugin]))


def _waited(child: int) -> bool:
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False

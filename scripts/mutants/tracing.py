"""A plugin of pytest that learns which lines of the library each test runs, and the processor's seconds."""

import sys
import time
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

Learned = dict[str, Any]  # "tests", their "seconds", and by file and line the numbers of the tests in "lines"


class Tracing:
    """Notes lines and seconds of each test.

    What a fixture of a wider scope runs, it runs while the first test that asks for it is set up. It counts for all
    that ask. What runs while tests are collected counts for all of them.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.coverage = Coverage(data_file=None, source=[str(root / "src")], config_file=False, messages=False)
        self.seconds: dict[str, float] = defaultdict(float)
        self.fixtures: dict[str, list[str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Function) -> Generator[None, Any, Any]:
        forget_what_was_cached()
        asked = (one[-1] for one in item._fixtureinfo.name2fixturedefs.values())  # noqa: SLF001 - nothing else tells
        self.fixtures[item.nodeid] = [_name(one) for one in asked if one.scope != "function"]
        return (yield from self._noted(item.nodeid, then=""))

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        if fixturedef.scope == "function":
            return (yield)
        return (yield from self._noted(_name(fixturedef), then=request._pyfuncitem.nodeid))  # noqa: SLF001 - as above

    def _noted(self, name: str, then: str) -> Generator[None, Any, Any]:
        self.coverage.switch_context(name)
        start = time.process_time()
        result = yield
        took = time.process_time() - start
        self.seconds[name] += took
        self.seconds[then] -= took  # seen once more when that one ends
        self.coverage.switch_context(then)
        return result

    def learned(self) -> Learned:
        """What can be kept as JSON."""
        asking: dict[str, set[int]] = {"": set(range(len(self.fixtures)))}
        for number, (test, fixtures) in enumerate(self.fixtures.items()):
            for name in (test, *fixtures):
                asking.setdefault(name, set()).add(number)
        data = self.coverage.get_data()
        lines = {
            str(Path(file).relative_to(self.root)): {
                line: sorted(set().union(*(asking.get(name, ()) for name in names)))
                for line, names in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }
        return {"tests": list(self.fixtures), "seconds": [*map(self._taken, self.fixtures)], "lines": lines}

    def _taken(self, test: str) -> float:
        """The seconds that a test takes if it is the only one to ask for its fixtures."""
        return round(sum(self.seconds[name] for name in (test, *self.fixtures[test])), 3)


def forget_what_was_cached() -> None:
    """Let every test run the lines whose results are kept between calls."""
    modules = [module for name, module in sys.modules.items() if name.startswith("counterflownet")]
    for value in [value for module in modules for value in vars(module).values()]:
        if hasattr(value, "cache_clear"):
            value.cache_clear()


def _name(fixture: Any) -> str:
    return f"fixture {fixture.baseid} {fixture.argname}"

"""What the tests of both distributions share: data sets that are not bundled, and word of the tests that need them."""

import os
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("patient", deadline=None)  # what takes long on a busy machine is not wrong

VARIABLE = "COUNTERFLOWNET_DATA"
NO_BROWSER = "needs a browser: apt-get install --no-install-recommends chromium"
NO_SPARK = "needs pyspark and Java: pip install pyspark, apt-get install default-jre-headless"
REASON = f"needs {VARIABLE}: a folder with the published data sets"


@pytest.fixture(scope="session")
def published_folder() -> Path:
    """The folder with the published training and test files; without one the test is left out."""
    return Path(os.environ[VARIABLE])


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marker
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that asks for the folder, so that ``-m needs_data`` finds it; leave it out where there is none."""
    for item in items:
        if "published_folder" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.needs_data)
        if item.get_closest_marker("needs_data") and not os.environ.get(VARIABLE):
            item.add_marker(pytest.mark.skip(reason=REASON))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not tested, and how to test it."""
    skipped = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    for what, needs in (("The page", NO_BROWSER), ("The example of Spark", NO_SPARK)):
        if any(needs in reason for reason in skipped):
            terminalreporter.write_line("")
            terminalreporter.write_line(f"{what} was not tested: that {needs}")
    count = sum(REASON in reason for reason in skipped)
    if count:
        tests = "1 test was left out: it needs" if count == 1 else f"{count} tests were left out: they need"
        terminalreporter.write_line("")
        terminalreporter.write_line(
            f"{tests} data sets that are not bundled. `counterflownet datasets` says where to get each of them; "
            f"then set {VARIABLE}=FOLDER."
        )

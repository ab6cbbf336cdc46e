"""Every example runs, from beginning to end, as a reader would run it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_demo_explains_rejected_applicants_and_writes_a_report(tmp_path) -> None:
    report = tmp_path / "deep" / "report.html"
    command = [sys.executable, "-W", "error", "examples/german_credit.py", "--report", str(report), "--steps", "20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own script
    assert done.returncode == 0, done.stderr
    assert "The classifier says 'good' to 100% of these" in done.stdout
    assert "\x1b[" not in done.stdout + done.stderr  # no colours and no bar in a pipe
    assert report.read_text().startswith("<!DOCTYPE html>")


def test_every_example_has_a_test() -> None:
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == {"german_credit.py"}

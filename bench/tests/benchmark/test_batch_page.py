"""The section on many rows: every bar says whether it was met, and the plan follows from what was measured."""

import importlib.util
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
ABOUT = {"version": "1", "processor": "made", "cores": 2, "threads": 1, "load_before": 1.0}
RUN = {
    "kind": "run",
    "rows": 100_000,
    "declined": None,
    "workers": 2,
    "explained": 100_000,
    "answers": 500_000,
    "rows_per_second": 500.0,
    "cpu_ms_per_row": 3.6,
    "start_cpu_seconds": 20.0,
    "sessions": 1,
    "shares": {"classifier": 0.5, "flow": 0.3, "files": 0.2},
    "peak_mb": 800.0,
    "driver_peak_mb": 600.0,
    "ids_ms_per_row": 0.0036,
    "bytes_read": 10**6,
    "bytes_written": 2 * 10**7,
    "same_batch": 1.0,
    "batch_answers": 5_000,
    "same_sample": 0.999,
    "sample_answers": 5_000,
    **ABOUT,
}
OVERHEAD = {"kind": "overhead", "rows": 20_000, "ratio": 1.02, **ABOUT}
OVERHEAD |= {"files_cpu_ms_per_row": 3.1, "memory_cpu_ms_per_row": 3.0}
KILLS = {"kind": "kills", "rows": 20_000, "piece_rows": 1_000, "equal": True, "ids_once": True, **ABOUT}
KILLS |= {"kills": [{"of": "the run", "alive": True, "pieces_kept": 3}]}


@pytest.fixture
def section(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    spec = importlib.util.spec_from_file_location("batch_page", SCRIPTS / "batch_page.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.section


def test_bars_are_met_or_missed(section) -> None:
    larger = {**RUN, "rows": 1_000_000, "explained": 1_000_000}
    told = section([RUN, {**larger, "peak_mb": 801.0}, OVERHEAD, KILLS])
    assert told.count("(met)") == 3
    worse = [{**larger, "peak_mb": 1_000.0}, {**OVERHEAD, "ratio": 1.2}, {**KILLS, "equal": False}]
    told = section([RUN, OVERHEAD, KILLS, *worse])
    assert told.count("(missed)") == 3


def test_a_run_that_was_over_before_it_could_be_killed_proves_nothing(section) -> None:
    late = {**KILLS, "kills": [*KILLS["kills"], {"of": "the run", "alive": False, "pieces_kept": 20}]}
    assert "every id once (missed)" in section([RUN, late])


def test_the_plan_multiplies_what_was_measured(section) -> None:
    told = section([RUN])
    assert "| 10,000,000 | 10 | 2 | 0.6 | 0.09 | 0.1 | 2.0 |" in told
    assert "| 1,000,000,000 | 1,000 | 125 | 60.0 | 9.00 | 10.0 | 200.0 |" in told
    assert "1,000 cores" in told


def test_nothing_is_said_of_what_was_not_measured(section) -> None:
    told = section([OVERHEAD])
    assert "No run yet" in told
    assert "What more rows would take" not in told
    assert "Ray's overhead is not measured" in told

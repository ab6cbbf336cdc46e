"""Who is to blame for a crash, and how far a run is."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from counterflownet.batch import bar as bar_module
from counterflownet.batch.bar import shown_rows
from counterflownet.batch.crashes import CALM, KILLED, Crashes
from counterflownet.batch.pieces import Piece
from counterflownet.batch.work import BATCH_ROWS, batches

PIECES = [Piece(number, "table.parquet", 1_000 * number, 1_000) for number in range(4)]


def test_rows_that_end_processes_again_and_again_are_found() -> None:
    crashes = Crashes({})
    assert all(crashes.note(7, (BATCH_ROWS, 2 * BATCH_ROWS)) for _ in range(CALM))
    assert crashes.suspects[7] == {BATCH_ROWS}
    for _ in range(CALM):
        assert crashes.refused == {}
        crashes.note(7, (BATCH_ROWS + 3, BATCH_ROWS + 4))
    assert crashes.refused == {7: {BATCH_ROWS + 3: KILLED}}


def test_processes_that_are_killed_over_other_rows_each_time_blame_none() -> None:
    crashes = Crashes({})
    for batch in range(10):
        crashes.note(7, (batch * BATCH_ROWS, (batch + 1) * BATCH_ROWS))
    assert not crashes.note(8, None)
    assert not any(crashes.suspects.values())
    assert crashes.refused == {}


def test_batches_are_the_whole_piece_and_suspects_are_rows() -> None:
    parts = list(batches(2 * BATCH_ROWS + 5, {BATCH_ROWS}))
    assert [start for start, _ in parts[1:]] == [stop for _, stop in parts[:-1]]
    assert (parts[0], parts[1], parts[-1]) == (
        (0, BATCH_ROWS),
        (BATCH_ROWS, BATCH_ROWS + 1),
        (2 * BATCH_ROWS, 2 * BATCH_ROWS + 5),
    )


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """What time it is: the last number."""
    now = [0.0]
    own = Progress.__init__
    monkeypatch.setattr(Progress, "__init__", lambda self, *a, **k: own(self, *a, **k, get_time=lambda: now[-1]))
    return now


def test_a_terminal_shows_rows_and_the_time_that_is_left_even_if_batches_take_minutes(clock, monkeypatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(
        bar_module, "Console", lambda stderr: Console(file=terminal, force_terminal=True, width=120, color_system=None)
    )
    with shown_rows(PIECES, PIECES[1:], shown=True) as bar:
        for minute, rows in enumerate((250, 500, 750), start=1):
            clock.append(60.0 * minute)
            bar.of_piece(1)(rows)
        clock.append(240.0)
        bar.finished(PIECES[1])
        bar.progress.refresh()
    assert "2000/4000 0:04:00 0:08:00" in terminal.getvalue()


def test_a_piece_that_is_worked_again_counts_once() -> None:
    with shown_rows(PIECES, PIECES, shown=False) as bar:
        for rows in (500, 900, 100):
            bar.of_piece(0)(rows)
        assert bar.progress.tasks[0].completed == 100
        bar.finished(PIECES[0])
        assert bar.progress.tasks[0].completed == 1_000

"""A run over files: whatever ends it, the same call goes on, and what is there in the end is the same."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from made_people import KILLS, KILLS_ONCE, RAISES, people, work_to

from counterflownet.batch import explain_files
from counterflownet.batch import folder as folder_module
from counterflownet.batch.folder import AnswerFolder
from counterflownet.errors import InvalidInputError

QUESTION = {"question": "as always"}


def run(rows, folder, explainer_file, **how):
    return explain_files(work_to(folder, explainer_file), rows, QUESTION, **{"piece_rows": 6, **how})


def contents(folder: Path) -> dict[str, pd.DataFrame]:
    names = [name for name in ("answers", "rows", "errors") if (folder / name).exists()]
    return {name: ds.dataset(folder / name).to_table().to_pandas().sort_values("factual") for name in names}


def same(one: Path, other: Path) -> bool:
    """Every file of either has the same bytes in the other."""
    left, right = ({file.relative_to(f): file.read_bytes() for file in f.glob("*/*.parquet")} for f in (one, other))
    return len(left) > 0 and left == right


def started(rows_file: Path, folder: Path, explainer_file: Path, workers: int = 1) -> subprocess.Popen:
    """The same run in a process of its own."""
    script = "import signal, sys, test_run; from pathlib import Path; "
    script += "signal.signal(signal.SIGINT, signal.default_int_handler); "  # in the background it may be ignored
    script += f"test_run.run(*map(Path, sys.argv[1:4]), workers={workers})"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    given = [sys.executable, "-c", script, str(rows_file), str(folder), str(explainer_file)]
    return subprocess.Popen(given, env={**os.environ, "PYTHONPATH": path}, stderr=subprocess.PIPE)  # noqa: S603


def until(happened) -> None:
    begun = time.monotonic()
    while not happened():
        assert time.monotonic() - begun < 300
        time.sleep(0.005)


def children(process: subprocess.Popen) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


@pytest.fixture(scope="module")
def whole(rows_file, explainer_file, tmp_path_factory) -> Path:
    """What an uninterrupted run of one process leaves."""
    folder = tmp_path_factory.mktemp("whole") / "answers"
    done = run(rows_file, folder, explainer_file)
    assert (done.rows, done.errors, done.pieces) == (40, 0, 7)
    return folder


def test_every_row_is_told_once(whole) -> None:
    told = contents(whole)
    assert sorted(told["rows"]["factual"]) == sorted(people(40)["name"])
    assert told["rows"]["answers"].sum() == len(told["answers"]) > 0
    assert not (whole / "errors").exists()


def test_a_run_that_is_killed_five_times_leaves_what_an_uninterrupted_one_does(
    whole, rows_file, explainer_file, tmp_path
) -> None:
    out, chance = tmp_path / "out", np.random.default_rng(0)
    for kill in range(5):
        process = started(rows_file, out, explainer_file)
        until(lambda: process.poll() is not None or len(list(out.glob("done/*"))) > kill)  # noqa: B023
        time.sleep(chance.uniform(0, 0.02))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    assert run(rows_file, out, explainer_file).rows == 40
    assert same(out, whole)
    assert not list(out.glob("*/.*"))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc tells the processes of a run")
def test_processes_end_with_a_run_that_is_killed(rows_file, explainer_file, tmp_path) -> None:
    process = started(rows_file, tmp_path / "out", explainer_file, workers=2)
    until(lambda: list((tmp_path / "out").glob("working/*")))
    alive = children(process)
    process.kill()
    process.communicate()
    assert len(alive) >= 2
    until(lambda: not any(_lives(pid) for pid in alive))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc tells the processes of a run")
def test_a_run_that_is_stopped_ends_at_once_and_so_do_its_processes(rows_file, explainer_file, tmp_path) -> None:
    process = started(rows_file, tmp_path / "out", explainer_file, workers=2)
    until(lambda: list((tmp_path / "out").glob("working/*")))
    alive = children(process)
    for pid in (*alive, process.pid):  # as a terminal does
        os.kill(pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in told  # of a process that had only begun as well
    until(lambda: not any(_lives(pid) for pid in alive))


def _lives(pid: int) -> bool:
    """Whether there is such a process; one that nobody has asked how it ended does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_pieces_that_are_kept_are_not_worked_again(whole, rows_file, explainer_file) -> None:
    before = {file: file.stat().st_mtime_ns for file in whole.glob("*/*")}
    assert run(rows_file, whole, explainer_file).rows == 40
    assert {file: file.stat().st_mtime_ns for file in whole.glob("*/*")} == before


@pytest.mark.parametrize("harm", ["torn", "gone", "flipped"])
def test_a_shard_that_is_damaged_is_made_again(whole, rows_file, explainer_file, tmp_path, harm) -> None:
    run(rows_file, tmp_path / "out", explainer_file)
    shard = tmp_path / "out" / "answers" / "000002.parquet"
    content = shard.read_bytes()
    if harm == "gone":
        shard.unlink()
    else:
        shard.write_bytes(content[:100] if harm == "torn" else content[:-1] + bytes([content[-1] ^ 1]))
    run(rows_file, tmp_path / "out", explainer_file)
    assert shard.read_bytes() == content
    assert same(tmp_path / "out", whole)


def test_a_full_disk_is_told_and_the_run_goes_on_later(whole, rows_file, explainer_file, tmp_path, monkeypatch) -> None:
    write, left = folder_module.write_atomically, iter(range(8))

    def full_soon(path, content):
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return write(path, content)

    monkeypatch.setattr(folder_module, "write_atomically", full_soon)
    with pytest.raises(OSError, match="No space left"):
        run(rows_file, tmp_path / "out", explainer_file)
    monkeypatch.undo()
    run(rows_file, tmp_path / "out", explainer_file)
    assert same(tmp_path / "out", whole)


def test_a_bad_row_and_an_id_met_before_are_told_by_file_and_row(explainer_file, tmp_path) -> None:
    rows = people(14)
    rows.loc[8, "mood"] = RAISES
    rows.loc[12, "name"] = "p1"
    rows.to_parquet(tmp_path / "rows.parquet")
    done = run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file)
    errors = contents(tmp_path / "out")["errors"].sort_values("row")
    assert (done.rows, done.errors) == (12, 2)
    assert errors["row"].tolist() == [9, 13]
    assert "stands in row 2 of" in errors["reason"].iloc[1]
    assert set(errors["source"]) == {str(tmp_path / "rows.parquet")}


def test_two_processes_do_what_one_does_even_if_one_is_killed(
    whole, rows_file, explainer_file, tmp_path, monkeypatch
) -> None:
    rows = pd.read_parquet(rows_file)
    rows.loc[20, "mood"] = KILLS_ONCE
    rows.to_parquet(tmp_path / "rows.parquet")
    monkeypatch.setenv("KILLED_ONCE", str(tmp_path / "killed"))
    done = run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file, workers=2)
    assert (tmp_path / "killed").exists()
    assert (done.rows, done.errors) == (40, 0)
    told, known = (contents(folder)["rows"].query("factual != 'p20'") for folder in (tmp_path / "out", whole))
    pd.testing.assert_frame_equal(told.reset_index(drop=True), known.reset_index(drop=True))


def test_a_row_that_kills_whoever_works_it_is_an_error(explainer_file, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("counterflownet.batch.crashes.CALM", 1)
    rows = people(9)
    rows.loc[7, "mood"] = KILLS
    rows.to_parquet(tmp_path / "rows.parquet")
    done = run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file, workers=2, piece_rows=3)
    assert (done.rows, done.errors) == (8, 1)
    error = contents(tmp_path / "out")["errors"].iloc[0]
    assert (error["factual"], error["row"]) == ("p7", 8)
    assert "the process ended while this row was explained" in error["reason"]


@pytest.mark.parametrize("first", [True, False], ids=["first", "not first"])
def test_bad_rows_at_one_end_of_the_table_are_no_fault_of_the_question(explainer_file, tmp_path, first) -> None:
    rows = people(12)
    rows.loc[: 5 if first else 0, "mood"] = RAISES
    rows.loc[6 if not first else 99 :, "mood"] = RAISES
    rows.dropna().to_parquet(tmp_path / "rows.parquet")
    done = run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file)
    assert (done.rows, done.errors) == (6, 6) if first else (5, 7)


def test_errors_that_nobody_noted_do_not_stay(whole, rows_file, explainer_file, tmp_path) -> None:
    (tmp_path / "out").mkdir()
    run(rows_file, tmp_path / "out", explainer_file)
    (tmp_path / "out" / "errors").mkdir()
    (tmp_path / "out" / "errors" / "000003.parquet").write_bytes(b"of a run that was killed")
    (tmp_path / "out" / "done" / "000003.json").unlink()
    run(rows_file, tmp_path / "out", explainer_file)
    assert same(tmp_path / "out", whole)


def test_missing_ids_leave_whole_numbers_whole_in_every_shard(explainer_file, tmp_path) -> None:
    rows = pa.Table.from_pandas(people(12)).drop_columns("name")
    rows = rows.append_column("name", pa.array([None, *range(2**60, 2**60 + 11)]))
    pq.write_table(rows, tmp_path / "rows.parquet")
    done = run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file)
    told = ds.dataset(tmp_path / "out" / "rows").to_table()["factual"]
    assert (done.rows, done.errors) == (11, 1)
    assert told.to_pylist() == list(range(2**60, 2**60 + 11))


def test_another_question_needs_another_folder(whole, rows_file, explainer_file, tmp_path) -> None:
    with pytest.raises(InvalidInputError, match="was begun with another piece_rows"):
        run(rows_file, whole, explainer_file, piece_rows=7)
    people(5).to_parquet(tmp_path / "others.parquet")
    with pytest.raises(InvalidInputError, match="was begun with another rows"):
        run(tmp_path / "others.parquet", whole, explainer_file)
    with pytest.raises(InvalidInputError, match="is not empty"):
        run(rows_file, tmp_path, explainer_file)


def test_a_mistake_in_the_first_command_does_not_spoil_the_folder(whole, rows_file, explainer_file, tmp_path) -> None:
    people(9).drop(columns="age").to_parquet(tmp_path / "wrong.parquet")
    with pytest.raises(InvalidInputError, match="age"):
        run(tmp_path / "wrong.parquet", tmp_path / "out", explainer_file)
    (tmp_path / "out" / "answers").mkdir()
    (tmp_path / "out" / "answers" / "000099.parquet").touch()  # of a piece that was never noted
    run(rows_file, tmp_path / "out", explainer_file)
    assert same(tmp_path / "out", whole)


def test_one_run_at_a_time(whole, rows_file, explainer_file) -> None:
    with AnswerFolder(whole).locked(), pytest.raises(InvalidInputError, match="another run writes to"):
        run(rows_file, whole, explainer_file)


def test_a_fault_of_the_question_is_told_once_and_not_for_every_row(explainer_file, tmp_path) -> None:
    people(9).drop(columns="age").to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(InvalidInputError, match="age"):
        run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file)
    assert not (tmp_path / "out" / "errors").exists()

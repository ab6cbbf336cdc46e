"""A run over files: whatever ends it, the same call goes on, and what is there in the end is the same."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pyarrow.dataset as ds
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
    left, right = contents(one), contents(other)
    return left.keys() == right.keys() and all(
        left[name].astype(str).to_numpy().tolist() == right[name].astype(str).to_numpy().tolist() for name in left
    )


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


def test_a_run_that_is_killed_goes_on(whole, rows_file, explainer_file, tmp_path) -> None:
    script = "import sys, test_run; from pathlib import Path; test_run.run(*map(Path, sys.argv[1:4]))"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    given = [sys.executable, "-c", script, str(rows_file), str(tmp_path / "out"), str(explainer_file)]
    process = subprocess.Popen(given, env={**os.environ, "PYTHONPATH": path})  # noqa: S603
    while process.poll() is None and not list((tmp_path / "out").glob("done/*")):
        time.sleep(0.01)
    process.kill()
    process.wait()
    begun = len(list((tmp_path / "out").glob("done/*")))
    assert begun > 0
    assert run(rows_file, tmp_path / "out", explainer_file).rows == 40
    assert same(tmp_path / "out", whole)


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
    monkeypatch.setattr("counterflownet.batch.run.CALM", 1)
    rows = people(9)
    rows.loc[7, "mood"] = KILLS
    rows.to_parquet(tmp_path / "rows.parquet")
    done = run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file, workers=2, piece_rows=3)
    assert (done.rows, done.errors) == (8, 1)
    error = contents(tmp_path / "out")["errors"].iloc[0]
    assert (error["factual"], error["row"]) == ("p7", 8)
    assert "the process ended while this row was explained" in error["reason"]


def test_another_question_needs_another_folder(whole, rows_file, explainer_file, tmp_path) -> None:
    with pytest.raises(InvalidInputError, match="was begun with another piece_rows"):
        run(rows_file, whole, explainer_file, piece_rows=7)
    people(5).to_parquet(tmp_path / "others.parquet")
    with pytest.raises(InvalidInputError, match="was begun with another rows"):
        run(tmp_path / "others.parquet", whole, explainer_file)
    with pytest.raises(InvalidInputError, match="is not empty"):
        run(rows_file, tmp_path, explainer_file)


def test_one_run_at_a_time(whole, rows_file, explainer_file) -> None:
    with AnswerFolder(whole).locked(), pytest.raises(InvalidInputError, match="another run writes to"):
        run(rows_file, whole, explainer_file)


def test_a_fault_of_the_question_is_told_once_and_not_for_every_row(explainer_file, tmp_path) -> None:
    people(9).drop(columns="age").to_parquet(tmp_path / "rows.parquet")
    with pytest.raises(Exception, match="age"):
        run(tmp_path / "rows.parquet", tmp_path / "out", explainer_file)
    assert not (tmp_path / "out" / "errors").exists()

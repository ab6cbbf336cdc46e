"""Tables larger than memory: ``--workers`` and folders of rows."""

import pandas as pd
import pytest
from loan_commands import QUICK, error_line, explain_rows

from counterflownet.cli import main

MANY = ["--id", "customer", "--workers", "1", "--piece-rows", "4"]


def answers(folder) -> pd.DataFrame:
    return pd.read_parquet(folder / "answers").sort_values(["factual", "rank"], ignore_index=True)


def test_a_folder_of_answers_holds_what_a_file_of_answers_would(folder, tmp_path, capsys) -> None:
    assert explain_rows(folder, folder / "rejected.csv", *MANY, "--out", str(tmp_path / "all")) == 0
    assert "6 rows explained" in capsys.readouterr().err
    explain_rows(folder, folder / "rejected.csv", "--id", "customer", "--out", str(tmp_path / "one.parquet"))
    told = answers(tmp_path / "all")
    known = pd.read_parquet(tmp_path / "one.parquet").sort_values(["factual", "rank"], ignore_index=True)
    for name in ("factual", "rank", "strategy", "age", "credit_amount", "since", "branch", "probability"):
        assert told[name].astype(str).tolist() == known[name].astype(str).tolist()


def test_csv_and_parquet_give_the_same(folder, tmp_path) -> None:
    for kind in ("csv", "parquet"):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / f"rows.{kind}").write_bytes((folder / f"rejected.{kind}").read_bytes())
        told = ["--id", "customer", "--piece-rows", "4", "--out", str(tmp_path / f"of {kind}")]
        assert explain_rows(folder, tmp_path / kind, *told) == 0
    pd.testing.assert_frame_equal(answers(tmp_path / "of csv"), answers(tmp_path / "of parquet"))


def test_rows_that_cannot_be_explained_are_told_and_end_with_one(folder, tmp_path, capsys) -> None:
    rows = pd.read_csv(folder / "rejected.csv", dtype=str)
    rows.loc[2, "age"] = "old"
    rows.to_csv(tmp_path / "rows.csv", index=False)
    assert explain_rows(folder, tmp_path / "rows.csv", *MANY, "--out", str(tmp_path / "out")) == 1
    assert "1 row could not be explained" in capsys.readouterr().err
    error = pd.read_parquet(tmp_path / "out" / "errors").iloc[0]
    assert error["row"] == 3
    assert "'age' must hold numbers; got 'old'" in error["reason"]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--workers", "1", "--out", "x"], "--id COLUMN"),
        (["--workers", "1", "--id", "customer"], "--out FOLDER"),
        ([*MANY, "--out", "x", "--format", "csv"], "leave out --format"),
        (["--workers", "0", "--id", "customer", "--out", "x"], "workers must be"),
        ([*MANY, "--out", "x", "--target", "best"], "best"),
    ],
)
def test_a_wrong_command_is_told_in_one_line(folder, tmp_path, monkeypatch, capsys, options, fault) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["explain", str(folder / "loans.cfn"), str(folder / "rejected.csv"), *QUICK]
    assert main([*rows, *options]) == 2
    assert fault in error_line(capsys)

"""Results go where they were meant to go, nothing is overwritten, and a mistake is told before the work."""

import os
import stat
import threading
from pathlib import Path

import pytest
from loan_commands import QUICK, error_line, explain

from counterflownet.cli import explain as explain_command
from counterflownet.cli import fit as fit_command
from counterflownet.cli import main
from counterflownet.cli.places import is_stream
from counterflownet.explain.explainer import CounterFlowNet


@pytest.fixture
def copies(folder, tmp_path, monkeypatch) -> Path:
    for name in ("loans.csv", "loans.cfn", "loans.skops", "rejected.csv"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def no_work(monkeypatch) -> None:
    def worked(*_: object, **__: object) -> None:
        raise AssertionError("the mistake should have been told before")

    monkeypatch.setattr(CounterFlowNet, "fit", worked)
    monkeypatch.setattr(CounterFlowNet, "load", worked)
    monkeypatch.setattr(fit_command, "columns_and_labels", worked)


def linked(kind: str, name: str) -> str:
    if kind == "symlink":
        Path("link").symlink_to(name)
    if kind == "hardlink":
        Path("link").hardlink_to(name)
    return {"same": name, "relative": f"sub/../{name}", "absolute": str(Path(name).absolute())}.get(kind, "link")


@pytest.mark.usefixtures("copies", "no_work")
@pytest.mark.parametrize("kind", ["same", "relative", "absolute", "symlink", "hardlink"])
@pytest.mark.parametrize("name", ["rejected.csv", "loans.cfn", "loans.skops"])
def test_answers_never_overwrite_what_they_are_made_of(kind, name, capsys):
    Path("sub").mkdir()
    before = Path(name).read_bytes()
    command = ["explain", "loans.cfn", "rejected.csv", "--target", "good", "--format", "csv", "--out"]
    assert main([*command, linked(kind, name)]) == 2
    assert f"is the same file as '{name}'" in error_line(capsys)
    assert Path(name).read_bytes() == before


@pytest.mark.usefixtures("copies", "no_work")
@pytest.mark.parametrize("kind", ["same", "relative", "absolute", "symlink", "hardlink"])
def test_an_explainer_never_overwrites_its_table(kind, capsys):
    Path("sub").mkdir()
    before = Path("loans.csv").read_bytes()
    assert main(["fit", "loans.csv", "--target", "risk", "--out", linked(kind, "loans.csv")]) == 2
    assert "is the same file as 'loans.csv'" in error_line(capsys)
    assert Path("loans.csv").read_bytes() == before


@pytest.mark.usefixtures("copies", "no_work")
@pytest.mark.parametrize("out", ["loans.csv/x.cfn", "/proc/nowhere/x.cfn", f"{'x' * 240}.cfn"])
def test_a_place_that_cannot_be_written_is_told_before_the_work(out, capsys):
    assert main(["fit", "loans.csv", "--target", "risk", "--out", out]) == 2
    assert "cannot be written: " in error_line(capsys)
    assert main(["explain", "loans.cfn", "rejected.csv", "--format", "csv", "--out", out]) == 2
    assert "cannot be written: " in error_line(capsys)


@pytest.mark.usefixtures("copies", "no_work")
def test_a_write_protected_file_is_left_alone(monkeypatch, capsys):
    Path("kept.cfn").write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "kept.cfn")  # root may write anywhere
    assert main(["fit", "loans.csv", "--target", "risk", "--out", "kept.cfn"]) == 2
    assert "write-protected" in error_line(capsys)


@pytest.mark.usefixtures("copies", "no_work")
def test_a_checkpoint_is_a_place_too(capsys):
    for checkpoint in ("loans.csv", "new.cfn", "new.skops"):
        assert main(["fit", "loans.csv", "--target", "risk", "--out", "new.cfn", "--checkpoint", checkpoint]) == 2
        assert "is the same file as" in error_line(capsys)


@pytest.mark.usefixtures("copies", "no_work")
def test_an_explainer_is_a_file(capsys):
    os.mkfifo("pipe.cfn")
    for out in ("pipe.cfn", "/dev/null", "/dev/stdout"):
        assert main(["fit", "loans.csv", "--target", "risk", "--out", out]) == 2
        assert "must be a file" in error_line(capsys)


def test_a_pipe_is_written_into(copies, capsys):
    os.mkfifo("answers")
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(Path("answers").read_text()))
    reader.start()
    assert explain(copies, "--out", "answers") == 0
    reader.join()
    assert stat.S_ISFIFO(Path("answers").stat().st_mode)
    assert explain(copies) == 0
    assert read == [capsys.readouterr().out]


def test_devices_are_written_into(copies, capfd):
    assert explain(copies) == 0
    usual = capfd.readouterr().out
    assert explain(copies, "--out", "/dev/stdout") == 0
    assert capfd.readouterr().out == usual
    assert explain(copies, "--out", "/dev/stderr", "--format", "csv") == 0
    assert usual in capfd.readouterr().err
    assert is_stream("/dev/null")


def test_an_open_file_is_continued(copies, capfd):
    with Path("log.csv").open("w") as log:
        log.write("before\n")
        log.flush()
        assert explain(copies, "--out", f"/dev/fd/{log.fileno()}") == 0
        log.write("after\n")
    assert explain(copies) == 0
    assert Path("log.csv").read_text() == f"before\n{capfd.readouterr().out}after\n"


def test_a_link_stays_a_link(copies):
    Path("real.csv").touch()
    Path("answers.csv").symlink_to("real.csv")
    assert explain(copies, "--out", "answers.csv") == 0
    assert Path("answers.csv").is_symlink()
    assert Path("real.csv").read_text().startswith("factual,")


def test_rows_and_answers_can_both_be_pipes(copies, monkeypatch, capsys):
    with Path("rejected.csv").open() as rows:
        monkeypatch.setattr(explain_command.sys, "stdin", rows)
        assert main(["explain", "loans.cfn", "-", "--target", "good", "--out", "-", *QUICK]) == 0
    assert capsys.readouterr().out.startswith("factual,")

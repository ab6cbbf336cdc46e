"""The command, mostly in this process; once as users run it."""

import subprocess
import sys
from pathlib import Path

import pytest

from counterflownet import __version__
from counterflownet.cli import main
from counterflownet.datasets import CARDS
from counterflownet_bench.benchmark import runner
from counterflownet_bench.benchmark.cell import failed_result
from counterflownet_bench.benchmark.store import ResultStore

RUN = ["benchmark", "run", "--protocol", "a", "--dataset"]


@pytest.fixture(autouse=True)
def bundled_data_only(monkeypatch, tmp_path) -> None:
    monkeypatch.delenv("COUNTERFLOWNET_DATA", raising=False)
    monkeypatch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def out(tmp_path) -> Path:
    return tmp_path / "results.jsonl"


@pytest.fixture
def nothing_works(monkeypatch) -> list:
    """Every cell fails at once; what was asked is noted."""
    asked = []

    def failing(cells, data):
        asked.append((cells, data))
        return (failed_result(cell, "no\nluck") for cell in cells)

    monkeypatch.setattr(runner, "attempted", failing)
    return asked


def error_line(capsys) -> str:
    told = capsys.readouterr().err
    assert told.startswith("counterflownet: ")
    assert told.count("\n") == 1
    return told


def test_data_sets_are_listed_with_sizes_and_licences(capsys):
    assert main(["datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(CARDS)
    assert lines[1].split() == ["german_credit", "a", "1,000", "20", "yes", "CC", "BY", "4.0", "bundled"]
    assert any("lending_club" in line and " no " in line and "not redistributable" in line for line in lines)


def test_a_folder_of_data_that_is_not_there_is_one_line(capsys, tmp_path):
    assert main(["datasets", "--data", str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in error_line(capsys)


def test_a_cell_is_run_reported_and_not_run_again(capsys, out, tmp_path):
    command = [*RUN, "german_credit", "--instances", "4", "--count", "3", "--steps", "1", "--out", str(out)]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "german_credit counterflownet default selected seed 0: Sparsity " in told
    assert "3 cells run, 0 of them failed, 0 were there already" in told
    assert main(command) == 0
    assert "0 cells run, 0 of them failed, 3 were there already" in capsys.readouterr().out
    page = tmp_path / "REPORT.html"
    assert main(["benchmark", "report", str(out), "--out", str(tmp_path / "REPORT.md"), "--html", str(page)]) == 0
    assert str(page) in capsys.readouterr().out.splitlines()
    assert "counterflownet, default, selected" in page.read_text(encoding="utf-8")


def test_every_option_arrives(nothing_works, out, tmp_path):
    options = ["--method", "counterflownet", "--seed", "3", "4", "--preset", "paper", "--selection", "selected"]
    limits = ["--instances", "all", "--count", "7", "--steps", "9", "--minutes", "0.5", "--data", str(tmp_path)]
    assert main([*RUN, "german_credit", *options, *limits, "--out", str(out)]) == 1
    cells = [cell for job, _ in nothing_works for cell in job]
    assert [cell.seed for cell in cells] == [3, 4]
    assert (cells[0].preset, cells[0].selection, cells[0].instances) == ("paper", "selected", None)
    assert (cells[0].count, cells[0].steps, cells[0].minutes) == (7, 9, 0.5)
    assert nothing_works[0][1] == str(tmp_path)


def test_a_failed_cell_is_told_in_one_line_and_makes_the_exit_code_one(nothing_works, out, capsys):
    command = [*RUN, "german_credit", "--out", str(out)]
    assert main(command) == 1
    assert "german_credit counterflownet default selected seed 0: FAILED: no luck\n" in capsys.readouterr().out
    assert main(command) == 0  # it is there already
    assert main([*command, "--retry-failed"]) == 1
    assert len(ResultStore(out).read().results) == 6


def test_of_all_data_sets_those_that_are_not_here_become_failed_cells(nothing_works, out):
    assert main([*RUN, "all", "--out", str(out)]) == 1
    assert len(ResultStore(out).read().results) == 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*RUN, "german"], "Did you mean 'german_credit'"),
        ([*RUN, "lending_club"], "belongs to protocol b"),
        ([*RUN, "graduate_admission"], "Save https://github.com/isVy08/L2C"),
        ([*RUN, "german_credit", "--method", "dice"], "unknown method 'dice'"),
        ([*RUN, "german_credit", "--instances", "0"], "instances must be at least 1"),
        ([*RUN, "german_credit", "--minutes", "-1"], "minutes must be a number above 0"),
        ([*RUN, "german_credit", "--steps", "0"], "steps must be at least 1"),
        ([*RUN, "german_credit", "--processes", "0"], "processes must be at least 1"),
        ([*RUN, "german_credit", "--data", "/nowhere"], "there is no folder"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(arguments, message, capsys, out):
    assert main([*arguments, "--out", str(out)]) == 2
    assert message in error_line(capsys)
    assert not out.exists()


def test_a_file_that_is_no_result_is_one_line(capsys, tmp_path):
    odd = tmp_path / "odd.jsonl"
    odd.write_text("hello\n")
    for results in (odd, tmp_path / "absent.jsonl"):
        assert main(["benchmark", "report", str(results), "--out", str(tmp_path / "R.md")]) == 2
        assert str(results) in error_line(capsys)


def test_a_place_that_cannot_be_written_is_one_line_before_anything_runs(capsys, tmp_path, nothing_works):
    (tmp_path / "file").touch()
    assert main([*RUN, "german_credit", "--out", str(tmp_path / "file" / "results.jsonl")]) == 2
    assert str(tmp_path / "file") in error_line(capsys)
    assert nothing_works == []


def test_a_torn_line_is_told(nothing_works, out, capsys):
    out.write_text('{"protocol"')
    main([*RUN, "german_credit", "--out", str(out)])
    assert "counterflownet: note: line 1 of" in capsys.readouterr().err


def test_a_stopped_run_says_how_to_go_on(monkeypatch, out, capsys):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "attempted", stopped)
    assert main([*RUN, "german_credit", "--out", str(out)]) == 130
    assert "the same command goes on" in error_line(capsys)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--help"], ["examples:", "datasets", "benchmark"]),
        (["datasets", "--help"], ["example:", "COUNTERFLOWNET_DATA"]),
        (["benchmark", "run", "--help"], ["examples:", "--retry-failed", "Exit code"]),
        (["benchmark", "report", "--help"], ["example:", "--html"]),
    ],
)
def test_help_teaches_by_example(arguments, parts, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    told = capsys.readouterr().out
    assert stop.value.code == 0
    assert all(part in told for part in parts)


@pytest.mark.parametrize("arguments", [[], ["benchmark"], ["benchmark", "run"], [*RUN, "x", "--instances", "few"]])
def test_a_command_that_is_not_whole_is_refused_with_its_usage(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: counterflownet" in capsys.readouterr().err


def test_as_users_run_it():
    def run(*arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "counterflownet.cli", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603

    assert run("--version").stdout == f"counterflownet {__version__}\n"
    wrong = run(*RUN, "german", "--out", "results.jsonl")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("counterflownet: unknown data set 'german'.")

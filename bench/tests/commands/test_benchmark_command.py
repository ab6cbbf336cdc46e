"""``counterflownet benchmark``, in this process."""

import pytest

from counterflownet.cli import main
from counterflownet_bench.benchmark import runner
from counterflownet_bench.benchmark.cell import failed_result
from counterflownet_bench.benchmark.store import ResultStore

RUN = ["benchmark", "run", "--protocol", "a", "--dataset"]


@pytest.fixture
def nothing_works(monkeypatch) -> list:
    """Every cell fails at once; what was asked is noted."""
    asked = []

    def failing(cells, data):
        asked.append((cells, data))
        return (failed_result(cell, "no\nluck") for cell in cells)

    monkeypatch.setattr(runner, "attempted", failing)
    return asked


def test_a_cell_is_run_reported_and_not_run_again(capsys, out, tmp_path):
    command = [*RUN, "german_credit", "--instances", "4", "--count", "3", "--steps", "1", "--out", str(out)]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "german_credit counterflownet default minimal seed 0: Sparsity " in told
    assert "2 cells run, 0 of them failed, 0 were there already" in told
    assert main(command) == 0
    assert "0 cells run, 0 of them failed, 2 were there already" in capsys.readouterr().out
    page = tmp_path / "REPORT.html"
    assert main(["benchmark", "report", str(out), "--out", str(tmp_path / "REPORT.md"), "--html", str(page)]) == 0
    assert str(page) in capsys.readouterr().out.splitlines()
    assert "counterflownet, default, minimal" in page.read_text(encoding="utf-8")


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
    assert "german_credit counterflownet default minimal seed 0: FAILED: no luck\n" in capsys.readouterr().out
    assert main(command) == 0  # it is there already
    assert main([*command, "--retry-failed"]) == 1
    assert len(ResultStore(out).read().results) == 4


def test_of_all_data_sets_those_that_are_not_here_become_failed_cells(nothing_works, out):
    assert main([*RUN, "all", "--out", str(out)]) == 1
    assert len(ResultStore(out).read().results) == 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*RUN, "german"], "Did you mean 'german_credit'"),
        ([*RUN, "lending_club"], "belongs to protocol b"),
        ([*RUN, "graduate_admission"], "Save https://github.com/isVy08/L2C"),
        ([*RUN, "german_credit", "--method", "dice"], "unknown method 'dice'"),
        ([*RUN, "german_credit", "--instances", "0"], "instances must be at least 1"),
        ([*RUN, "german_credit", "--minutes", "-1"], "minutes must be at least 0.001"),
        ([*RUN, "german_credit", "--steps", "0"], "steps must be at least 1"),
        ([*RUN, "german_credit", "--processes", "0"], "processes must be at least 1"),
        ([*RUN, "german_credit", "--data", "/nowhere"], "there is no folder"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(arguments, message, out, error_line):
    assert main([*arguments, "--out", str(out)]) == 2
    assert message in error_line()
    assert not out.exists()


def test_a_file_that_is_no_result_is_one_line(tmp_path, error_line):
    odd = tmp_path / "odd.jsonl"
    odd.write_text("hello\n")
    for results in (odd, tmp_path / "absent.jsonl"):
        assert main(["benchmark", "report", str(results), "--out", str(tmp_path / "R.md")]) == 2
        assert str(results) in error_line()


def test_a_place_that_cannot_be_written_is_one_line_before_anything_runs(tmp_path, nothing_works, error_line):
    (tmp_path / "file").touch()
    assert main([*RUN, "german_credit", "--out", str(tmp_path / "file" / "results.jsonl")]) == 2
    assert str(tmp_path / "file") in error_line()
    assert nothing_works == []


def test_a_torn_line_is_told(nothing_works, out, capsys):
    out.write_text('{"protocol"')
    main([*RUN, "german_credit", "--out", str(out)])
    assert "counterflownet: note: line 1 of" in capsys.readouterr().err


def test_a_stopped_run_says_how_to_go_on(monkeypatch, out, error_line):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "attempted", stopped)
    assert main([*RUN, "german_credit", "--out", str(out)]) == 130
    assert "the same command goes on" in error_line()

"""The study of proportionality, for real on the smallest data set."""

import pytest

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.studies.proportionality import Question

COMMAND = [
    "study",
    "proportionality",
    "--dataset",
    "graduate_admission_400",
    "--rows",
    "2",
    "--samples",
    "60",
    "--seed",
]


def test_a_study_measures_writes_a_page_and_goes_on_where_it_was(tmp_path, capsys) -> None:
    first = [*COMMAND, "0", "--objective", "detailed", "--steps", "12", "--out", str(tmp_path)]
    assert main(first) == 0
    told = capsys.readouterr().out
    assert told.startswith("graduate_admission_400 detailed 12 steps, seed 0: effective samples ")
    assert "total variation" in told
    (result,) = JsonLines(tmp_path / "proportionality.jsonl").read().lines
    assert result["countable"] == result["rows"] == 2
    assert 0 < result["medians"]["corrected_variation"] < result["medians"]["sampled_variation"]
    assert result["rows_digest"]
    assert main([*COMMAND, "0", "1", "--objective", "detailed", "--steps", "12", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count(": effective samples") == 1  # the first is there already
    page = (tmp_path / "proportionality.md").read_text(encoding="utf-8")
    assert "| detailed | 256 | protocol | 12 | 2 |" in page
    assert "<svg" in (tmp_path / "proportionality_over_time.svg").read_text(encoding="utf-8")


def test_a_question_that_makes_no_sense_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="unknown data set"):
        Question(dataset="titanic", objective="detailed", steps=1)
    with pytest.raises(InvalidInputError, match="steps must be"):
        Question(dataset="german_credit", objective="detailed", steps=0)

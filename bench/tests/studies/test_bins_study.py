"""The study of bins, for real on a few rows of Adult."""

from pathlib import Path
from shutil import copytree

import pytest

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.studies.bins import Question
from counterflownet_bench.studies.bins_page import chapter

COMMAND = ["study", "bins", "--preset", "sparsest", "--steps", "3", "--instances", "6", "--count", "4"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, small_tables):
    out = tmp_path_factory.mktemp("bins")
    assert main([*COMMAND, "--bins", "4", "32", "--out", str(out)]) == 0
    return out


def test_each_number_of_bins_is_a_fit_measured_as_drawn_and_as_selected(folder) -> None:
    results = JsonLines(folder / "bins.jsonl").read().lines
    assert [result["question"]["bins"] for result in results] == [4, 32]
    for result in results:
        assert result["settings"]["bins"]["count"] == result["question"]["bins"]
        assert result["training"]["steps"] == 3
        assert set(result["found"]) == {"raw", "selected"}
        assert {"range", "zscore"} <= set(result["found"]["raw"]["metrics"])
    assert results[0]["found"] != results[1]["found"]


def test_the_same_command_goes_on_where_it_was(folder, tmp_path, small_tables, capsys) -> None:
    folder = Path(copytree(folder, tmp_path / "on"))
    before = (folder / "bins.jsonl").read_bytes()
    assert main([*COMMAND, "--bins", "4", "8", "32", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("adult_protocol_b 8 bins: valid raw ")
    assert told.count(" bins: valid") == 1
    assert (folder / "bins.jsonl").read_bytes().startswith(before)
    page = (folder / "bins.md").read_text(encoding="utf-8")
    assert page.index("| 4 | 0 |") < page.index("| 8 | 0 |") < page.index("| 32 | 0 |")
    assert "![Adult" in page
    drawn = (folder / "bins_adult_protocol_b.svg").read_text(encoding="utf-8")
    assert "(higher is better)" in drawn
    assert "(lower is better)" in drawn


def made_up(bins: int, lof: float, diversity: float) -> dict:
    metrics = {
        "validity": 0.9,
        "proximity_continuous": 0.2,
        "epsilon_sparsity": 0.3,
        "lof": lof,
        "diversity": diversity,
    }
    entry = {"metrics": {"zscore": metrics, "range": metrics}}
    return {
        "question": {"dataset": "adult_protocol_b", "bins": bins, "seed": 0, "count": 10, "preset": "tuned"},
        "found": {"raw": entry, "selected": entry},
        "instances": 200,
        "settings": {"samples": 400, "training": {"steps": 700}},
        "training": {"steps": 700},
        "seconds": 60.0,
    }


def test_what_was_found_is_told_from_the_numbers() -> None:
    told = chapter([made_up(128, 0.1, 0.2), made_up(4, 0.5, 0.1), made_up(16, 0.3, 0.4)]).ours
    assert "90.0 % of the samples are valid as drawn" in told
    assert "log LOF falls from 0.500 with 4 bins to 0.100 with 128;" in told
    assert (
        "diversity rises from 0.100 with 4 bins to 0.200 with 128, not steadily: it is highest with 16 (0.400)" in told
    )
    assert chapter([]).ours == "nothing was measured yet."


def test_a_question_that_makes_no_sense_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="bins must be"):
        Question(bins=1)
    with pytest.raises(InvalidInputError, match="to which german_credit does not belong"):
        Question(dataset="german_credit", bins=4)
    with pytest.raises(InvalidInputError, match="instances must be"):
        Question(bins=4, instances=0)

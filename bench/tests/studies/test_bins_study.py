"""The study of bins, for real on a few rows of Adult."""

from pathlib import Path
from shutil import copytree

import pytest

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.benchmark.provenance import code_digests, commit
from counterflownet_bench.studies.bins import Question
from counterflownet_bench.studies.bins_page import DRAWN, chapter, figure, of_dataset
from counterflownet_bench.studies.made_by import commits_words

COMMAND = ["study", "bins", "--preset", "sparsest", "--steps", "3", "--instances", "6", "--count", "4"]
SEEDS = ["--seed", "0", "1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, small_tables):
    out = tmp_path_factory.mktemp("bins")
    assert main([*COMMAND, *SEEDS, "--bins", "4", "32", "--out", str(out)]) == 0
    return out


def test_each_number_of_bins_is_a_fit_of_every_seed_measured_as_drawn_and_as_selected(folder) -> None:
    results = JsonLines(folder / "bins.jsonl").read().lines
    asked = [(result["question"]["seed"], result["question"]["bins"]) for result in results]
    assert asked == [(0, 4), (0, 32), (1, 4), (1, 32)]
    for result in results:
        assert result["settings"]["bins"]["count"] == result["question"]["bins"]
        assert result["training"]["steps"] == 3
        assert set(result["found"]) == {"raw", "selected"}
        assert {"range", "zscore"} <= set(result["found"]["raw"]["metrics"])
    assert len({str(result["found"]) for result in results}) == 4


def test_every_line_says_by_which_code_and_on_which_rows_it_was_made(folder) -> None:
    results = JsonLines(folder / "bins.jsonl").read().lines
    for result in results:
        assert result["commit"] == commit()
        assert result["code"] == code_digests()
    rows = {result["question"]["seed"]: result["rows_digest"] for result in results}
    assert [result["rows_digest"] for result in results] == [rows[0], rows[0], rows[1], rows[1]]
    assert rows[0] != rows[1]
    page = (folder / "bins.md").read_text(encoding="utf-8")
    assert page.splitlines()[-1] == f"**Made by:** {commits_words(results)}"


def test_the_same_command_goes_on_where_it_was(folder, tmp_path, small_tables, capsys) -> None:
    folder = Path(copytree(folder, tmp_path / "on"))
    before = (folder / "bins.jsonl").read_bytes()
    assert main([*COMMAND, "--seed", "0", "--bins", "4", "8", "32", "--out", str(folder)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("adult_protocol_b 8 bins, seed 0: valid raw ")
    assert told.count(": valid raw") == 1
    assert (folder / "bins.jsonl").read_bytes().startswith(before)
    page = (folder / "bins.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.endswith(" |") and line.startswith(("| 4 ", "| 8 ", "| 32 "))]
    assert [line.split(" | ")[0] for line in lines[:3]] == ["| 4", "| 8", "| 32"]
    assert [line.split(" | ")[-3] for line in lines[:3]] == ["2", "1", "2"]  # seeds
    assert [" ± " in line for line in lines[:3]] == [True, False, True]
    assert "![Adult" in page
    drawn = (folder / "bins_adult_protocol_b.svg").read_text(encoding="utf-8")
    assert "(higher is better)" in drawn
    assert "(lower is better)" in drawn


def made_up(bins: int, lof: float, diversity: float, *, seed: int = 0) -> dict:
    metrics = {
        "validity": 0.9,
        "proximity_continuous": 0.2,
        "epsilon_sparsity": 0.3,
        "lof": lof,
        "diversity": diversity,
    }
    entry = {"metrics": {"zscore": metrics, "range": metrics}}
    return {
        "question": {"dataset": "adult_protocol_b", "bins": bins, "seed": seed, "count": 10, "preset": "tuned"},
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


def test_seeds_are_told_by_their_mean() -> None:
    results = [made_up(4, 0.5, 0.1), made_up(8, 0.1, 0.1), made_up(4, 0.7, 0.1, seed=1), made_up(8, 0.3, 0.1, seed=1)]
    told = chapter(results)
    assert "log LOF falls from 0.600 with 4 bins to 0.200 with 8;" in told.ours
    assert "Measured with 2 seeds on 200 test rows" in told.introduction
    assert "| 0.600 ± 0.141 |" in told.page().markdown()


def test_the_picture_shows_means_and_the_spread_of_seeds() -> None:
    own = of_dataset([made_up(4, 0.5, 0.1), made_up(4, 0.7, 0.1, seed=1), made_up(8, 0.1, 0.1)], "adult_protocol_b")
    raw = figure(own).axes[DRAWN.index("lof")].containers[0]
    assert raw[0].get_ydata() == pytest.approx([0.6, 0.1])
    several, one = raw[2][0].get_segments()
    assert several[:, 1] == pytest.approx([0.6 - 0.02**0.5, 0.6 + 0.02**0.5])
    assert not one.size  # nobody knows the spread of one seed


def test_a_question_that_makes_no_sense_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="bins must be"):
        Question(bins=1)
    with pytest.raises(InvalidInputError, match="to which german_credit does not belong"):
        Question(dataset="german_credit", bins=4)
    with pytest.raises(InvalidInputError, match="instances must be"):
        Question(bins=4, instances=0)

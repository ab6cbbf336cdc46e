"""The study of weights, for real on a few rows of Adult; who beats whom on numbers that are known."""

import pytest
from made_up_others import write_others

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.studies.points import Point
from counterflownet_bench.studies.weights import STUDY, Question
from counterflownet_bench.studies.weights_page import Measured, chapter, figure

COMMAND = [
    "study",
    "weights",
    "--preset",
    "sparsest",
    "--steps",
    "3",
    "--instances",
    "6",
    "--count",
    "4",
    "--plausibility",
    "0",
    "--seed",
]


def test_a_grid_is_measured_beside_other_methods_and_gone_on_with(tmp_path, small_tables, capsys) -> None:
    file = write_others(tmp_path / "results.jsonl", {("dice-kdtree", "raw"): {"age": 9}})
    out = ["--results", str(file), "--out", str(tmp_path / "out")]
    assert main([*COMMAND, "0", "--proximity", "0.4", *out]) == 0
    assert main([*COMMAND, "0", "1", "--proximity", "0", "0.4", *out]) == 0
    told = capsys.readouterr().out
    assert told.count("adult_protocol_b plausibility 0 proximity 0.4, seed 0: valid") == 1
    results = STUDY.results(tmp_path / "out")
    weights = [result["settings"]["weights"] for result in results if "settings" in result]
    assert weights == [
        {"validity": 1.0, "proximity": proximity, "plausibility": 0.0, "sparsity": 0.4}
        for proximity in (0.4, 0.0, 0.0, 0.4)
    ]
    assert [result["question"].get("method") for result in results if "settings" not in result] == ["dice-kdtree"]
    page = (tmp_path / "out" / "weights.md").read_text(encoding="utf-8")
    assert "| dice-kdtree | 1.000 | 0.500 |" in page
    assert page.count("| plausibility 0, proximity 0 |") == 4  # tables: both seeds are one line
    assert page.index("plausibility 0, proximity 0 |") < page.index("plausibility 0, proximity 0.4 |")
    drawn = (tmp_path / "out" / "weights_adult_protocol_b.svg").read_text(encoding="utf-8")
    assert "dice-kdtree" in drawn
    assert "#0072b2" in drawn


def made_up(plausibility: float, proximity: float, *, distance: float, lof: float, seed: int = 0) -> dict:
    numbers = {"proximity_continuous": distance, "lof": lof, "diversity": 0.3, "epsilon_sparsity": 0.3}
    entry = {"metrics": {"zscore": numbers, "range": numbers}}
    told = {"dataset": "adult_protocol_b", "seed": seed, "count": 10, "preset": "tuned", "sparsity": 0.4}
    return {
        "question": told | {"plausibility": plausibility, "proximity": proximity},
        "found": {"raw": entry, "selected": entry},
        "instances": 200,
        "settings": {"samples": 400, "training": {"steps": 700}},
        "training": {"steps": 700},
    }


def made_up_other(*, distance: float, lof: float, seed: int = 0, method: str = "cchvae") -> dict:
    told = {"dataset": "adult_protocol_b", "method": method, "preset": "tuned", "selection": "raw", "seed": seed}
    return made_up(0, 0, distance=distance, lof=lof)["found"]["raw"] | {"question": told}


def test_what_was_found_is_told_from_the_numbers() -> None:
    grid = [
        made_up(0.0, 0.0, distance=0.4, lof=0.3),
        made_up(0.8, 0.0, distance=0.6, lof=0.1),
        made_up(0.0, 0.8, distance=0.2, lof=0.3),
        made_up(0.8, 0.8, distance=0.4, lof=0.1),
    ]
    other = made_up_other(distance=0.5, lof=0.2)
    told = chapter([*grid, other]).ours
    assert (
        "plausibility of 0.8 instead of 0 takes log LOF from 0.300 to 0.100, the distance of numbers from 0.300" in told
    )
    assert "in Prox.-Cont. and log LOF 0 of 4 settings are beaten by another method and cchvae by ours" in told
    assert "cchvae" not in chapter(grid).ours
    assert chapter([other]).ours == "nothing was measured yet."


def test_seeds_of_a_setting_and_of_another_method_are_one_point_at_their_mean() -> None:
    ours = [made_up(0.4, 0.4, distance=value, lof=value, seed=seed) for seed, value in enumerate((0.1, 0.5))]
    # The mean of ours, 0.3, is beaten by the mean of this one, 0.2, though a seed of ours beats all of its seeds.
    other = [made_up_other(distance=value, lof=value, seed=seed) for seed, value in enumerate((0.2, 0.15, 0.25))]
    told = chapter([*ours, *other])
    assert "in Prox.-Cont. and log LOF 1 of 1 settings are beaten by another method and no other method by ours" in (
        told.ours
    )
    page = told.page().markdown()
    assert "| plausibility 0.4, proximity 0.4 | n/a | 0.300 ± 0.283 |" in page
    assert "| cchvae | n/a | 0.200 ± 0.050 |" in page
    assert "| 2 | 700 |" in page
    assert "| 3 |  |" in page
    own = Measured.of([*ours, *other], "adult_protocol_b")
    assert [len(line.get_xdata()) for line in figure(own).axes[0].lines] == [1]
    assert len(figure(own).axes[0].collections) == 2  # ours and the other method


def test_to_beat_is_to_be_nowhere_worse_and_somewhere_better() -> None:
    def point(lof: float, diversity: float) -> Point:
        return Point("", ({"zscore": {"lof": lof, "diversity": diversity}},))

    measures = ("lof", "diversity")  # one is better low, the other high
    assert point(0.1, 0.3).beats(point(0.2, 0.3), measures)
    assert point(0.1, 0.4).beats(point(0.1, 0.3), measures)
    assert not point(0.1, 0.3).beats(point(0.1, 0.3), measures)
    assert not point(0.1, 0.2).beats(point(0.2, 0.3), measures)
    assert not point(0.1, 0.2).beats(Point("", ({},)), measures)


def test_a_question_that_makes_no_sense_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="plausibility must be between 0 and 1"):
        Question(plausibility=2.0, proximity=0.0)

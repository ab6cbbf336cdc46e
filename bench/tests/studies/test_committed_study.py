"""The study of proportionality in the repository: complete, and told by its page as it is."""

from pathlib import Path

import pytest

from counterflownet import OBJECTIVES
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.studies.proportionality_page import WIDTH, chapter, found

FOLDER = Path(__file__).parents[2] / "studies"
DATASETS = {"graduate_admission", "german_credit", "adult_protocol_a", "adult_protocol_b", "bank_marketing"}


@pytest.fixture(scope="module")
def results():
    return JsonLines(FOLDER / "proportionality.jsonl").read().lines


def test_every_data_set_was_asked_about_every_objective(results) -> None:
    asked = {(result["question"]["dataset"], result["question"]["objective"]) for result in results}
    assert asked == {(dataset, objective) for dataset in DATASETS for objective in OBJECTIVES}


def test_the_page_tells_the_results_as_they_are(results) -> None:
    told = (FOLDER / "proportionality.md").read_text(encoding="utf-8")
    assert told == chapter(results).page().markdown(picture_prefix="proportionality_")


def measured(steps: int, distance: float | None, **asked):
    question = {"dataset": "graduate_admission", "objective": "subtrajectory", "constraints": "protocol"}
    medians = {"total_variation": distance, "corrected_variation": 0.2, "noise_floor": 0.1}
    return {"question": question | {"steps": steps, "width": WIDTH} | asked, "medians": medians}


@pytest.mark.parametrize(("distance", "word"), [(0.1, "met"), (0.101, "missed")])
def test_the_page_says_whether_the_policy_came_near_enough(distance, word) -> None:
    assert f"at most 0.10 is wanted: {word}" in found([measured(9, distance), measured(5, 0.9)])


def test_the_page_says_whether_longer_training_brings_samples_nearer() -> None:
    falling = found([measured(5, 0.5), measured(9, 0.3)])
    assert "total variation falls from 0.500 with 5 steps to 0.300 with 9" in falling
    assert "corrected samples show 0.200 and perfect ones would 0.100" in falling
    assert "total variation rises from 0.300" in found([measured(5, 0.3), measured(9, 0.5)])
    assert "total variation falls" not in found([measured(5, 0.5, constraints="none")])


def test_without_an_exact_distribution_the_page_claims_nothing() -> None:
    assert found([measured(5, None)]) == "nothing was measured yet."

"""The study of proportionality in the repository: complete, and told by its page as it is."""

from pathlib import Path

import pytest

from counterflownet import OBJECTIVES
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.studies.proportionality import STUDY
from counterflownet_bench.studies.proportionality_page import WIDTH, chapter, figure, found
from counterflownet_bench.studies.seeds import settings_of

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
    assert told == STUDY.told(results).page().markdown(picture_prefix="proportionality_")


def measured(steps: int, distance: float | None, **asked):
    question = {"dataset": "graduate_admission", "objective": "subtrajectory", "constraints": "protocol", "seed": 0}
    medians = {"total_variation": distance, "corrected_variation": 0.2, "noise_floor": 0.1}
    medians |= {"sampled_variation": None, "effective_share": 0.5, "spread": 1.0, "rank_correlation": 0.5}
    question |= {"steps": steps, "width": WIDTH} | asked
    return {"question": question, "medians": medians, "processor_seconds": 60.0, "reward": 0.5}


@pytest.mark.parametrize(("distance", "word"), [(0.1, "met"), (0.101, "missed")])
def test_the_page_says_whether_the_policy_came_near_enough(distance, word) -> None:
    assert f"at most 0.10 is wanted: {word}" in found([measured(9, distance), measured(5, 0.9)])


def test_the_page_says_whether_longer_training_brings_samples_nearer() -> None:
    falling = found([measured(5, 0.5), measured(9, 0.3)])
    assert "total variation falls from 0.500 with 5 steps to 0.300 with 9" in falling
    assert "corrected samples show 0.200 and perfect ones would 0.100" in falling
    assert "total variation rises from 0.300" in found([measured(5, 0.3), measured(9, 0.5)])
    assert "total variation falls" not in found([measured(5, 0.5, constraints="none")])


def test_seeds_are_told_by_their_mean() -> None:
    results = [measured(9, 0.02), measured(5, 0.15), measured(9, 0.38, seed=1), measured(5, 0.16, seed=1)]
    told = chapter(results)
    assert "as near as a total variation of 0.155" in told.ours  # not 0.02, which one seed shows
    assert "5 steps, constraints: protocol, 2 seeds)" in told.ours
    assert "total variation rises from 0.155 with 5 steps to 0.200 with 9" in told.ours
    page = told.page().markdown()
    assert "| subtrajectory | 256 | protocol | 9 | 2 | 1.0 | 0.200 ± 0.255 |" in page
    drawn = figure(settings_of(results)).axes[1].lines[-1]
    assert drawn.get_ydata() == pytest.approx([0.155, 0.2])


def test_without_an_exact_distribution_the_page_claims_nothing() -> None:
    assert found([measured(5, None)]) == "nothing was measured yet."

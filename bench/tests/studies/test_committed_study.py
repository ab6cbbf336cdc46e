"""The study in the repository: told by its page as it is, and within what was promised."""

from pathlib import Path

import pytest

from counterflownet_bench.studies.lines import Lines
from counterflownet_bench.studies.proportionality import OBJECTIVES, WIDTH
from counterflownet_bench.studies.proportionality_page import chapter

FOLDER = Path(__file__).parents[2] / "studies"
DATASETS = {"graduate_admission", "german_credit", "adult_protocol_a", "adult_protocol_b", "bank_marketing"}


@pytest.fixture(scope="module")
def results():
    return Lines(FOLDER / "proportionality.jsonl").read()


def test_every_data_set_was_asked_about_every_objective(results) -> None:
    asked = {(result["question"]["dataset"], result["question"]["objective"]) for result in results}
    assert asked == {(dataset, objective) for dataset in DATASETS for objective in OBJECTIVES}


def test_the_page_tells_the_results_as_they_are(results) -> None:
    told = (FOLDER / "proportionality.md").read_text(encoding="utf-8")
    assert told == chapter(results).page().markdown(picture_prefix="proportionality_")


def counted(results, objective: str, constraints: str) -> list[dict]:
    """The runs on the table whose states can all be visited, with the network that all objectives have."""
    wanted = {"dataset": "graduate_admission", "objective": objective, "constraints": constraints, "width": WIDTH}
    found = [r for r in results if wanted.items() <= r["question"].items()]
    assert all(r["countable"] == r["rows"] for r in found)
    return found


def test_on_the_whole_countable_space_the_policy_is_within_a_tenth_of_the_exact_distribution(results) -> None:
    longest = max(counted(results, "stateflow", "none"), key=lambda r: r["question"]["steps"])
    assert longest["medians"]["total_variation"] <= 0.10


def test_on_a_countable_table_training_brings_the_sampler_nearer_and_corrected_samples_are_at_the_floor(
    results,
) -> None:
    default = counted(results, "subtrajectory", "protocol")
    distances = [r["medians"]["total_variation"] for r in sorted(default, key=lambda r: r["question"]["steps"])]
    assert len(distances) >= 3
    assert distances == sorted(distances, reverse=True)
    longest = max(default, key=lambda r: r["question"]["steps"])["medians"]
    assert longest["corrected_variation"] <= 1.02 * longest["noise_floor"]

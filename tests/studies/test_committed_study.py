"""The study in the repository: told by its page as it is, and within what was promised."""

from pathlib import Path

import pytest

from counterflownet.studies.lines import Lines
from counterflownet.studies.proportionality import OBJECTIVES
from counterflownet.studies.proportionality_page import page

FOLDER = Path(__file__).parents[2] / "docs" / "studies"
DATASETS = {"graduate_admission", "german_credit", "adult_protocol_a", "adult_protocol_b", "bank_marketing"}


@pytest.fixture(scope="module")
def results():
    return Lines(FOLDER / "proportionality.jsonl").read()


def test_every_data_set_was_asked_about_every_objective(results) -> None:
    asked = {(result["question"]["dataset"], result["question"]["objective"]) for result in results}
    assert asked == {(dataset, objective) for dataset in DATASETS for objective in OBJECTIVES}


def test_the_page_tells_the_results_as_they_are(results) -> None:
    told = (FOLDER / "proportionality.md").read_text(encoding="utf-8")
    assert told == page(results).markdown(picture_prefix="proportionality_")


def test_on_a_countable_table_training_brings_the_sampler_nearer_and_corrected_samples_are_at_the_floor(
    results,
) -> None:
    own = [r for r in results if r["question"]["dataset"] == "graduate_admission" and r["countable"] == r["rows"]]
    default = [r for r in own if r["question"]["objective"] == "subtrajectory"]
    distances = [r["medians"]["total_variation"] for r in sorted(default, key=lambda r: r["question"]["steps"])]
    assert len(distances) >= 3
    assert distances == sorted(distances, reverse=True)
    longest = max(default, key=lambda r: r["question"]["steps"])["medians"]
    assert longest["corrected_variation"] <= 1.02 * longest["noise_floor"]

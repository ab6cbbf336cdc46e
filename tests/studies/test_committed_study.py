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


def test_on_a_countable_table_the_default_objective_is_near_and_corrected_samples_are_at_the_floor(results) -> None:
    longest = max(
        (r for r in results if r["question"]["dataset"] == "graduate_admission" and r["countable"] == r["rows"]),
        key=lambda result: result["question"]["steps"],
    )
    found = longest["medians"]
    assert longest["question"]["objective"] == "subtrajectory"
    assert found["total_variation"] <= 0.10
    assert found["corrected_variation"] <= 1.02 * found["noise_floor"]

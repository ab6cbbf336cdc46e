"""A damaged file is an error of ours or gives the same answers; docs/attacks/files.json tells of thousands."""

import json
from pathlib import Path

import pytest
from damage import ACCIDENTS, FORGED
from damaged_files import FILES, OTHER, SAME, outcomes

FIGURES = Path(__file__).parents[2] / "docs" / "attacks" / "files.json"


@pytest.mark.parametrize("damage", ACCIDENTS)
@pytest.mark.parametrize("file", FILES)
def test_an_accident_is_an_error_of_ours_or_changes_nothing(file, damage) -> None:
    told = outcomes(file, ACCIDENTS[damage], count=20, seed=1)
    assert set(told) <= {"SavedFileError", SAME}
    assert told["SavedFileError"] >= 15


@pytest.mark.parametrize("damage", FORGED)
@pytest.mark.parametrize("file", FILES)
def test_a_forgery_is_an_error_of_ours_or_another_file(file, damage) -> None:
    told = outcomes(file, FORGED[damage], count=20, seed=1)
    assert set(told) <= {"SavedFileError", "ClassifierError", "TrainingError", SAME, OTHER}
    assert told["SavedFileError"] >= 5


def test_the_committed_figures_are_of_a_thousand_files_of_each_kind_and_none_misled() -> None:
    told = json.loads(FIGURES.read_text())
    assert (told["files_of_each_kind"], told["silent_differences"], told["errors_not_ours"]) == (1000, 0, 0)
    for kinds, damages in (("accidents", ACCIDENTS), ("forgeries", FORGED)):
        for file in FILES:
            assert {name: sum(counted.values()) for name, counted in told[kinds][file].items()} == dict.fromkeys(
                damages, 1000
            )

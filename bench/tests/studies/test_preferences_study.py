"""The study of preferences, for real on a few rows of Adult; what its page says of numbers that are known."""

import pytest
from made_up_others import NUMBERS, write_others

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.studies.preferences import STUDY, Question, questions
from counterflownet_bench.studies.preferences_page import PREFERENCES, chapter

COMMAND = ["study", "preferences", "--preset", "sparsest", "--steps", "3", "--instances", "4", "--count", "3"]


def test_one_fit_is_asked_under_all_preferences_and_a_dedicated_one_under_its_own(
    tmp_path, small_tables, capsys
) -> None:
    for seed in (0, 1):
        file = write_others(tmp_path / "results.jsonl", {("dice-kdtree", "raw"): {"age": 9}}, seed=seed)
    out = ["--dataset", "adult_protocol_b", "--results", str(file), "--out", str(tmp_path / "out")]
    assert main([*COMMAND, "--seed", "3", "--fit", "one", "any", "near", *out]) == 0
    assert "adult_protocol_b fit for any, seed 3: few changes: log LOF" in capsys.readouterr().out
    one, any_of, near = (result for result in STUDY.results(tmp_path / "out") if "settings" in result)
    assert list(one["found"]) == list(any_of["found"]) == list(PREFERENCES)
    assert any_of["settings"]["training"]["preferences"] is True
    assert not one["settings"]["training"].get("preferences")
    assert one["settings"]["weights"] == any_of["settings"]["weights"] != near["settings"]["weights"]
    assert list(near["found"]) == ["near"]
    assert near["settings"]["weights"] == PREFERENCES["near"]
    page = (tmp_path / "out" / "preferences.md").read_text(encoding="utf-8")
    assert "| near | the usual one |" in page
    assert "| near | any preference |" in page
    assert "| near | this one |" in page
    assert page.count("| dice-kdtree |") == 2  # tables: both seeds are one line
    assert "Measured with seed 3 alone on" in page
    assert "dice-kdtree" in (tmp_path / "out" / "preferences_adult_protocol_b.svg").read_text(encoding="utf-8")


def made_up(fit: str, *, seed: int = 0, **distance: float) -> dict:
    def entry(value: float) -> dict:
        metrics = {"metrics": {"zscore": NUMBERS | {"proximity_continuous": value}}}
        return {"raw": metrics, "selected": metrics}

    told = {"dataset": "adult_protocol_b", "seed": seed, "count": 10, "preset": "tuned", "fit": fit}
    settings = {"samples": 400, "training": {"steps": 700}}
    found = {name: entry(value) for name, value in distance.items()}
    return {"question": told, "found": found, "instances": 200, "settings": settings}


def test_what_was_found_is_told_from_the_numbers() -> None:
    fits = [made_up("one", near=0.25, usual=0.75), made_up("any", near=0.3), made_up("near", near=0.2)]
    told = chapter(fits).ours
    assert "near gives Prox.-Cont. 0.250 (any preference 0.300, its own fit 0.200)" in told
    assert "usual gives log LOF 0.500" in told
    assert chapter([]).ours == "nothing was measured yet."


def test_seeds_of_a_fit_are_told_by_their_mean() -> None:
    told = chapter([made_up("one", near=0.25), made_up("near", near=0.1), made_up("one", seed=1, near=0.35)])
    assert "near gives Prox.-Cont. 0.300 (its own fit 0.100)" in told.ours
    assert "Measured with 1 or 2 seeds on 200 test rows" in told.introduction
    page = told.page().markdown()
    assert "| near | the usual one | 1.000 ± 0.000 | 0.300 ± 0.071 |" in page
    assert page.count("| near | the usual one |") == 2  # tables


def test_every_seed_is_asked_about_every_fit() -> None:
    asked = questions(["adult_protocol_b"], [0, 1], ["one", "near"])
    assert [(question.seed, question.fit) for question in asked] == [(0, "one"), (0, "near"), (1, "one"), (1, "near")]


def test_a_fit_for_an_unknown_preference_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match=r"unknown fit 'nearest'. Did you mean 'near'"):
        Question(fit="nearest")

"""Results that differ by the seed alone are one setting."""

from argparse import ArgumentParser
from dataclasses import asdict

import pytest

from counterflownet_bench.commands.study_options import COMMANDS
from counterflownet_bench.studies.seeds import mean_of, seeds_words, settings_of

OPTIONS = {
    "bins": [],
    "constraints": [],
    "weights": [],
    "preferences": [],
    "proportionality": ["--dataset", "bank_marketing"],
}


def result(seed: int, *, bins: int = 4, lof: float | None = 0.1) -> dict:
    return {"question": {"dataset": "a", "bins": bins, "seed": seed}, "found": {"raw": {"lof": lof, "diversity": 1}}}


def test_a_setting_has_the_results_that_differ_by_the_seed_alone() -> None:
    four, eight = settings_of([result(2), result(0, bins=8), result(0), result(1)])
    assert four.question == {"dataset": "a", "bins": 4}
    assert four.seeds == (0, 1, 2)
    assert (eight.question["bins"], eight.seeds) == (8, (0,))


def test_the_order_in_which_a_question_was_written_does_not_matter() -> None:
    turned = {"question": {"seed": 1, "bins": 4, "dataset": "a"}}
    assert len(settings_of([result(0), turned])) == 1


def test_means_are_entry_by_entry_over_the_seeds_that_know() -> None:
    (setting,) = settings_of([result(0, lof=0.2), result(1, lof=None), result(2, lof=0.4)])
    assert setting.mean("found", "raw") == {"lof": 0.30000000000000004, "diversity": 1.0}
    assert setting.each("found", "raw", "lof") == [0.2, None, 0.4]


def test_where_nothing_is_known_the_mean_is_none() -> None:
    assert mean_of([None, None]) is None
    assert mean_of([{"a": {"b": None}}, {"a": {"b": None}, "c": 2}]) == {"a": {"b": None}, "c": 2.0}
    assert mean_of([None, {"a": 1}]) == {"a": 1.0}


def test_words_say_how_many_seeds_there_are() -> None:
    assert seeds_words([result(3), result(3, bins=8)]) == "seed 3 alone"
    assert seeds_words([result(0), result(1, bins=8)]) == "1 seed"
    assert seeds_words([result(0), result(1), result(2)]) == "3 seeds"
    assert seeds_words([result(0), result(0, bins=8), result(1)]) == "1 or 2 seeds"


def asked(name: str, *options: str) -> list:
    (command,) = (command for command in COMMANDS if command.study.name == name)
    parser = ArgumentParser()
    command.options(parser)
    return list(command.questions(parser.parse_args([*OPTIONS[name], *options])))


@pytest.mark.parametrize("name", OPTIONS)
def test_every_seed_is_asked_the_same_one_after_the_other(name) -> None:
    questions = asked(name)
    datasets = dict.fromkeys(question.dataset for question in questions)
    for dataset in datasets:
        seeds = [question.seed for question in questions if question.dataset == dataset]
        assert seeds == sorted(seeds)
        assert set(seeds) == {0, 1, 2}
    settings = settings_of([{"question": asdict(question)} for question in questions])
    assert {setting.seeds for setting in settings} == {(0, 1, 2)}
    assert {question.seed for question in asked(name, "--seed", "4", "7")} == {4, 7}

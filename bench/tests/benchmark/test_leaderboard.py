"""The leaderboard: one line for each method, from result lines alone."""

import importlib.util
from pathlib import Path

import pytest
from made_up_results import MIXED, made_up

from counterflownet_bench.benchmark.cell import Cell
from counterflownet_bench.benchmark.document import Document
from counterflownet_bench.benchmark.leaderboard import ABSENT, MEASURES, board

BENCH = Path(__file__).parents[2]


def of(method, *, dataset="adult_protocol_b", seed=0, answers=500, extra=None, **values):
    cell = Cell(protocol="b", dataset=dataset, method=method, selection="raw", instances=50, seed=seed)
    metrics = {"range": MIXED, "zscore": MIXED | values} | (extra or {})
    return made_up(cell, **metrics) | {"answers": answers}


def shown(*results) -> list[list[str]]:
    """The cells of the table of all data sets, without the marks of the best."""
    text = Document(board(results, "b")).markdown()
    lines = text[: text.index("###")].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]


def value(title: str, result) -> float | None:
    return next(each for each in MEASURES["b"] if each.title == title).value(result)


def test_a_method_has_one_line_with_the_mean_over_seeds_and_then_over_data_sets() -> None:
    results = [of("mcce", seed=0, lof=0.1), of("mcce", seed=1, lof=0.3), of("mcce", dataset="lending_club", lof=1.2)]
    lines = {line[0]: line for line in shown(*results, of("face", lof=0.1))}
    assert lines["mcce"][1] == "2 of 2"
    assert lines["mcce"][7] == "0.700"
    assert lines["face"][1] == "1 of 2"


def test_the_most_valid_comes_first_and_of_equals_the_quickest() -> None:
    slow, quick, worse = (of("face", answers=10), of("nice", answers=500), of("mcce", validity=0.1))
    assert [line[0] for line in shown(slow, worse, quick)] == ["nice", "face", "mcce"]


def test_an_answer_costs_its_share_of_the_time_of_the_run() -> None:
    assert value("Milliseconds for an answer", of("face", answers=500)) == pytest.approx(4.0)
    assert value("Milliseconds for an answer", of("face", answers=0)) is None
    assert value("Minutes to fit", of("face")) == pytest.approx(0.2)
    assert value("Calls for an answer", of("face") | {"calls": 1_500}) == pytest.approx(3.0)


def test_whoever_gives_fewer_answers_may_be_right_in_all_of_them() -> None:
    found = of("face", validity=0.5, extra={"validity_returned": 1.0})
    assert (value("Valid %", found), value("Valid of given %", found)) == (50.0, 100.0)


def test_what_no_line_has_is_said_to_be_missing_and_never_filled() -> None:
    results = [of("face"), of("nice")]
    text = Document(board(results, "b")).markdown()
    assert "Not measured in any result, and shown as n/a: Tight %, Strategies, Calls for an answer." in text
    assert all(line[4] == line[9] == line[12] == ABSENT for line in shown(*results))
    tight = Document(board([of("face", extra={"tightness": 0.75}), of("nice")], "b")).markdown()
    assert "75.00" in tight
    assert "shown as n/a: Strategies," in tight


def test_methods_that_were_not_run_are_named() -> None:
    text = Document(board([of("face"), of("nice")], "b")).markdown()
    assert "Not run: counterflownet, l2c," in text
    assert "Not run: face" not in text


def test_the_best_is_marked_among_those_on_all_data_sets() -> None:
    some = [of("face", lof=0.1), of("mcce", lof=0.3), of("mcce", dataset="lending_club", lof=0.3)]
    text = Document(board([*some, of("nice", lof=0.4), of("nice", dataset="lending_club", lof=0.4)], "b")).markdown()
    whole = text[: text.index("###")]
    assert "**0.300**" in whole
    assert "**0.100**" not in whole


def test_without_results_nothing_is_said_to_be_known() -> None:
    assert "Nothing was run yet." in Document(board([], "b")).markdown()


def test_the_page_is_what_its_script_makes_of_the_results() -> None:
    spec = importlib.util.spec_from_file_location("leaderboard", BENCH / "scripts" / "leaderboard.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.PAGE.read_text(encoding="utf-8") == script.page()

"""What the report says of the paper's readings, of our settings and of the bound follows from the lines."""

import pytest
from made_up_results import made_up

from counterflownet_bench.benchmark.bound import bounds
from counterflownet_bench.benchmark.cell import Cell
from counterflownet_bench.benchmark.columns import TABLES
from counterflownet_bench.benchmark.comparison import HEADLINE, TUNED, compared_variant, sentences
from counterflownet_bench.benchmark.document import Paragraph, Table
from counterflownet_bench.benchmark.paper import published_rows
from counterflownet_bench.benchmark.readings import reading_blocks
from counterflownet_bench.benchmark.report import BOUND, metric_table
from counterflownet_bench.benchmark.settings_facts import settings_table
from counterflownet_bench.benchmark.summary import Summary

GERMAN = "german_credit"
CFN = published_rows("a", GERMAN)["CFN"]


def of(preset, selection="raw", *, steps=None, method="counterflownet", dataset=GERMAN, **metrics):
    cell = Cell(protocol="a", dataset=dataset, method=method, preset=preset, selection=selection, steps=steps)
    return made_up(cell, **metrics)


def test_distances_to_the_paper_are_those_of_the_lines_and_the_nearest_is_named():
    near = dict(CFN) | {"sparsity": CFN["sparsity"] + 1.5}
    results = [of("paper", steps=200), of("paper-reassign", steps=200, **near)]
    table, told = reading_blocks(Summary(results, "a"))[-3:-1]
    assert isinstance(table, Table)
    (line,) = [row for row in table.rows if "reassign" in str(row[0])]
    assert line[1:3] == ["+1.50", "+0.00"]
    assert isinstance(told, Paragraph)
    assert "counterflownet, paper-reassign, raw, at most 200 steps (1 seed) is nearest" in told.text


def test_one_reading_alone_is_nearest_to_nothing():
    assert "Too few readings" in reading_blocks(Summary([of("paper")], "a"))[-2].text
    assert reading_blocks(Summary([of("tuned")], "a")) == []


def test_the_reading_that_explains_the_paper_best_is_so_on_all_tables_that_several_were_run_on():
    student = "student_performance"
    others = published_rows("a", student)["CFN"]
    away = {"near": 0.0, "far": 12.0}
    results = [
        of("paper-reassign", **dict(CFN) | {"sparsity": CFN["sparsity"] + away["far"]}),
        of("paper-reassign", dataset=student, **others),
        of("paper-power", **dict(CFN) | {"sparsity": CFN["sparsity"] + away["near"]}),
        of("paper-power", dataset=student, **dict(others) | {"sparsity": others["sparsity"] + 18.0}),
        of("paper-zscore", **CFN),  # the nearest of all where it was run, but it was run on one table only
    ]
    told = reading_blocks(Summary(results, "a"))[-1].text
    assert "on the 2 tables on which each of 2 readings was run" in told
    assert "counterflownet, paper-reassign, raw explains the paper best: 1 away" in told
    assert "(counterflownet, paper-power, raw 1.5)" in told
    alone = reading_blocks(Summary([*results[:2], results[-1]], "a"))[-1].text
    assert alone.startswith("No two readings were run on the same two tables")


def test_readings_of_protocol_b_are_compared_under_both_conventions():
    cell = Cell(protocol="b", dataset="bank_marketing", method="counterflownet", preset="paper", selection="raw")
    titles = [block.text for block in reading_blocks(Summary([made_up(cell)], "b")) if isinstance(block, Paragraph)]
    assert sum("convention `zscore`" in text for text in titles) == 1
    assert sum("convention `range`" in text for text in titles) == 1


def test_results_of_what_was_called_paper_before_are_no_readings():
    old = of("paper")
    old["settings"] = {"training": {"steps": 200}}
    assert reading_blocks(Summary([old], "a")) == []


def test_every_setting_that_differs_from_the_defaults_is_listed_and_defaults_are_called_so():
    rows = {row[0]: row[2] for row in settings_table(Summary([of("tuned"), of("default", "minimal")], "a")).rows}
    assert rows["default"] == "nothing: these are the defaults"
    assert "weights.sparsity 0.01 (0.2)" in rows["tuned"]
    assert "training.objective detailed (subtrajectory)" in rows["tuned"]
    assert "weights.validity" not in rows["tuned"]


def test_what_users_get_is_compared_and_the_tuned_variant_only_where_that_was_not_run():
    other = of("tuned", method="mcce")
    assert compared_variant(Summary([of("tuned", "selected"), other], "a"), GERMAN) == TUNED
    assert (
        compared_variant(Summary([of("tuned", "selected"), of("default", "minimal"), other], "a"), GERMAN) == HEADLINE
    )
    told = sentences(Summary([of("tuned", "selected"), other], "a"), GERMAN, TABLES["a"][0])
    assert told.startswith("What users get without settings (counterflownet, default, minimal) was not run on these")


@pytest.mark.parametrize("mean", [10.0, 99.0])
def test_the_bound_stands_below_the_methods_and_is_never_the_best(mean):
    table = metric_table(Summary([of("tuned", harmonic_mean=mean)], "a"), GERMAN, TABLES["a"][0].columns)
    *_, last = table.rows
    assert last[0] == BOUND
    (shown,) = [cell for cell in last[1:] if getattr(cell, "text", "")]
    assert (shown.text, shown.best) == (f"{bounds()[GERMAN]:.2f}", False)


def test_a_reading_is_missing_nowhere_but_the_formulas_are():
    summary = Summary([of("paper-exact"), of("paper")], "a")
    assert {entry.variant.preset for entry in summary.on("student_performance")} == {"paper"}
    assert {hole.variant.preset for hole in summary.holes} == {"paper"}

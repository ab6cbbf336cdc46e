"""The results in the repository: whole, comparable with each other, and told by the report as they are.

How well a method does is the report's to say. No test here fails because of a number that we would like to be better.
"""

import re
from pathlib import Path

import pytest

from counterflownet_bench.benchmark.comparison import verdict_table
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.benchmark.methods import ENDLESS, OURS
from counterflownet_bench.benchmark.report import report
from counterflownet_bench.benchmark.store import Stored, read_all
from counterflownet_bench.benchmark.summary import Summary
from counterflownet_bench.datasets import protocol_names

COMPARED = {
    "a": {"l2c", "dice-random", "dice-genetic", "copa", "mcce"},
    "b": {"dice-kdtree", "cchvae", "dicoflex"},
}
BENCH = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def stored():
    return read_all([BENCH / "results" / f"protocol_{name}.jsonl" for name in "ab"])


@pytest.fixture(scope="module")
def field():
    return read_all([BENCH / "results" / "field_b.jsonl"])


@pytest.fixture(scope="module")
def readings():
    return read_all([BENCH / "results" / "readings_a.jsonl"])


@pytest.fixture(scope="module")
def compared():
    return read_all([BENCH / "results" / f"comparison_{name}.jsonl" for name in "ab"])


def test_no_line_is_torn(stored, compared, field, readings) -> None:
    assert stored.notes == compared.notes == field.notes == readings.notes == ()


def test_lines_of_the_field_and_of_readings_say_by_which_code_and_on_which_rows_they_were_made(field, readings) -> None:
    for result in (*field.results, *readings.results):
        assert set(result["code"]) == {"library", "bench", "paper"}
        assert re.fullmatch(r"[0-9a-f]{40}", result["commit"])  # a plus sign would say: with changes nobody can see
        if "error" not in result:
            assert result["rows"]
            assert {"tightness", "strategies"} <= set(result["metrics"])
            assert result["calls"] >= 0


def test_methods_of_the_field_explain_the_same_rows(field) -> None:
    answered = [result for result in field.results if "error" not in result]
    rows = {(result["dataset"], result["seed"], result["rows"]) for result in answered}
    assert len(rows) == len({(result["dataset"], result["seed"]) for result in answered})


def test_our_answers_keep_what_the_library_promises(stored, compared, field) -> None:
    """This is no measure of how good they are: a chosen answer that is invalid or breaks a constraint is a fault."""
    everything = (*stored.results, *compared.results, *field.results)
    ours = [r for r in everything if r["method"] == OURS and "error" not in r]
    assert ours
    assert not any(any(r["violations"].values()) for r in ours)
    whole = {"a": 100, "b": 1}
    assert all(r["metrics"]["validity_returned"] == whole[r["protocol"]] for r in ours if r["selection"] != "raw")


def test_every_seed_of_an_entry_has_the_same_settings(stored, compared) -> None:
    for results in (stored.results, compared.results):
        for protocol in ("a", "b"):
            assert not any(entry.mixed() for entry in Summary(results, protocol).entries)


def test_the_classifiers_are_near_the_published_ones(stored) -> None:
    accuracy = {(r["dataset"], r["seed"]): r["classifier"] for r in stored.results}
    for (dataset, _), classifier in accuracy.items():
        if dataset in protocol_names("b"):
            assert classifier["accuracy"] == pytest.approx(classifier["published"], abs=0.01)
    assert accuracy["german_credit", 0]["accuracy"] == pytest.approx(0.67)
    assert accuracy["german_credit", 0]["predicted"]["0"] == pytest.approx(0.44)


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_every_method_of_the_paper_was_asked_about_the_same_rows(compared, protocol) -> None:
    summary = Summary(compared.results, protocol)
    assert {variant.method for variant in summary.variants} >= {OURS, *COMPARED[protocol]}
    answered = [r for r in compared.results if "error" not in r]
    explained = {(r["dataset"], r["seed"], str(_counts(r))) for r in answered}
    assert len(explained) == len({(r["dataset"], r["seed"]) for r in answered})


def test_dice_ml_s_search_is_run_where_it_was_seen_to_end() -> None:
    tried = JsonLines(BENCH / "results" / "dice_search.jsonl").read().lines
    assert {line["dataset"] for line in tried if line["ended"] < line["rows"]} == ENDLESS


def _counts(result):
    return [(way["from"], way["to"], way["instances"]) for way in result["directions"]]


def test_the_report_tells_the_results_as_they_are(stored, compared, field, readings) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    everything = Stored((*stored.results, *compared.results, *field.results, *readings.results))
    (digests,) = re.findall(r"Code \(([^)]*)\)", told)  # those of the code when it was written
    code = dict(part.split() for part in digests.split(", "))
    assert told == report(everything, code=code).markdown(picture_prefix="REPORT_")


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_the_report_has_the_verdict_on_every_data_set(compared, protocol) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    for row in verdict_table(Summary(compared.results, protocol)).rows:
        assert f"| {' | '.join(map(str, row))} |" in told

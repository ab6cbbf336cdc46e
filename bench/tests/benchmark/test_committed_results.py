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
def readings():
    return read_all([BENCH / "results" / f"readings_{name}.jsonl" for name in "ab"])


@pytest.fixture(scope="module")
def compared():
    return read_all([BENCH / "results" / f"comparison_{name}.jsonl" for name in "ab"])


def test_no_line_is_torn(compared, readings) -> None:
    assert compared.notes == readings.notes == ()


def test_lines_say_by_which_code_and_on_which_rows_they_were_made(compared, readings) -> None:
    for result in (*compared.results, *readings.results):
        assert set(result["code"]) == {"library", "bench", "paper"} | (
            {"method"} if result["method"] != OURS else set()
        )
        assert re.fullmatch(r"[0-9a-f]{40}", result["commit"])  # a plus sign would say: with changes nobody can see
        if "error" not in result:
            assert result["rows"]
            assert {"tightness", "strategies"} <= set(result["metrics"])
            assert result["calls"] >= 0


def test_all_methods_explain_the_same_rows(compared) -> None:
    answered = [result for result in compared.results if "error" not in result]
    rows = {(result["dataset"], result["seed"], result["rows"]) for result in answered}
    assert len(rows) == len({(result["dataset"], result["seed"]) for result in answered})


def test_our_answers_keep_what_the_library_promises(compared) -> None:
    """This is no measure of how good they are: a chosen answer that is invalid or breaks a constraint is a fault."""
    ours = [r for r in compared.results if r["method"] == OURS and "error" not in r]
    assert ours
    assert not any(any(r["violations"].values()) for r in ours)
    whole = {"a": 100, "b": 1}
    assert all(r["metrics"]["validity_returned"] == whole[r["protocol"]] for r in ours if r["selection"] != "raw")


def test_every_seed_of_an_entry_has_the_same_settings(compared, readings) -> None:
    for results in (compared.results, readings.results):
        for protocol in ("a", "b"):
            assert not any(entry.mixed() for entry in Summary(results, protocol).entries)


def test_the_classifiers_are_near_the_published_ones(compared) -> None:
    accuracy = {(r["dataset"], r["seed"]): r["classifier"] for r in compared.results if "error" not in r}
    for (dataset, _), classifier in accuracy.items():
        if dataset in protocol_names("b"):
            assert classifier["accuracy"] == pytest.approx(classifier["published"], abs=0.01)
    assert accuracy["german_credit", 0]["accuracy"] == pytest.approx(0.67)
    assert accuracy["german_credit", 0]["predicted"]["0"] == pytest.approx(0.44)


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_every_method_of_the_paper_was_run(compared, protocol) -> None:
    summary = Summary(compared.results, protocol)
    assert {variant.method for variant in summary.variants} >= {OURS, *COMPARED[protocol]}


def test_dice_ml_s_search_is_run_where_it_was_seen_to_end() -> None:
    tried = JsonLines(BENCH / "results" / "dice_search.jsonl").read().lines
    assert {line["dataset"] for line in tried if line["ended"] < line["rows"]} == ENDLESS


def test_the_report_tells_the_results_as_they_are(compared, readings) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    everything = Stored((*compared.results, *readings.results))
    (digests,) = re.findall(r"Code \(([^)]*)\)", told)  # those of the code when it was written
    code = dict(part.split() for part in digests.split(", "))
    assert told == report(everything, code=code).markdown(picture_prefix="REPORT_")


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_the_report_has_the_verdict_on_every_data_set(compared, protocol) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    for row in verdict_table(Summary(compared.results, protocol)).rows:
        assert f"| {' | '.join(map(str, row))} |" in told

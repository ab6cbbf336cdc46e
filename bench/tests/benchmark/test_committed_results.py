"""The results in the repository: whole, comparable with each other, and told by the report as they are.

How well a method does is the report's to say. No test here fails because of a number that we would like to be better.
"""

import re
from pathlib import Path

import pytest

from counterflownet_bench.benchmark.comparison import verdict_table
from counterflownet_bench.benchmark.methods import OURS
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
def compared():
    return read_all([BENCH / "results" / f"comparison_{name}.jsonl" for name in "ab"])


def test_no_line_is_torn(stored, compared) -> None:
    assert stored.notes == compared.notes == ()


def test_our_answers_keep_what_the_library_promises(stored, compared) -> None:
    """This is no measure of how good they are: a chosen answer that is invalid or breaks a constraint is a fault."""
    ours = [r for r in (*stored.results, *compared.results) if r["method"] == OURS and "error" not in r]
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


def _counts(result):
    return [(way["from"], way["to"], way["instances"]) for way in result["directions"]]


def test_the_report_tells_the_results_as_they_are(stored, compared) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    everything = Stored((*stored.results, *compared.results))
    (digests,) = re.findall(r"Code \(library (\w+), bench (\w+)\)", told)  # those of the code when it was written
    code = dict(zip(("library", "bench"), digests, strict=True))
    assert told == report(everything, code=code).markdown(picture_prefix="REPORT_")


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_the_report_has_the_verdict_on_every_data_set(compared, protocol) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    for row in verdict_table(Summary(compared.results, protocol)).rows:
        assert f"| {' | '.join(map(str, row))} |" in told

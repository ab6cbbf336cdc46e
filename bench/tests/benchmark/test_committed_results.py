"""The results in the repository: whole, within what was promised, and told by the report as they are."""

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


def test_no_cell_is_missing_or_failed_and_every_seed_has_the_same_settings(stored) -> None:
    assert stored.notes == ()
    for protocol, seeds in (("a", {0, 1, 2, 3, 4}), ("b", {0})):
        summary = Summary(stored.results, protocol)
        assert summary.datasets == protocol_names(protocol)
        assert summary.holes == ()
        assert {(v.preset, v.selection) for v in summary.variants} >= {
            (preset, selection) for preset in ("paper", "default") for selection in ("raw", "selected")
        }
        for entry in summary.entries:
            assert set(entry.results) == seeds
            assert not entry.mixed()


def test_what_our_preset_returns_after_selection_is_valid_within_its_rules_and_there_for_nearly_every_row(
    stored,
) -> None:
    chosen = [r for r in stored.results if r["preset"] == "default" and r["selection"] != "raw"]
    assert len({result["dataset"] for result in chosen}) == 9
    for result in chosen:
        metrics, whole = result["metrics"], 100.0 if result["protocol"] == "a" else 1.0
        assert metrics["validity_returned"] == whole
        assert metrics["coverage"] >= 0.995 * whole
        assert metrics.get("unary", 100.0) == 100.0
        assert set(result["violations"].values()) == {0}


def test_the_classifiers_are_near_the_published_ones(stored) -> None:
    accuracy = {(r["dataset"], r["seed"]): r["classifier"] for r in stored.results}
    for (dataset, _), classifier in accuracy.items():
        if dataset in protocol_names("b"):
            assert classifier["accuracy"] == pytest.approx(classifier["published"], abs=0.01)
    assert accuracy["german_credit", 0]["accuracy"] == pytest.approx(0.67)
    assert accuracy["german_credit", 0]["predicted"]["0"] == pytest.approx(0.44)


@pytest.mark.parametrize(("protocol", "seeds"), [("a", {0, 1, 2, 3, 4}), ("b", {0})])
def test_every_method_of_the_paper_explained_the_same_rows_and_none_failed(compared, protocol, seeds) -> None:
    summary = Summary(compared.results, protocol)
    assert {variant.method for variant in summary.variants} >= {OURS, *COMPARED[protocol]}
    assert all(hole.refused for hole in summary.holes)
    for entry in summary.entries:
        assert set(entry.results) == (set() if entry.holes else seeds)
        assert not entry.mixed()
    explained = {(r["dataset"], r["seed"], str(_counts(r))) for r in compared.results}
    assert len(explained) == len({(r["dataset"], r["seed"]) for r in compared.results})


def _counts(result):
    return [(way["from"], way["to"], way["instances"]) for way in result["directions"]]


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_ours_stands_as_promised_beside_the_others(compared, protocol) -> None:
    cells = [str(cell) for row in verdict_table(Summary(compared.results, protocol)).rows for cell in row]
    assert sum(cell.endswith(": met") for cell in cells) > 0
    assert [cell for cell in cells if cell.endswith("missed") or cell == "not run"] == []


def test_the_report_tells_the_results_as_they_are(stored, compared) -> None:
    told = (BENCH / "REPORT.md").read_text(encoding="utf-8")
    everything = Stored((*stored.results, *compared.results))
    assert told == report(everything).markdown(picture_prefix="REPORT_")

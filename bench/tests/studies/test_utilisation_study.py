"""The study of the use of columns: shares are counted from files of the benchmark."""

import pytest
from made_up_others import write_others

from counterflownet.cli import main
from counterflownet_bench.studies.utilisation import STUDY
from counterflownet_bench.studies.utilisation_page import uses

CHANGED = {
    ("dice-kdtree", "raw"): {"age": 3, "sex": 1},
    ("counterflownet", "raw"): {"race": 5},
    ("counterflownet", "selected"): {"education": 6, "age": 2, "occupation": 2},
    ("counterflownet", "minimal"): {"education": 1},
    ("mcce", "raw"): {"race": 5},
}


@pytest.fixture
def folder(tmp_path):
    file = write_others(tmp_path / "results.jsonl", CHANGED)
    assert main(["study", "utilisation", str(file), "--out", str(tmp_path / "out")]) == 0
    return tmp_path / "out"


def test_the_share_of_a_column_is_its_share_of_all_changes(folder) -> None:
    ours, minimal, dice = uses(STUDY.results(folder), "adult_protocol_b")
    assert [use.name for use in (ours, minimal, dice)] == [
        "counterflownet, tuned, selected",
        "counterflownet, tuned, minimal",
        "dice-kdtree",
    ]
    assert [ours.shares[name] for name in ("education", "age", "occupation", "sex")] == [0.6, 0.2, 0.2, 0.0]
    assert dice.share_of(["age", "capital_gain"]) == 0.75
    assert minimal.spread == pytest.approx(1.0)
    assert 1.0 < dice.spread < 2.0


def test_the_page_tells_them_beside_the_papers(folder) -> None:
    page = (folder / "utilisation.md").read_text(encoding="utf-8")
    assert "counterflownet, tuned, selected changes education (60.0 %), age (20.0 %), occupation (20.0 %) most" in page
    assert (
        "numbers have 20 % for counterflownet, tuned, selected, 0 % for counterflownet, tuned, minimal, "
        "75 % for dice-kdtree" in page
    )
    assert "| education | category | 60.0 | 100.0 | 0.0 | 19.9 |" in page
    assert "mcce" not in page
    drawn = (folder / "utilisation_adult_protocol_b.svg").read_text(encoding="utf-8")
    assert "share of all changes, %" in drawn


def test_results_that_were_measured_again_take_the_place_of_those_before(folder, tmp_path) -> None:
    again = write_others(tmp_path / "again.jsonl", {("dice-kdtree", "raw"): {"sex": 4}})
    before = len(STUDY.results(folder))
    assert main(["study", "utilisation", str(again), "--out", str(folder)]) == 0
    results = STUDY.results(folder)
    assert len(results) == before
    assert uses(results, "adult_protocol_b")[-1].shares["sex"] == 1.0


def test_changes_and_answers_of_several_seeds_add_up(folder, tmp_path) -> None:
    second = write_others(tmp_path / "second.jsonl", {("dice-kdtree", "raw"): {"sex": 4}}, seed=1)
    assert main(["study", "utilisation", str(second), "--out", str(folder)]) == 0
    *_, dice = uses(STUDY.results(folder), "adult_protocol_b")
    assert (dice.counts["age"], dice.counts["sex"], dice.counts["race"]) == (3, 5, 0)
    assert (dice.seeds, dice.answers) == ((0, 1), 200)
    page = (folder / "utilisation.md").read_text(encoding="utf-8")
    assert "100 for counterflownet, tuned, minimal (seed 0 alone), 200 for dice-kdtree (2 seeds)." in page


def test_answers_of_the_selector_of_all_methods_are_not_a_method_s_own(tmp_path) -> None:
    file = write_others(
        tmp_path / "r.jsonl", {("dice-kdtree", "raw"): {"age": 3}, ("dice-kdtree", "pooled"): {"sex": 1}}
    )
    assert main(["study", "utilisation", str(file), "--out", str(tmp_path / "out")]) == 0
    own, pooled = uses(STUDY.results(tmp_path / "out"), "adult_protocol_b")
    assert (own.name, own.shares["age"]) == ("dice-kdtree", 1.0)
    assert (pooled.name, pooled.shares["sex"]) == ("dice-kdtree, pooled", 1.0)


def test_a_file_that_is_not_there_is_an_error(tmp_path, capsys) -> None:
    assert main(["study", "utilisation", str(tmp_path / "none.jsonl"), "--out", str(tmp_path)]) == 2
    assert "there is no file" in capsys.readouterr().err

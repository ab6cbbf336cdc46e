"""The study of answers, for real on a few rows of bundled tables."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark.provenance import code_digests
from counterflownet_bench.datasets import load_benchmark
from counterflownet_bench.studies import answers, answers_asked
from counterflownet_bench.studies.answers import STUDY, Question, questions, usual_datasets
from counterflownet_bench.studies.answers_classifiers import CLASSIFIERS, accuracy
from counterflownet_bench.studies.answers_tables import BREAST_CANCER, breast_cancer, table_from

COMMAND = [
    *("study", "answers", "--datasets", "german_credit", "--classifiers", "linear"),
    *("--rows", "6", "--seeds", "0", "--minutes", "0.02"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, small_tables):
    out = tmp_path_factory.mktemp("answers")
    answers_asked.fitted.cache_clear()
    assert main([*COMMAND, "--out", str(out)]) == 0
    return out


def test_a_fit_is_asked_without_and_under_constraints(folder) -> None:
    free, constrained = STUDY.results(folder)
    assert [free["question"]["constrained"], constrained["question"]["constrained"]] == [False, True]
    assert free["seconds"]["fit"] == constrained["seconds"]["fit"]  # it was fitted once
    assert free["rows_digest"] == constrained["rows_digest"]
    assert free["code"] == code_digests()
    for result in (free, constrained):
        figures = result["figures"]
        assert result["rows"] == 6
        assert figures["valid"] == figures["allowed"] == 1.0
        assert figures["answers"] > 0
        assert len(result["examples"]) == 4
    assert not any("Purpose" in answer for row in constrained["examples"] for answer in row["answers"])


def test_what_was_measured_is_not_measured_again(folder, capsys) -> None:
    before = (folder / "answers.jsonl").read_bytes()
    assert main([*COMMAND, "--out", str(folder)]) == 0
    assert (folder / "answers.jsonl").read_bytes() == before
    assert "| German Credit (Statlog), linear, constrained |" in (folder / "answers.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def german():
    return table_from(load_benchmark("german_credit"))


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_every_classifier_tells_the_classes_apart_and_is_the_same_again(name, german) -> None:
    posed = german.posed("test", 0)
    model = CLASSIFIERS[name](german, posed, 0)
    assert model.classes_.tolist() == [0, 1]
    found = model.predict_proba(posed.asked.X)
    assert roc_auc_score(posed.asked.y, found[:, 1]) > 0.7
    assert np.array_equal(CLASSIFIERS[name](german, posed, 0).predict_proba(posed.asked.X), found)


def test_held_out_rows_are_of_the_training_part_and_out_of_the_fit(german) -> None:
    posed, other = german.posed("held_out", 0), german.posed("held_out", 1)
    assert (len(posed.fit.X), len(posed.asked.X)) == (600, 200)
    both = [tuple(row) for part in (posed.fit, posed.asked) for row in part.X.itertuples(index=False)]
    assert sorted(both) == sorted(tuple(row) for row in german.train.X.itertuples(index=False))
    assert not other.asked.X.equals(posed.asked.X)
    assert german.posed("test", 0).asked is german.test


def test_the_schema_says_what_a_user_knows_of_the_columns(german) -> None:
    schema = german.schema(german.train.X)
    kinds = {name: schema[name].kind.value for name in ("Purpose", "Job", "Credit-amount")}
    assert kinds == {"Purpose": "categorical", "Job": "ordered", "Credit-amount": "integer"}


def test_the_table_of_thirty_numbers_comes_with_scikit_learn() -> None:
    table = breast_cancer()
    assert (len(table.numbers), len(table.train.X) + len(table.test.X)) == (30, 569)
    assert STUDY.loaded(Question(dataset=BREAST_CANCER, classifier="linear"), None).name == BREAST_CANCER
    assert accuracy(CLASSIFIERS["linear"](table, table.posed("test", 0), 0), table.posed("test", 0)) > 0.9


def test_without_a_folder_the_bundled_tables_are_asked_about(monkeypatch) -> None:
    monkeypatch.delenv("COUNTERFLOWNET_DATA", raising=False)
    assert usual_datasets() == answers.BUNDLED
    assert usual_datasets("somewhere") == answers.DATASETS
    monkeypatch.setenv("COUNTERFLOWNET_DATA", "somewhere")
    assert usual_datasets() == answers.DATASETS


def test_constraints_are_asked_where_they_are_realistic() -> None:
    asked = questions(answers.DATASETS, None, [0])
    assert {question.dataset for question in asked if question.constrained} == {"german_credit", "give_me_some_credit"}
    assert sum(question.dataset == BREAST_CANCER for question in asked) == 1
    assert len(asked) == 8 + 4 + 4 + 2 + 8 + 1


@pytest.mark.parametrize(
    "told",
    [
        {"dataset": "wine"},
        {"classifier": "oracle"},
        {"part": "train"},
        {"rows": 0},
        {"minutes": 0.0},
        {"dataset": BREAST_CANCER, "constrained": True},
    ],
    ids=str,
)
def test_a_question_that_makes_no_sense_is_an_error(told) -> None:
    with pytest.raises(InvalidInputError):
        Question(**({"dataset": "german_credit", "classifier": "linear"} | told))

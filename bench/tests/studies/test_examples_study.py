"""The study of examples, for real on a few rows of Adult."""

import pytest

from counterflownet.cli import main
from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark.provenance import rows_digest
from counterflownet_bench.benchmark.roles import reference_of
from counterflownet_bench.studies import study
from counterflownet_bench.studies.examples import STUDY, Question, drawn_rows
from counterflownet_bench.studies.examples_page import shown_value


@pytest.fixture(scope="module")
def folder(tmp_path_factory, small_tables):
    out = tmp_path_factory.mktemp("examples")
    command = [
        "study",
        "examples",
        "--preset",
        "sparsest",
        "--dataset",
        "adult_protocol_b",
        "--steps",
        "10",
        "--instances",
        "6",
    ]
    assert main([*command, "--out", str(out)]) == 0
    return out


def test_rows_of_the_unwanted_class_are_turned_into_the_wanted_one(folder) -> None:
    (result,) = STUDY.results(folder)
    assert len(result["examples"]) == 2
    data = study.load_benchmark("adult_protocol_b")
    assert result["rows_digest"] == rows_digest(data.X_test.iloc[drawn_rows(Question(**result["question"]), data)])
    for example in result["examples"]:
        assert (example["predicted"], example["target"]) == ("<=50K", ">50K")
        assert 1 <= len(example["counterfactuals"]) <= 2
        for answer in example["counterfactuals"]:
            assert answer["valid"]
            changed = {name for name, value in answer["values"].items() if value != example["values"][name]}
            assert changed == set(answer["changed"])


def test_the_page_has_a_table_for_each_row_with_changes_in_bold(folder) -> None:
    (result,) = STUDY.results(folder)
    page = (folder / "examples.md").read_text(encoding="utf-8")
    assert page.count("| Column | Original | Counterfactual 1 |") == 2
    changes = sum(len(answer["changed"]) for row in result["examples"] for answer in row["counterfactuals"])
    assert page.count(" → ") == changes + 2  # and one for each row's classes
    answer = result["examples"][0]["counterfactuals"][0]
    name = answer["changed"][0]
    old, new = (shown_value(values[name]) for values in (result["examples"][0]["values"], answer["values"]))
    assert f"| **{old} → {new}** |" in page
    assert "<svg" in (folder / "examples_adult_protocol_b.svg").read_text(encoding="utf-8")


def test_rows_are_drawn_by_the_seed_from_the_class_that_nobody_wants(small_tables) -> None:
    data = study.load_benchmark("adult_protocol_b")
    rows = drawn_rows(Question(rows=5), data)
    predicted = reference_of(data, seed=0).classifier.predicted(data.X_test.iloc[rows])
    assert predicted.tolist() == [0] * 5
    assert rows == drawn_rows(Question(rows=5), data) != list(range(5))
    with pytest.raises(InvalidInputError, match="ask for fewer than 1000 rows"):
        drawn_rows(Question(rows=1000), data)


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "missing"), (3.0, "3"), (0.123456, "0.123"), (12345.678, "12,346"), ("Sales", "Sales"), (7, "7")],
)
def test_values_are_shown_as_a_reader_wants_them(value, text) -> None:
    assert shown_value(value) == text

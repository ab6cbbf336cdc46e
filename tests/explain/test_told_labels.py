from pathlib import Path

import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.explain.labels import ColumnLabel, Labels

FILE = """
[columns]
age = "your age"
[columns.amount]
label = "the loan"
unit = "EUR"
[columns.job.values]
1 = "unskilled"
[classes]
good = "approved"
"""


def test_labels_come_from_a_small_file(tmp_path: Path) -> None:
    (tmp_path / "labels.toml").write_text(FILE, encoding="utf-8")
    labels = Labels.of(tmp_path / "labels.toml")
    assert labels.name_of("age") == "your age"
    assert labels.column("amount") == ColumnLabel("the loan", "EUR")
    assert labels.column("job").values == {"1": "unskilled"}
    assert labels.class_of("good") == "approved"


def test_what_is_not_labelled_is_told_as_the_table_has_it() -> None:
    labels = Labels.of({"a_b": {"unit": "km"}})
    assert (labels.name_of("a_b"), labels.name_of(3), labels.class_of(1)) == ("a b", "3", "1")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("DistanceFromHome", "Distance from home"),
        ("NumberOfTimes90DaysLate", "Number of times 90 days late"),
        ("LoanIDNumber", "Loan ID number"),
        ("TotalSF", "Total SF"),
        ("YearsInCurrentRole", "Years in current role"),
        ("Miles_per_Gallon", "Miles per Gallon"),
        *((whole, whole) for whole in ("BMI", "HbA1c", "iPhone", "s5", "Größe", "Age group")),
    ],
)
def test_names_of_several_words_are_told_in_words(name: str, told: str) -> None:
    assert Labels().name_of(name) == told


def test_the_prediction_has_a_name_and_a_unit(tmp_path: Path) -> None:
    (tmp_path / "labels.toml").write_text("[prediction]\nlabel = 'the price'\nunit = 'EUR'\n", encoding="utf-8")
    assert Labels.of(tmp_path / "labels.toml").prediction == ColumnLabel("the price", "EUR")
    assert Labels.of({"prediction": {"unit": "EUR"}, "columns": {}}).prediction.unit == "EUR"
    assert Labels.of({"prediction": "a column"}).name_of("prediction") == "a column"


def test_a_column_may_be_called_columns() -> None:
    assert Labels.of({"columns": "pillars"}).name_of("columns") == "pillars"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"age": {"unti": "y"}}, "Did you mean 'unit'"),
        ({"age": 3}, "must be text or a mapping"),
        (3, "must be a mapping or a TOML file"),
        ("nowhere.toml", "cannot be read"),
    ],
)
def test_wrong_labels_say_what_is_allowed(given: object, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        Labels.of(given)


def test_a_damaged_file_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "labels.toml").write_text("columns = [", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="cannot be read as TOML"):
        Labels.of(str(tmp_path / "labels.toml"))

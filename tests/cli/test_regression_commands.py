"""Questions of numbers on the command line, from a table to answers."""

import json

import numpy as np
import pandas as pd
import pytest
from loan_commands import QUICK, error_line

from counterflownet.cli import main


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    """A folder with a table of houses, an explainer of their prices, and two houses to explain."""
    folder = tmp_path_factory.mktemp("houses")
    draw = np.random.default_rng(0)
    table = pd.DataFrame({"rooms": draw.integers(1, 9, 300), "age": draw.integers(0, 90, 300)})
    table["price"] = 40 * table["rooms"] - table["age"] + draw.normal(size=300).round(1)
    table.to_csv(folder / "houses.csv", index=False)
    table.head(4).to_csv(folder / "some.csv", index=False)
    words = ["--target", "price", "--regression", "--steps", "2", "--out", str(folder / "prices.cfn")]
    assert main(["fit", str(folder / "houses.csv"), *words]) == 0
    return folder


def asked(folder, *question: str) -> int:
    return main(["explain", str(folder / "prices.cfn"), str(folder / "some.csv"), *question, *QUICK])


def test_predictions_of_the_file_lie_where_they_were_asked_to(houses) -> None:
    out = houses / "answers.csv"
    assert asked(houses, "--at-least", "180", "--immutable", "age", "--count", "2", "--out", str(out)) == 0
    answers = pd.read_csv(out)
    assert len(answers) > 0
    assert answers["valid"].all()
    assert (answers["prediction"] >= 180).all()
    assert (answers["prediction_before"] < 180).all()
    assert "probability" not in answers


@pytest.mark.parametrize(
    ("question", "target"),
    [
        (["--between", "100:120"], "Between(100, 120)"),
        (["--at-most", "90"], "AtMost(90)"),
        (["--between=-50:20"], "Between(-50, 20)"),
    ],
)
def test_json_says_what_was_asked_for(houses, question, target) -> None:
    out = houses / "answers.json"
    assert asked(houses, *question, "--out", str(out)) == 0
    assert {row["target"] for row in json.loads(out.read_text())["rows"]} == {target}


def test_a_change_is_asked_for_by_an_amount_or_a_share_of_the_rows_own_prediction(houses) -> None:
    out = houses / "answers.csv"
    assert asked(houses, "--by", "20%", "--out", str(out)) == 0
    answers = pd.read_csv(out)
    assert (answers["prediction"] >= 1.2 * answers["prediction_before"]).all()
    assert asked(houses, "--by=-30", "--out", str(out)) == 0
    answers = pd.read_csv(out)
    assert (answers["prediction"] <= answers["prediction_before"] - 30).all()


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ([], "Say where its prediction should lie: --at-least 0.6"),
        (["--target", "good"], "--target names a class"),
        (["--at-least", "much"], "--at-least needs a number"),
        (["--between", "3"], "--between needs LOW:HIGH"),
        (["--between", "22:20"], "the wrong way round: --between 20:22"),
        (["--at-least", "3", "--by", "2"], "--at-least and --by ask for different things"),
    ],
)
def test_a_mistake_in_a_question_is_one_line(houses, capsys, question, told) -> None:
    assert asked(houses, *question) == 2
    assert told in error_line(capsys)


def test_numbers_are_not_asked_of_classes(folder, capsys) -> None:
    words = ["explain", str(folder / "loans.cfn"), str(folder / "rejected.csv"), "--at-least", "0.6"]
    assert main(words) == 2
    assert "--target good --confidence 0.6" in error_line(capsys)


def test_any_class_but_one_is_a_question(folder, tmp_path) -> None:
    files = [str(folder / "loans.cfn"), str(folder / "rejected.csv")]
    for number, question in enumerate((["--not", "bad"], ["--any-of", "good"], ["--target", "good"])):
        assert main(["explain", *files, *question, *QUICK, "--out", str(tmp_path / f"{number}.csv")]) == 0
    first, second, third = ((tmp_path / f"{number}.csv").read_text() for number in range(3))
    assert first == second == third


def test_only_numbers_can_be_learned_by_regression(folder, tmp_path, capsys) -> None:
    words = ["fit", str(folder / "loans.csv"), "--target", "risk", "--regression", "--out", str(tmp_path / "x.cfn")]
    assert main(words) == 2
    assert "leave out --regression" in capsys.readouterr().err


def test_a_function_to_one_number_is_a_model(houses, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "made_prices.py").write_text("def price(rows):\n    return 40 * rows['rooms'] - rows['age']\n")
    model = ["--model", "made_prices:price"]
    table = str(houses / "houses.csv")
    learn = ["fit", table, "--target", "price", *model, "--steps", "2", "--out", "p.cfn"]
    assert main(learn) == 2
    assert "--regression" in capsys.readouterr().err
    assert main([*learn, "--regression"]) == 0
    assert "of the variance of 'price'" in capsys.readouterr().out
    assert main(["explain", "p.cfn", str(houses / "some.csv"), *model, "--at-least", "300", *QUICK]) == 0

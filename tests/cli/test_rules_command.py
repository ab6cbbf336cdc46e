"""``counterflownet rules``: printed as code, written as a file, and given to fit and explain."""

import pandas as pd
import pytest
from loan_commands import error_line, explain_rows, fit

from counterflownet import read_rules
from counterflownet.cli import main

BAND = {"low": 1, "middle": 2, "high": 3}


@pytest.fixture(scope="module", name="banded")
def table_with_a_lookup(loans, tmp_path_factory):
    """A folder with the loans and a band of savings in words and in numbers."""
    place = tmp_path_factory.mktemp("banded")
    band = pd.cut(loans["credit_amount"] % 97, 3, labels=list(BAND)).astype(str)
    table = loans.drop(columns=["customer", "branch", "share", "since"]).assign(band=band, band_number=band.map(BAND))
    table.to_csv(place / "loans.csv", index=False)
    table[table["risk"] == "bad"].head(4).to_csv(place / "rejected.csv", index=False)
    fit(place / "loans.csv", place / "loans.cfn")
    return place


def test_the_rules_are_printed_as_code(banded, capsys) -> None:
    assert main(["rules", str(banded / "loans.csv"), "--target", "risk"]) == 0
    told = capsys.readouterr().out
    assert "Derived.lookup('band_number', 'band', X)," in told
    assert "Increasing('age')," in told
    assert "Immutable('sex')," in told
    assert "risk" not in told


def test_a_column_that_is_dropped_is_not_spoken_of(banded, capsys) -> None:
    assert main(["rules", str(banded / "loans.csv"), "--target", "risk", "--drop", "sex,band"]) == 0
    assert "sex" not in capsys.readouterr().out


def test_the_file_that_is_written_is_read_by_explain(banded, tmp_path, capsys) -> None:
    rules, answers = tmp_path / "rules.toml", tmp_path / "answers.csv"
    assert main(["rules", str(banded / "loans.csv"), "--target", "risk", "--out", str(rules)]) == 0
    assert "rules suggested by 160 rows" in capsys.readouterr().err
    assert len(read_rules(rules)) == 3
    assert explain_rows(banded, banded / "rejected.csv", "--rules", str(rules), "--out", str(answers)) == 0
    found = pd.read_csv(answers)
    assert (found["band"].map(BAND) == found["band_number"]).all()
    assert not found["changed"].str.contains("sex|band_number").any()


def test_answers_that_break_what_all_rows_keep_are_told(banded, tmp_path, capsys) -> None:
    rows, answers = tmp_path / "low.csv", tmp_path / "answers.csv"
    table = pd.read_csv(banded / "loans.csv")
    table[(table["risk"] == "bad") & (table["band"] == "low")].head(4).to_csv(rows, index=False)
    forced = ["--immutable", "band", "--range", "band_number=3:3"]  # a change of the number alone
    assert explain_rows(banded, rows, *forced, "--out", str(answers)) == 0
    odd = len(pd.read_csv(answers))
    assert odd > 0
    assert f"note: {odd} counterfactual" in capsys.readouterr().err


def test_explain_knows_the_lookup_from_the_fit(banded, tmp_path) -> None:
    answers = tmp_path / "answers.csv"
    derived = ["--derived", "band_number=band", "--out", str(answers)]
    assert explain_rows(banded, banded / "rejected.csv", *derived) == 0
    found = pd.read_csv(answers)
    assert (found["band"].map(BAND) == found["band_number"]).all()


def test_a_lookup_that_the_explainer_does_not_know_is_one_line(banded, capsys) -> None:
    assert explain_rows(banded, banded / "rejected.csv", "--derived", "age=sex") == 2
    assert "it knows: band_number=band" in error_line(capsys)


def test_the_table_itself_is_never_overwritten(banded, capsys) -> None:
    data = str(banded / "loans.csv")
    assert main(["rules", data, "--out", data]) == 2
    assert "would be overwritten" in error_line(capsys)

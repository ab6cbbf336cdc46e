"""Answers as CSV come back as they were, and a spreadsheet runs none of them."""

from io import StringIO

import pandas as pd
import pytest
from loan_commands import error_line, explain, explain_rows

from counterflownet.cli.csv_answers import csv_text


def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe_and_numbers_stay():
    words = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "plain", "a=b", ""]
    frame = pd.DataFrame({"=word": words, "number": [-1.5] * 9, "day": pd.to_datetime(["2024-01-31"] * 9)})
    read = pd.read_csv(StringIO(csv_text(frame, spreadsheet_safe=True)), keep_default_na=False, dtype=str)
    assert list(read.columns) == ["'=word", "number", "day"]
    assert read["'=word"].tolist() == [*(f"'{word}" for word in words[:6]), *words[6:]]
    assert set(read["number"]) == {"-1.5"}
    assert set(read["day"]) == {"2024-01-31"}


def test_categories_are_text_as_well():
    frame = pd.DataFrame({"word": pd.Categorical(["=1", None]), "mixed": [-1, "-1"]})
    assert csv_text(frame, spreadsheet_safe=True) == "word,mixed\n'=1,-1\n,'-1\n"


@pytest.mark.parametrize("cell", ["a\rb", "a\r\nb", "a\nb", 'a"b', "a,b", "=1"])
def test_without_the_option_a_cell_comes_back_as_it_was(cell):
    frame = pd.DataFrame({"word": [cell], "number": [1]})
    pd.testing.assert_frame_equal(pd.read_csv(StringIO(csv_text(frame), newline="")), frame)


def test_the_option_reaches_the_answers(folder, capsys, tmp_path):
    rows = pd.read_csv(folder / "rejected.csv", dtype=str).assign(customer="=HYPERLINK()")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    options = ["--id", "customer", "--format", "csv"]
    for safe, shown in ((["--spreadsheet-safe"], "'=HYPERLINK()"), ([], "=HYPERLINK()")):
        assert explain_rows(folder, tmp_path / "rows.csv", *options, *safe) == 0
        assert capsys.readouterr().out.splitlines()[1].startswith(shown)


def test_the_option_is_for_csv_only(folder, capsys):
    assert explain(folder, "--spreadsheet-safe", "--format", "json") == 2
    assert "--spreadsheet-safe is for CSV; these answers are json" in error_line(capsys)

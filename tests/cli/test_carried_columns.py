"""What the explainer does not know comes back as it was, and people read their own words."""

import io

import pandas as pd
import pytest
from loan_commands import error_line, explain, explain_rows

LABELS = """
[columns.credit_amount]
label = "the loan"
unit = "DM"
[classes]
bad = "declined"
good = "approved"
"""


@pytest.fixture(name="rows")
def with_notes(folder, tmp_path):
    """The rejected applicants with a column of notes, some of which look like missing values."""
    frame = pd.read_csv(folder / "rejected.csv", dtype=str, keep_default_na=False)
    frame.insert(0, "note", ["NA", "", "007", "x ", "a,b", "NA"])
    frame.to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path / "rows.csv", frame


def test_columns_that_are_not_known_come_back_untouched(folder, rows, capsys):
    path, given = rows
    assert explain_rows(folder, path, "--count", "1") == 0
    answers = pd.read_csv(io.StringIO(capsys.readouterr().out), dtype=str, keep_default_na=False)
    of_rows = given.iloc[answers["factual"].astype(int) - 1].reset_index(drop=True)
    for name in ("note", "customer", "risk"):
        assert answers[name].tolist() == of_rows[name].tolist()


def test_the_column_that_identifies_rows_is_not_there_twice(folder, rows, capsys):
    assert explain_rows(folder, rows[0], "--count", "1", "--id", "customer") == 0
    answers = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert "customer" not in answers.columns
    assert answers["factual"].str.startswith("c").all()


def test_a_text_file_has_sentences_with_labels(folder, tmp_path):
    (tmp_path / "labels.toml").write_text(LABELS, encoding="utf-8")
    out = tmp_path / "answers.txt"
    labels = ["--labels", str(tmp_path / "labels.toml"), "--immutable", "age"]
    assert explain(folder, *labels, "--mutable", "credit_amount", "--language", "de", "--out", str(out)) == 0
    told = out.read_text(encoding="utf-8")
    assert "Die Entscheidung lautet declined. Die Wahrscheinlichkeit für approved" in told
    assert "durfte" in told


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--labels", "nowhere.toml", "--out", "a.html"], "the labels file 'nowhere.toml' cannot be read"),
        (["--labels", "nowhere.toml", "--out", "a.csv"], "--labels is for answers that people read"),
        (["--language", "fr"], "unknown language 'fr'. Allowed: de, en"),
    ],
)
def test_a_mistake_in_words_is_one_line(folder, options, part, capsys):
    assert explain(folder, *options) == 2
    assert part in error_line(capsys)

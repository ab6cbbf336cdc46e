"""From rows to answers: every format, every constraint, a pipe, and one line for every mistake."""

import inspect
import json
import shlex
import subprocess
import sys
from io import BytesIO, StringIO, TextIOWrapper

import pandas as pd
import pytest
from loan_commands import JOBS, QUICK, error_line, explain, explain_rows

from counterflownet import CounterFlowNet
from counterflownet.cli import explain as explain_command
from counterflownet.cli import fit as fit_command
from counterflownet.cli import main, parsed
from counterflownet.cli.catalogue import EPILOG

CONSTRAINTS = [
    "--immutable", "sex,telephone", "--increasing", "age", "--increasing", "job", "--decreasing", "share",
    "--range", "credit_amount=500:5000", "--range", "since=:2022-01-01", "--max-step", "duration_months=12",
    "--one-of", "checking_account=none,>= 200 DM", "--not-one-of", "branch=0300", "--max-changes", "7",
]  # fmt: skip


@pytest.fixture(scope="module")
def answers(folder, tmp_path_factory) -> pd.DataFrame:
    """The answers under many constraints at once, as they stand in the file."""
    out = tmp_path_factory.mktemp("answers") / "answers.csv"
    many = ["--as-sampled", "--count", "20", "--samples", "100"]  # changes that are not needed are bound as well
    assert explain(folder, *CONSTRAINTS, *many, "--out", str(out)) == 0
    return pd.read_csv(out, dtype={"branch": str}, parse_dates=["since"], keep_default_na=False, na_values=[""])


@pytest.fixture(scope="module")
def beside(answers, folder, loans) -> pd.DataFrame:
    """The rejected applicant of each answer."""
    rejected = pd.read_csv(folder / "rejected.csv", dtype={"branch": str}, parse_dates=["since"])
    return rejected.iloc[answers["factual"] - 1].reset_index(drop=True)


def test_constraints_of_the_command_line_hold_in_the_file(answers, beside):
    assert len(answers) > 0
    assert (answers[["sex", "telephone"]] == beside[["sex", "telephone"]]).all(axis=None)
    assert (answers["age"] >= beside["age"]).all()
    assert (answers["job"].map(JOBS.index) >= beside["job"].map(JOBS.index)).all()
    assert ((answers["share"] <= beside["share"]) | beside["share"].isna()).all()
    assert answers["credit_amount"].between(500, 5000).all()
    assert (answers["since"] <= pd.Timestamp("2022-01-01")).all()
    assert ((answers["duration_months"] - beside["duration_months"]).abs() <= 12).all()
    assert answers["checking_account"].isin(["none", ">= 200 DM"]).all()
    assert (answers["branch"] != "0300").all()
    assert answers["changed"].str.count(", ").max() < 7
    assert (answers[["age", "job", "share"]] != beside[["age", "job", "share"]]).any().all()


def test_a_line_says_whom_it_is_for_what_changed_and_how_good_it_is(answers, beside):
    assert list(answers.columns[:3]) == ["factual", "rank", "changed"]
    judged = ["strategy", "valid", "probability_before", "probability", "reward"]
    judged += ["validity", "proximity", "plausibility", "sparsity"]
    assert list(answers.columns[-9:]) == judged
    assert answers["valid"].all()
    assert (answers["probability_before"] < 0.5).all()
    assert (answers["probability"] > 0.5).all()
    names = list(answers.columns[3:-9])
    differs = (answers[names] != beside[names]) & ~(answers[names].isna() & beside[names].isna())
    told = [", ".join(name for name in names if differs.loc[line, name]) for line in answers.index]
    assert told == answers["changed"].tolist()


def test_the_defaults_are_those_of_the_library():
    told = vars(parsed(["explain", "loans.cfn", "rejected.csv"]))
    own = inspect.signature(CounterFlowNet.explain).parameters
    shared = [name for name in own if name in told and name not in {"rows", "target"}]
    assert shared == ["count", "diversity", "worth", "minimal", "tight", "confidence", "samples", "rounds"]
    assert {name: told[name] for name in shared} == {name: own[name].default for name in shared}


def test_answers_reach_the_confidence_that_is_asked_for(folder, capsys):
    assert explain(folder, "--confidence", "0.7", "--format", "json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["confidence"] == 0.7
    reached = [answer["probability"] for row in told["rows"] for answer in row["counterfactuals"]]
    assert reached
    assert min(reached) >= 0.7


def test_a_confidence_beyond_certainty_is_one_line(folder, capsys):
    assert explain(folder, "--confidence", "1.2") == 2
    assert "confidence must be between 0 and 1" in error_line(capsys)


@pytest.mark.parametrize(("option", "name"), [("--as-sampled", "minimal"), ("--not-tight", "tight")])
def test_changes_stay_as_they_were_found_where_that_is_asked_for(folder, monkeypatch, option, name):
    asked = []
    explained = CounterFlowNet.explain
    monkeypatch.setattr(CounterFlowNet, "explain", lambda *a, **told: asked.append(told) or explained(*a, **told))
    assert explain(folder) == explain(folder, option) == 0
    assert [told[name] for told in asked] == [True, False]


def test_only_named_columns_change(folder, capsys):
    assert explain(folder, "--mutable", "credit_amount,checking_account", "--format", "json") == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    changed = {name for row in rows for answer in row["counterfactuals"] for name in answer["changed"]}
    assert changed <= {"credit_amount", "checking_account"}
    assert changed


def test_every_format_has_the_same_answers(folder, tmp_path, capsys):
    for suffix in ("csv", "json", "html", "parquet"):
        assert explain(folder, "--count", "2", "--out", str(tmp_path / f"answers.{suffix}")) == 0
    assert capsys.readouterr().out == ""
    table = pd.read_parquet(tmp_path / "answers.parquet")
    read = pd.read_csv(tmp_path / "answers.csv")
    told = json.loads((tmp_path / "answers.json").read_text())
    assert table["reward"].tolist() == read["reward"].tolist()
    assert [len(row["counterfactuals"]) for row in told["rows"]] == table.groupby("factual").size().reindex(
        range(1, 7), fill_value=0
    ).tolist()
    assert [", ".join(names) for names in table["changed"]] == read["changed"].tolist()
    assert table["since"].dtype.kind == "M"
    assert (tmp_path / "answers.html").read_text().startswith("<!DOCTYPE html>")


def test_parquet_and_csv_rows_give_the_same_answers_named_by_an_id(folder, capsys):
    answers = []
    for rows in ("rejected.csv", "rejected.parquet"):
        command = ["explain", str(folder / "loans.cfn"), str(folder / rows), "--target", "good", "--id", "customer"]
        assert main([*command, *QUICK]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1]
    assert answers[0].splitlines()[1].startswith("c")


def test_a_part_of_the_rows_and_columns_in_another_order_give_the_same_answers(folder, capsys, tmp_path):
    assert explain(folder, "--id", "customer") == 0
    whole = pd.read_csv(StringIO(capsys.readouterr().out), dtype=str)
    some = pd.read_csv(folder / "rejected.csv", dtype=str).iloc[[1]]
    some[sorted(set(some.columns) - {"risk"})].to_csv(tmp_path / "some.csv", index=False)
    command = ["explain", str(folder / "loans.cfn"), str(tmp_path / "some.csv"), "--target", "good", "--id", "customer"]
    assert main([*command, *QUICK]) == 0
    part = pd.read_csv(StringIO(capsys.readouterr().out), dtype=str)
    own = whole[whole["factual"] == some["customer"].iloc[0]].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, own[list(part.columns)])


def test_a_terminal_gets_a_view_and_a_pipe_gets_csv(folder, capsys, monkeypatch):
    assert explain(folder, "--count", "1") == 0
    assert capsys.readouterr().out.startswith("factual,rank,changed,")
    monkeypatch.setattr(explain_command.sys.stdout, "isatty", lambda: True)
    assert explain(folder, "--count", "1") == 0
    told = capsys.readouterr()
    assert "Explanation" in told.out.splitlines()[0]
    assert "--out answers.html" in told.err
    assert explain(folder, "--count", "1", "--out", "-") == 0
    assert capsys.readouterr().out.startswith("factual,rank,changed,")


def test_rows_without_an_answer_are_told_and_are_no_failure(folder, capsys):
    everything = "checking_account,duration_months,credit_amount,sex,age,job,telephone,since,branch,share"
    assert explain(folder, "--immutable", everything) == 0
    told = capsys.readouterr()
    assert told.out.count("\n") == 1  # the names of the columns
    assert "note: 6 rows (1, 2, 3, 4, 5, ... (1 more)): the constraints leave nothing to change" in told.err
    assert explain(folder, "--range", "credit_amount=500:600", "--immutable", "credit_amount", "--format", "json") == 0
    told = capsys.readouterr()
    assert {row["outcome"] for row in json.loads(told.out)["rows"]} == {"contradiction"}


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--target", "gut"], "unknown target class 'gut'. Allowed: 'bad', 'good'."),
        (["--immutable", "sx"], "Did you mean 'sex'?"),
        (["--increasing", "sex"], 'when you fit: counterflownet fit ... --order "sex=female,male"'),
        (["--range", "age"], "--range needs COLUMN=..."),
        (["--range", "age=5"], "--range needs COLUMN=LOW:HIGH"),
        (["--range", "age=old:"], "'old' is not a valid integer value"),
        (["--one-of", "sex=femal"], "Did you mean 'female'?"),
        (["--max-step", "age=far"], "needs a number; got 'far'"),
        (["--max-changes", "0"], "at least 1"),
        (["--count", "0"], "count must be a whole number"),
        (["--id", "customr"], "Did you mean 'customer'?"),
        (["--out", "answers.docx"], "unknown kind of answers 'answers.docx'"),
        (["--model", "nothing.skops"], "there is no model file 'nothing.skops'"),
    ],
)
def test_a_mistake_is_one_line(folder, options, part, capsys):
    assert explain(folder, *options) == 2
    assert part in error_line(capsys)


def test_missing_columns_are_named(folder, tmp_path, capsys):
    (tmp_path / "rows.csv").write_text("age,sex\n30,male\n")
    assert main(["explain", str(folder / "loans.cfn"), str(tmp_path / "rows.csv"), "--target", "good"]) == 2
    assert "lacks 8 of the 10 columns the explainer was fitted on: checking_account" in error_line(capsys)


def test_a_cell_of_another_type_is_named(folder, tmp_path, capsys):
    rows = pd.read_csv(folder / "rejected.csv", dtype=str).assign(age="young")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    assert main(["explain", str(folder / "loans.cfn"), str(tmp_path / "rows.csv"), "--target", "good"]) == 2
    assert "column 'age' must hold numbers; got 'young' in row 1." in error_line(capsys)


def test_words_for_missing_values_are_an_option(folder, tmp_path, capsys):
    rows = pd.read_csv(folder / "rejected.csv", dtype=str).assign(share="n/a")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    assert explain_rows(folder, tmp_path / "rows.csv") == 2
    assert "got 'n/a' in row 1. If that means a missing value: --missing 'n/a'" in error_line(capsys)
    assert explain_rows(folder, tmp_path / "rows.csv", "--missing", "NA,n/a") == 0
    assert pd.read_csv(StringIO(capsys.readouterr().out))["share"].isna().any()


def test_nothing_in_a_table_acts_in_the_terminal(folder, tmp_path, capsys):
    rows = pd.read_csv(folder / "rejected.csv", dtype=str).assign(customer="\x1b]0;owned\x07\u202e")
    rows.to_csv(tmp_path / "rows.csv", index=False)
    assert (
        explain_rows(folder, tmp_path / "rows.csv", "--id", "customer", "--max-step", "age=0.5", "--mutable", "age")
        == 0
    )
    told = capsys.readouterr().err
    assert r"\x1b]0;owned\x07\u202e" in told
    rows.rename(columns={"age": "\x1b[2Jage"}).to_csv(tmp_path / "rows.csv", index=False)
    assert explain_rows(folder, tmp_path / "rows.csv", "--id", "\x1bcustomer") == 2
    told += capsys.readouterr().err
    with pytest.raises(SystemExit):
        explain_rows(folder, tmp_path / "rows.csv", "\x1b[2J.csv")
    told += capsys.readouterr().err
    assert all(line.isprintable() for line in told.split("\n"))


def test_an_explainer_without_its_model_says_what_to_give(folder, tmp_path, capsys):
    alone = tmp_path / "alone.cfn"
    alone.write_bytes((folder / "loans.cfn").read_bytes())
    assert main(["explain", str(alone), str(folder / "rejected.csv")]) == 2
    assert "expected 'alone.skops'" in error_line(capsys)


@pytest.mark.parametrize("command", ["fit", "explain"])
def test_help_teaches(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    told = capsys.readouterr().out
    assert all(part in told for part in ("examples:", "Exit code", "--trust-pickle", "CSV from standard input"))


def test_rows_come_from_a_pipe(folder, capsys, monkeypatch):
    assert explain(folder) == 0
    from_file = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO((folder / "rejected.csv").read_bytes())))
    assert main(["explain", str(folder / "loans.cfn"), "-", "--target", "good", *QUICK]) == 0
    assert capsys.readouterr().out == from_file


def test_a_reader_who_leaves_early_is_no_error(folder):
    command = f"'{sys.executable}' -m counterflownet.cli explain loans.cfn rejected.csv --target good {' '.join(QUICK)}"
    shell = ["/bin/bash", "-c", f"{command} | true; echo ${{PIPESTATUS[0]}}"]
    done = subprocess.run(shell, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.stdout == "0\n"
    assert all(line.startswith("counterflownet: note: ") for line in done.stderr.splitlines())


@pytest.mark.parametrize("epilog", [EPILOG, fit_command.EPILOG, explain_command.EPILOG])
def test_every_example_of_the_help_is_a_command(epilog):
    examples = epilog.partition("examples:")[2].replace("\\\n", " ").splitlines()
    for example in filter(None, examples):
        words = shlex.split(example.partition(">" if "|" in example else "\n")[0])
        parsed(words[words.index("counterflownet") + 1 :])

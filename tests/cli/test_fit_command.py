"""From a table to an explainer and a model beside it."""

import os
from pathlib import Path

import pandas as pd
import pytest
from loan_commands import error_line, fit

from counterflownet import CounterFlowNet
from counterflownet.cli import main
from counterflownet.cli.skops_model import load_skops


@pytest.fixture
def in_folder(folder, monkeypatch, tmp_path) -> Path:
    """An empty folder with a link to the table, so that a wrong command spoils nothing."""
    (tmp_path / "loans.csv").symlink_to(folder / "loans.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_columns_are_taken_for_what_they_look_like(folder):
    explainer = CounterFlowNet.load(folder / "loans.cfn", load_skops(folder / "loans.skops"))
    kinds = {feature.name: str(feature.kind) for feature in explainer.schema}
    assert kinds == {
        "checking_account": "categorical",
        "duration_months": "integer",
        "credit_amount": "integer",
        "sex": "categorical",
        "age": "integer",
        "job": "ordered",
        "telephone": "boolean",
        "since": "date",
        "branch": "categorical",
        "share": "continuous",
    }
    assert explainer.schema["branch"].values == ("0100", "0200", "0300")


def test_the_model_beside_takes_raw_columns_with_missing_and_new_values(folder, loans):
    model = load_skops(folder / "loans.skops")
    rows = (
        loans.drop(columns=["customer", "risk"]).head(3).assign(branch="never seen", since=pd.NaT, share=float("nan"))
    )
    assert model.predict_proba(rows).shape == (3, 2)
    assert list(model.classes_) == ["bad", "good"]


def test_it_says_what_it_did(in_folder, capsys):
    fit(Path("loans.csv"), Path("deep/loans.cfn"), "--drop", "customer,branch", "--kind", "duration_months=categorical")
    told = capsys.readouterr().out
    assert "Schema(9 columns)" in told
    assert "duration_months   categorical" in told
    assert "gradient boosting, accuracy " in told
    assert "on 32 held-out rows" in told
    assert "deep/loans.cfn: History(2 steps" in told
    assert "deep/loans.skops: the model" in told


def test_bins_weights_and_seed_arrive(in_folder):
    options = ["--drop", "customer", "--bins", "8", "--bins", "age=4", "--weights", "sparsity=0.9", "--seed", "3"]
    fit(Path("loans.csv"), Path("loans.cfn"), *options)
    explainer = CounterFlowNet.load("loans.cfn", load_skops(Path("loans.skops")))
    assert explainer.schema["age"].code_count <= 4 < explainer.schema["credit_amount"].code_count <= 8
    assert explainer.settings.weights.sparsity == 0.9
    assert explainer.settings.seed == 3


def test_rows_without_a_class_are_left_out_and_told(in_folder, loans, capsys):
    loans.head(60).assign(risk=lambda frame: frame["risk"].where(frame.index > 4)).to_csv("some.csv", index=False)
    fit(Path("some.csv"), Path("some.cfn"), "--drop", "customer")
    assert "note: ignoring 5 rows without a value for 'risk'." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--target", "rsik"], "Did you mean 'risk'?"),
        ([], "--target, the column to learn from, is required"),
        (["--target", "risk", "--drop", "customr"], "Did you mean 'customer'?"),
        (["--target", "risk", "--kind", "zip=categorical"], "unknown column in --kind 'zip'"),
        (["--target", "risk", "--kind", "age=category"], "Did you mean 'categorical'?"),
        (["--target", "risk", "--kind", "age"], "--kind needs COLUMN=..."),
        (["--target", "risk", "--kind", "sex=integer"], "must hold numbers; got 'male' in row 1."),
        (["--target", "risk", "--kind", "sex=date"], "must hold dates such as 2024-01-31; got 'male' in row 1."),
        (["--target", "risk", "--order", "job=skilled"], "but also holds"),
        (["--target", "risk", "--bins", "many"], "--bins needs a whole number"),
        (["--target", "risk", "--drop", "customer", "--weights", "sparsity"], "--weights needs NAME=NUMBER"),
        (["--target", "risk", "--drop", "customer", "--weights", "sparsty=1"], "Did you mean 'sparsity'?"),
        (["--target", "customer"], "160 different values"),
        (["--target", "risk", "--model", "model.txt"], "--model must be a .skops file"),
    ],
)
def test_a_mistake_is_one_line(in_folder, options, part, capsys):
    assert main(["fit", "loans.csv", *options, "--steps", "1", "--out", "out.cfn"]) == 2
    assert part in error_line(capsys)
    assert [path.name for path in in_folder.iterdir()] == ["loans.csv"]


@pytest.mark.parametrize(
    ("data", "content", "part"),
    [
        ("nothing.csv", None, "No such file"),
        ("sheet.xlsx", b"", "unknown kind of table"),
        ("empty.csv", b"", "is empty"),
        ("torn.csv", b'a,b\n1,"2\n', "cannot be read as CSV"),
        ("latin.csv", "größe,risk\n1,ä\n".encode("latin-1"), "Save it as CSV in UTF-8"),
        ("torn.parquet", b"PAR1", "cannot be read as Parquet"),
        ("one.csv", b"a,risk\n1,good\n2,good\n", "has only one value, good"),
    ],
)
def test_a_table_that_cannot_be_used_is_one_line(in_folder, data, content, part, capsys):
    if content is not None:
        Path(data).write_bytes(content)
    assert main(["fit", data, "--target", "risk", "--out", "out.cfn"]) == 2
    assert part in error_line(capsys)


def test_places_are_checked_before_anything_is_learned(in_folder, capsys):
    Path("mine.skops").touch()
    for out, part in [("mine.cfn", "--model mine.skops"), ("new.skops", "use new.cfn"), (os.curdir, "is a folder")]:
        assert main(["fit", "loans.csv", "--target", "risk", "--out", out]) == 2
        assert part in error_line(capsys)
    assert Path("mine.skops").read_bytes() == b""

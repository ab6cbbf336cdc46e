"""Weights and costs on the command line."""

import pandas as pd
import pytest
from loan_commands import error_line, explain, fit


def test_weights_and_costs_are_those_of_explain(folder, tmp_path, capsys):
    out = tmp_path / "answers.csv"
    words = ["--weight", "sparsity=0.9", "--weight", "plausibility=0", "--cost", "age=4", "--cost", "sex=0"]
    assert explain(folder, *words, "--out", str(out)) == 0
    assert "plausibility" not in pd.read_csv(out).columns
    assert "trained for one preference" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--weight", "sparsty=0.9"], "unknown name in --weight 'sparsty'. Did you mean 'sparsity'?"),
        (["--weight", "sparsity"], "--weight needs NAME=..."),
        (["--weight", "sparsity=much"], "between 0 and 1; got 'much'"),
        (["--cost", "aeg=4"], "unknown column in --cost 'aeg'. Did you mean 'age'?"),
        (["--cost", "age=17"], "between 0 and 16; got 17"),
        (["--cost", "age=nan"], "between 0 and 16; got nan"),
    ],
)
def test_bad_ones_are_told_in_one_line(folder, words, told, capsys):
    assert explain(folder, *words) == 2
    assert told in error_line(capsys)


def test_an_explainer_fitted_for_preferences_needs_no_correction(folder, tmp_path, capsys):
    fit(folder / "loans.csv", tmp_path / "loans.cfn", "--drop", "customer", "--preferences")
    (tmp_path / "rejected.csv").write_bytes((folder / "rejected.csv").read_bytes())
    assert explain(tmp_path, "--cost", "age=4", "--out", str(tmp_path / "answers.csv")) == 0
    assert "trained for one preference" not in capsys.readouterr().err

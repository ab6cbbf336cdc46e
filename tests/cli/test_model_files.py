"""Every kind of model, from the file to the answers; and what is refused."""

import sys
import warnings
from pathlib import Path
from zipfile import ZipFile

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io
from loan_commands import QUICK, error_line, explain_rows, fit
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from counterflownet.cli import main

NUMBERS = ["duration_months", "credit_amount", "age"]
WORDS = ["checking_account", "sex", "job"]
OTHERS = "customer,telephone,since,branch,share"
FIT = ["fit", "loans.csv", "--target", "risk", "--steps", "1", "--out", "own.cfn", "--model"]


@pytest.fixture(scope="module")
def linear(loans) -> Pipeline:
    """A model on some of the raw columns, in an order of its own."""
    columns = make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(handle_unknown="ignore"), WORDS))
    return make_pipeline(columns, LogisticRegression()).fit(loans[[*NUMBERS, *WORDS]], loans["risk"])


@pytest.fixture
def here(folder, monkeypatch, tmp_path) -> Path:
    for name in ("loans.csv", "rejected.csv"):
        (tmp_path / name).symlink_to(folder / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explained(model: str, *options: str, target: str = "good") -> pd.DataFrame:
    command = ["explain", "own.cfn", "rejected.csv", "--model", model, "--target", target, *options, *QUICK]
    assert main([*command, "--out", "answers.csv"]) == 0
    return pd.read_csv("answers.csv", keep_default_na=False)


def answers(model: str, *options: str, target: str = "good", fitting: tuple[str, ...] = ()) -> pd.DataFrame:
    """Fitted and explained with the model, both by command."""
    fit(Path("loans.csv"), Path("own.cfn"), "--model", model, *options, *fitting)
    return explained(model, *options, target=target)


def test_a_skops_file_is_loaded_and_its_columns_are_taken(here, linear, capsys):
    skops.io.dump(linear, "linear.skops")
    found = answers("linear.skops")
    told = capsys.readouterr()
    assert "columns that the model does not use: telephone, since, branch, share, customer" in told.err
    assert "the model agrees with 'risk' on " in told.out
    assert (linear.predict(found[[*NUMBERS, *WORDS]]) == "good").all()
    assert len(found) > 0
    assert not Path("own.skops").exists()


def test_another_model_than_the_one_fitted_with_is_told(here, linear, loans, capsys):
    skops.io.dump(linear, "linear.skops")
    fit(Path("loans.csv"), Path("own.cfn"), "--model", "linear.skops")
    X = loans[[*NUMBERS, *WORDS]]
    linear = make_pipeline(linear[0], LogisticRegression(C=1e-4)).fit(X, loans["risk"])
    skops.io.dump(linear, "other.skops")
    explained("other.skops", "--other-model")
    assert "note: this is not the classifier the explainer was fitted with" in capsys.readouterr().err


def test_a_forest_in_a_skops_file_is_loaded_because_its_trees_are_checked(here, loans):
    forest = RandomForestClassifier(5, random_state=0).fit(loans[NUMBERS], loans["risk"])
    skops.io.dump(forest, "forest.skops")
    assert len(answers("forest.skops"))
    assert len(answers("forest.skops", "--trust", "sklearn.tree._tree.Tree"))


def test_a_model_of_another_type_needs_trust_by_name(here, loans, capsys):
    skops.io.dump(KNeighborsClassifier(algorithm="brute").fit(loans[NUMBERS], loans["risk"]), "near.skops")
    assert main([*FIT, "near.skops"]) == 2
    name = "sklearn.neighbors._classification.KNeighborsClassifier"
    assert f"--trust {name}. Otherwise ask for the model as an .onnx file." in error_line(capsys)
    assert len(answers("near.skops", "--trust", name))


def test_a_skops_file_with_a_function_of_someone_is_refused(here, linear, capsys):
    skops.io.dump(make_pipeline(FunctionTransformer(someones_code), linear), "odd.skops")
    assert main([*FIT, "odd.skops"]) == 2
    assert "someones_code" in error_line(capsys)


@pytest.mark.parametrize(("name", "kind"), [("broken.skops", "a skops file"), ("broken.onnx", "an ONNX model")])
def test_a_broken_file_is_one_line(here, name, kind, capsys):
    Path(name).write_bytes(b"nothing of the kind")
    assert main([*FIT, name]) == 2
    assert f"cannot be read as {kind}" in error_line(capsys)


def test_a_pickle_is_loaded_with_explicit_trust_only(here, linear, capsys):
    joblib.dump(linear, "linear.joblib")
    assert main([*FIT, "linear.joblib"]) == 2
    assert "--trust-pickle" in error_line(capsys)
    assert len(answers("linear.joblib", "--trust-pickle"))


def test_a_function_of_a_module_in_the_current_folder(here, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    Path("scoring_here.py").write_text(
        "def nameless(frame):\n    return 1 / (1 + 2.7 ** ((frame['credit_amount'] - 2500) / 1000))\n"
        "def named(frame):\n    return nameless(frame)\n"
        "named.classes = ['bad', 'good']\n"
    )
    assert main([*FIT, "scoring_here:nameless"]) == 2
    assert "--classes bad,good" in error_line(capsys)
    found = answers("scoring_here:named", fitting=("--drop", OTHERS))
    assert (found["credit_amount"] < 2500).all()
    fit(Path("loans.csv"), Path("own.cfn"), "--model", "scoring_here:nameless", "--classes", "no,yes")
    assert len(explained("scoring_here:nameless", target="yes"))  # the explainer knows the labels


@pytest.mark.parametrize(
    ("model", "part"),
    [
        ("no_such_module_here:f", "No module named 'no_such_module_here'"),
        ("math:no_such", "'math' has no 'no_such'"),
        ("failing_here:f", "RuntimeError: out of order"),
        ("failing_too:f", "the classifier failed with KeyError"),
    ],
)
def test_a_module_that_does_not_do_is_one_line(here, model, part, capsys):
    Path("failing_here.py").write_text("raise RuntimeError('out of\\norder')\n")
    Path("failing_too.py").write_text("f = lambda frame: frame['nothing']\n")
    assert main([*FIT, model, "--classes", "bad,good"]) == 2
    assert part in error_line(capsys)


def test_onnx_with_an_input_for_each_column_and_labels_in_the_probabilities(here, linear):
    to_onnx(linear, "linear.onnx", [(name, onnx_type(name)) for name in [*NUMBERS, *WORDS]])
    found = answers("linear.onnx")
    assert len(found) > 0
    assert (linear.predict(found[[*NUMBERS, *WORDS]]) == "good").all()


def test_onnx_with_one_table_of_numbers_and_whole_numbers_as_labels(here, loans, capsys):
    model = LogisticRegression(max_iter=2000).fit(loans[NUMBERS].to_numpy(float), 1 + (loans["risk"] == "good"))
    to_onnx(model, "plain.onnx", [("X", onnx_type("age", width=3))], zipmap=False)
    drop = ("--drop", f"{OTHERS},{','.join(WORDS)}")
    found = answers("plain.onnx", target="1", fitting=drop)
    assert "none of the model's classes (1, 2) is a value of 'risk'" in capsys.readouterr().err
    assert len(found) > 0
    assert (model.predict(found[NUMBERS].to_numpy(float)) == 1).all()
    assert len(answers("plain.onnx", "--classes", "bad,good", target="bad", fitting=drop))


def test_onnx_of_numbers_says_which_columns_are_words(here, loans, capsys):
    model = LogisticRegression(max_iter=2000).fit(loans[NUMBERS].to_numpy(float), loans["risk"])
    to_onnx(model, "plain.onnx", [("X", onnx_type("age", width=3))])
    assert main([*FIT, "plain.onnx"]) == 2
    assert "takes only numbers, but checking_account, sex, job" in error_line(capsys)


def onnx_type(name: str, width: int = 1):
    from skl2onnx.common import data_types  # noqa: PLC0415 - slow, and needed by three tests only

    return (data_types.FloatTensorType if name in NUMBERS else data_types.StringTensorType)([None, width])


def to_onnx(model, path: str, inputs: list, *, zipmap: bool = True) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own affairs
        from skl2onnx import convert_sklearn  # noqa: PLC0415

        options = None if zipmap else {id(model): {"zipmap": False}}
        exported = convert_sklearn(model, initial_types=inputs, options=options)
    Path(path).write_bytes(exported.SerializeToString())


def someones_code(frame):
    return np.asarray(frame)


def test_a_model_file_with_another_checksum_is_refused_unless_it_is_meant(folder, tmp_path, capsys) -> None:
    for name in ("loans.cfn", "loans.skops"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    with ZipFile(tmp_path / "loans.skops", "a") as archive:
        archive.comment = b"the same model in another file"
    assert explain_rows(tmp_path, folder / "rejected.csv", "--out", str(tmp_path / "answers.csv")) == 2
    assert "its checksum differs. To explain it all the same: --other-model" in error_line(capsys)
    assert explain_rows(tmp_path, folder / "rejected.csv", "--other-model", "--out", str(tmp_path / "answers.csv")) == 0
    assert explain_rows(folder, folder / "rejected.csv", "--out", str(tmp_path / "before.csv")) == 0
    assert (tmp_path / "answers.csv").read_text() == (tmp_path / "before.csv").read_text()

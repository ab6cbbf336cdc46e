"""Labels that do not fit the table are told, with the option that would."""

import numpy as np
import pandas as pd
import pytest

from counterflownet.classifier import as_classifier
from counterflownet.cli.agreement import tell_agreement
from counterflownet.cli.boosting import boosted
from counterflownet.errors import InvalidInputError
from counterflownet.tabular.schema import Schema

X = pd.DataFrame({"a": np.linspace(0, 1, 50)})
RISK = pd.Series(np.where(X["a"] > 0.43, "good", "bad"), name="risk")


def named(*classes: str) -> object:
    return as_classifier(lambda rows: rows["a"], classes=classes)


def test_labels_in_the_wrong_order_name_the_right_one() -> None:
    with pytest.raises(InvalidInputError, match=r"--classes good,bad the model agrees.*--classes bad,good it would on"):
        tell_agreement(named("good", "bad"), X, RISK, named=True)


def test_a_label_that_is_misspelt_names_the_right_one() -> None:
    with pytest.raises(InvalidInputError, match=r"with --classes bad,good it would"):
        tell_agreement(named("bad", "godo"), X, RISK, named=True)


def test_labels_that_fit_are_said_to(capsys) -> None:
    tell_agreement(named("bad", "good"), X, RISK, named=True)
    assert "the model agrees with 'risk' on 9" in capsys.readouterr().out


def test_a_model_with_labels_of_its_own_may_disagree(capsys) -> None:
    tell_agreement(named("good", "bad"), X, RISK, named=False)
    assert "agrees with 'risk' on 6.0%" in capsys.readouterr().out


def test_labels_of_another_world_are_translated(capsys) -> None:
    tell_agreement(named("no", "yes"), X, RISK, named=True)
    assert "in the order of its answers: --classes bad,good." in capsys.readouterr().err


def test_labels_with_commas_are_quoted(capsys) -> None:
    tell_agreement(named("no", "yes"), X, RISK.replace("bad", "bad, very"), named=True)
    assert '--classes "bad, very",good.' in capsys.readouterr().err


def test_two_rows_are_too_few_to_train_on() -> None:
    few = X.iloc[[0, -1]]
    with pytest.raises(InvalidInputError, match=r"2 rows .* too few to train a model on.*--model MODEL"):
        boosted(few, RISK.iloc[[0, -1]], Schema.infer(few), 0)


def test_a_model_that_is_no_better_than_a_guess_is_told(capsys) -> None:
    noise = pd.Series(np.random.default_rng(0).choice(["a", "b"], 50, p=[0.8, 0.2]), name="risk")
    boosted(X, noise, Schema.infer(X), 0)
    assert "no better than always predicting the most frequent class" in capsys.readouterr().err

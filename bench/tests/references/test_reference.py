import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet.classifier import as_classifier
from counterflownet.errors import InvalidInputError
from counterflownet.protocols import Classifier
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.references.reference import (
    RECIPES,
    ColumnRoles,
    LabelledRows,
    LogisticSettings,
    NetworkSettings,
    reference_classifier,
    trained_reference,
)

QUICK = NetworkSettings(hidden=16, epochs=40, batch=10, held_out=0.2)
CONTINUOUS = {
    "german_credit": ("Months", "Credit-amount", "age"),
    "student_performance": ("age", "absences", "G1", "G2"),
    "graduate_admission": ("GRE Score", "TOEFL Score", "CGPA"),
}


def published(folder: Path, name: str) -> tuple[LabelledRows, LabelledRows, ColumnRoles]:
    """The published split of a data set; its last column is the label."""
    train, test = (pd.read_csv(folder / name / f"{part}.csv") for part in ("train", "test"))
    roles = ColumnRoles.infer(pd.concat([train, test]).iloc[:, :-1], CONTINUOUS[name])
    return LabelledRows(train.iloc[:, :-1], train.iloc[:, -1]), LabelledRows(test.iloc[:, :-1], test.iloc[:, -1]), roles


@pytest.fixture(name="rows")
def labelled_rows(X, high) -> LabelledRows:
    return LabelledRows(X, pd.Series(np.where(high, "rich", "poor")))


@pytest.fixture
def roles() -> ColumnRoles:
    return ColumnRoles(continuous=("age", "income"), categorical={"housing": ("own", "rent")})


@pytest.mark.parametrize(
    ("name", "accuracy", "predicted_bad"), [("german_credit", 0.67, 0.44), ("student_performance", 0.9469, 0.6726)]
)
def test_the_logistic_regressions_are_those_of_the_published_table(published_folder, name, accuracy, predicted_bad):
    found = trained_reference(*published(published_folder, name), RECIPES[name], seed=0)
    assert round(found.accuracy, 4) == accuracy == CARDS[name].published_accuracy
    assert round(found.predicted[0], 4) == predicted_bad


def test_the_admission_network_is_about_as_good_as_the_published_ones(published_folder):
    found = trained_reference(*published(published_folder, "graduate_admission"), RECIPES["graduate_admission"], seed=0)
    assert found.accuracy == pytest.approx(CARDS["graduate_admission"].published_accuracy, abs=0.05)
    assert repr(found.classifier) == "ReferenceClassifier(28-40-40-2, classes=(0, 1))"


@pytest.mark.parametrize("settings", [LogisticSettings(), QUICK], ids=["logistic", "network"])
def test_a_reference_learns_and_is_a_classifier_on_raw_columns(rows, roles, settings):
    found = trained_reference(rows, rows, roles, settings, seed=0)
    assert isinstance(found.classifier, Classifier)
    assert found.classifier.classes == ("poor", "rich")
    answer = as_classifier(found.classifier).probabilities(rows.X)
    assert found.accuracy == (np.array(["poor", "rich"])[answer.argmax(axis=1)] == rows.y).mean() > 0.8
    assert found.predicted["rich"] == answer.argmax(axis=1).mean()


@pytest.mark.parametrize(("scaled_on_test", "mean"), [(True, 45.0), (False, 40.0)])
def test_numbers_are_scaled_by_test_rows_too_if_the_settings_say_so(rows, roles, scaled_on_test, mean):
    train, test = (LabelledRows(rows.X.assign(age=age), rows.y) for age in (40, 50))
    settings = LogisticSettings(scaled_on_test=scaled_on_test)
    assert trained_reference(train, test, roles, settings, seed=0).classifier.encoder.mean[0] == mean


def test_a_row_is_answered_the_same_whatever_stands_beside_it(rows, roles):
    classifier = trained_reference(rows, rows, roles, QUICK, seed=0).classifier
    together = classifier.probabilities(rows.X)
    alone = np.concatenate([classifier.probabilities(rows.X.iloc[[i]]) for i in range(len(rows.X))])
    assert alone == pytest.approx(together, abs=1e-14)
    assert classifier.probabilities(rows.X[:0]).shape == (0, 2)


def test_the_same_seed_gives_the_same_network_and_another_another(rows, roles):
    first, again, other = (trained_reference(rows, rows, roles, QUICK, seed=seed) for seed in (3, 3, 4))
    weights = [found.classifier.layers[0].weight for found in (first, again, other)]
    assert (weights[0] == weights[1]).all()
    assert (weights[0] != weights[2]).any()


def test_training_leaves_the_generators_of_the_process_alone(rows, roles, without_annotations):
    before, numpy_before, python_before = torch.get_rng_state(), np.random.get_state(), random.getstate()  # noqa: NPY002
    trained_reference(rows, rows, roles, QUICK, seed=0)
    assert torch.equal(before, torch.get_rng_state())
    assert (numpy_before[1] == np.random.get_state()[1]).all()  # noqa: NPY002
    assert python_before == random.getstate()


def test_three_classes_are_learnt_as_well(rows, roles):
    income = rows.X["income"].to_numpy()
    three = LabelledRows(rows.X, pd.Series(np.digitize(income, np.quantile(income, [1 / 3, 2 / 3]))))
    for settings in (LogisticSettings(held_out=0.0), NetworkSettings(epochs=60, dropout=0.0, batch=10)):
        assert trained_reference(three, three, roles, settings, seed=0).accuracy > 0.8


def test_a_classifier_is_trained_once_and_then_read(rows, roles, tmp_path):
    fresh = reference_classifier(rows, rows, roles, QUICK, seed=0, cache=tmp_path)
    stored = reference_classifier(rows, rows, roles, QUICK, seed=0, cache=tmp_path)
    assert (fresh.classifier.probabilities(rows.X) == stored.classifier.probabilities(rows.X)).all()
    assert (fresh.accuracy, fresh.predicted, fresh.seconds) == (stored.accuracy, stored.predicted, stored.seconds)
    assert stored.classifier.classes == ("poor", "rich")
    assert len(list(tmp_path.rglob("*.*"))) == 1


def test_a_row_without_a_label_is_an_error(rows):
    with pytest.raises(InvalidInputError, match="60 rows and 59 labels"):
        LabelledRows(rows.X, rows.y[:59])


def test_a_column_that_is_not_there_is_named(rows, roles, tmp_path):
    with pytest.raises(InvalidInputError, match="lacks the columns housing; it has age, income"):
        reference_classifier(
            LabelledRows(rows.X[["age", "income"]], rows.y), rows, roles, QUICK, seed=0, cache=tmp_path
        )

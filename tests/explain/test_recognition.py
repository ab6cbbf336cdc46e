"""Files know the names that a classifier was given, and give them back to the same classifier alone."""

from pathlib import Path

import pytest
from model_kinds import THREE, WORDS, X, chance_of_frame
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from counterflownet import CounterFlowNet
from counterflownet.errors import SavedFileError

TINY = {"training": {"steps": 2, "batch_rows": 8, "width": 16, "passes": 1}, "weights": {"plausibility": 0}}


def saved(folder: Path, model: object, classes: list[str] | None) -> Path:
    return CounterFlowNet(model, classes=classes, **TINY).fit(X).save(folder / "made.cfn")


def test_a_function_gets_its_classes_from_the_file(tmp_path: Path) -> None:
    path = saved(tmp_path, chance_of_frame, ["bad", "good"])
    assert CounterFlowNet.load(path, chance_of_frame).classes == ("bad", "good")


def test_a_model_that_was_renamed_is_renamed_again(tmp_path: Path) -> None:
    model = DecisionTreeClassifier(max_depth=2).fit(X, THREE)
    path = saved(tmp_path, model, ["low", "middle", "high"])
    assert CounterFlowNet.load(path, model).classes == ("low", "middle", "high")


def test_a_model_with_other_labels_does_not_get_the_names(tmp_path: Path) -> None:
    path = saved(tmp_path, LogisticRegression().fit(X, WORDS), ["no", "yes"])
    with pytest.raises(SavedFileError, match="was fitted for the classes"):
        CounterFlowNet.load(path, LogisticRegression().fit(X, WORDS == "bad"))


def test_a_decision_function_keeps_its_scale(tmp_path: Path) -> None:
    model = SVC().fit(X, WORDS)
    explainer = CounterFlowNet(model, **TINY).fit(X)
    loaded = CounterFlowNet.load(explainer.save(tmp_path / "made.cfn"), model)
    before, after = (one.classifier.probabilities(X.head(3)) for one in (explainer, loaded))
    assert before.tolist() == after.tolist()
    assert len(X.head(3)) < 20 < len(X)  # so few rows alone would set no scale

import numpy as np
import pytest
import torch
from torch import nn

from counterflownet.classifier import TorchClassifier, as_classifier
from counterflownet.errors import ClassifierError, InvalidInputError
from counterflownet.protocols import Classifier


class Fixed(nn.Module):
    """A module that answers what it was told, for as many rows as it is given."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer

    def forward(self, rows):
        return torch.tensor(self.answer).expand(len(rows), *np.shape(self.answer))


class Pair(nn.Module):
    def forward(self, rows):
        return rows, rows


class Watching(nn.Linear):
    """A module that remembers how it was asked."""

    def forward(self, rows):
        self.asked_for_inference = torch.is_inference_mode_enabled()
        return super().forward(rows)


def as_array(frame):
    return frame[["age", "income"]].to_numpy(dtype=np.float64)


def test_logits_become_probabilities_of_every_class(X):
    module = nn.Linear(2, 3)
    found = TorchClassifier(module, as_array, ["a", "b", "c"]).probabilities(X)
    with torch.no_grad():
        expected = module(torch.tensor(as_array(X), dtype=torch.float32)).softmax(dim=1)
    assert found == pytest.approx(expected.double().numpy(), abs=1e-6)


@pytest.mark.parametrize("answer", [1.5, [1.5], [0.0, 1.5]])
def test_one_logit_is_that_of_the_second_class(X, answer):
    found = TorchClassifier(Fixed(answer), as_array, ["no", "yes"]).probabilities(X)
    assert found[:, 1] == pytest.approx(1.0 / (1.0 + np.exp(-1.5)))


@pytest.mark.parametrize("answer", [0.75, [0.75], [0.25, 0.75]])
def test_probabilities_are_taken_as_they_are(X, answer):
    found = TorchClassifier(Fixed(answer), as_array, ["no", "yes"], outputs="probabilities").probabilities(X)
    assert (found == [0.25, 0.75]).all()


@pytest.mark.parametrize("preprocess", [as_array, lambda frame: frame[["age", "income"]], lambda f: torch.ones(60, 2)])
def test_arrays_frames_and_tensors_are_inputs(X, preprocess):
    assert TorchClassifier(nn.Linear(2, 2), preprocess, [0, 1]).probabilities(X).shape == (60, 2)


def test_whole_numbers_stay_whole_for_embeddings(X):
    module = nn.Sequential(nn.Embedding(100, 2))
    found = TorchClassifier(module, lambda frame: frame["age"].to_numpy(), [0, 1]).probabilities(X)
    assert found.shape == (60, 2)


def test_it_is_asked_in_evaluation_mode_and_every_part_gets_its_mode_back(X):
    module = nn.Sequential(nn.BatchNorm1d(2).eval(), nn.Dropout(0.9), nn.Linear(2, 2))
    classifier = TorchClassifier(module, as_array, [0, 1])
    assert (classifier.probabilities(X) == classifier.probabilities(X)).all()
    assert [part.training for part in module] == [False, True, True]


def test_it_is_asked_without_gradients(X):
    module = Watching(2, 2)
    TorchClassifier(module, as_array, [0, 1]).probabilities(X)
    assert module.asked_for_inference


def test_a_preprocessing_that_edits_its_table_does_not_edit_ours(X):
    def careless(frame):
        numbers = as_array(frame)
        frame.loc[-1] = frame.iloc[0]
        return numbers

    found = TorchClassifier(Fixed([1.5]), careless, [0, 1]).probabilities(X)
    assert len(found) == len(X) == 60


def test_the_mode_comes_back_after_a_failure_too(X):
    module = nn.Sequential(nn.Dropout(), nn.Linear(5, 2))
    with pytest.raises(ClassifierError, match="RuntimeError: mat1 and mat2"):
        TorchClassifier(module, as_array, [0, 1]).probabilities(X)
    assert module.training


def test_more_than_one_output_is_an_error(X):
    with pytest.raises(ClassifierError, match=r"single tensor; got tuple\. Wrap it"):
        TorchClassifier(Pair(), as_array, [0, 1]).probabilities(X)


def test_logits_declared_as_probabilities_are_an_error(X):
    with pytest.raises(ClassifierError, match="between 0 and 1"):
        TorchClassifier(Fixed([-2.0, 3.0]), as_array, [0, 1], outputs="probabilities").probabilities(X)


def test_one_logit_for_three_classes_is_an_error(X):
    with pytest.raises(ClassifierError, match=r"\(60, 3\); got \(60, 1\)"):
        TorchClassifier(Fixed([1.5]), as_array, [0, 1, 2]).probabilities(X)


def test_an_unknown_kind_of_outputs_is_an_error():
    with pytest.raises(InvalidInputError, match="Did you mean 'logits'"):
        TorchClassifier(nn.Linear(2, 2), as_array, [0, 1], outputs="logit")


def test_it_is_a_classifier_and_needs_no_adapter():
    classifier = TorchClassifier(nn.Linear(2, 2), as_array, [0, 1])
    assert isinstance(classifier, Classifier)
    assert as_classifier(classifier) is classifier
    assert as_classifier(classifier, classes=["no", "yes"]).classes == ("no", "yes")
    assert repr(classifier) == "TorchClassifier(Linear, classes=(0, 1), outputs='logits')"


def test_a_bare_module_is_an_error_that_shows_how_to_wrap_it():
    with pytest.raises(
        ClassifierError, match=r"module Linear .* TorchClassifier\(module, preprocess=.*outputs='logits'"
    ):
        as_classifier(nn.Linear(2, 2), classes=[0, 1])

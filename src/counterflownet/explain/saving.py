"""Explainers as files: safetensors with a JSON header, so that loading one never runs code."""

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from counterflownet.errors import ClassifierChangedWarning, InvalidInputError, SavedFileError
from counterflownet.explain.learned import Learned, Probe, untrained_model
from counterflownet.explain.settings import ExplainerSettings
from counterflownet.files import read_tensors, write_tensors
from counterflownet.protocols import Classifier
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.reward.terms import WeightedTerm
from counterflownet.tabular.frame_json import frame_from_json, frame_to_json
from counterflownet.tabular.schema import Schema
from counterflownet.training.history import History

KIND, VERSION = "explainer", 1
SAME_WITHIN = 1e-3  # probabilities differ by less between machines and library versions


def save_explainer(
    path: str | Path, learned: Learned, settings: ExplainerSettings, own_terms: Sequence[WeightedTerm], library: str
) -> Path:
    """The path, after everything but the classifier and the user's own terms was written to it."""
    header = {
        "kind": KIND,
        "version": VERSION,
        "library": library,
        "settings": settings.to_json(),
        "schema": learned.schema.to_json(),
        "classes": list(learned.classes),
        "own_terms": [[term.name, weight] for term, weight in own_terms],
        "history": learned.history.to_json(),
        "probe": frame_to_json(learned.probe.rows),
    }
    _check_writable(header)
    tensors = {f"model/{name}": tensor for name, tensor in learned.model.state_dict().items()}
    tensors["probe"] = torch.from_numpy(learned.probe.probabilities)
    if learned.outlier is not None:
        tensors["outlier"] = torch.from_numpy(learned.outlier.reference)
    return write_tensors(path, header, tensors)


def load_explainer(
    path: str | Path, classifier: Classifier, own_terms: Sequence[WeightedTerm], device: torch.device
) -> tuple[Learned, ExplainerSettings]:
    """What was saved, put together with the classifier; another classifier than then is noticed."""
    header, tensors = read_tensors(path, kind=KIND, version=VERSION)
    try:
        settings = ExplainerSettings.of(**header["settings"])
        schema = Schema.from_json(header["schema"])
        _check_classes(header["classes"], classifier)
        _check_terms(header["own_terms"], own_terms)
        outlier = LocalOutlierFactor(tensors["outlier"].numpy()) if "outlier" in tensors else None
        model = untrained_model(schema, len(classifier.classes), settings)
        model.load_state_dict({name[6:]: tensor for name, tensor in tensors.items() if name.startswith("model/")})
        probe = Probe(frame_from_json(header["probe"]), tensors["probe"].numpy())
        history = History.from_json(header["history"])
    except SavedFileError:
        raise
    except (KeyError, TypeError, AttributeError, RuntimeError, ValueError) as error:
        raise SavedFileError(f"{str(path)!r} lacks a part or holds a wrong one: {error}") from error
    _check_predictions(probe, classifier)
    reward = Reward.build(classifier, schema, settings.weights, settings.reward, outlier, own_terms)
    return Learned(schema, reward, outlier, model.to(device).eval(), history, probe), settings


def saved_classes(path: str | Path) -> list[Any]:
    """The labels of the classifier that the explainer was fitted for, for those whose model does not know them."""
    header, _ = read_tensors(path, kind=KIND, version=VERSION)
    return list(header.get("classes", []))


def _check_writable(header: dict[str, Any]) -> None:
    for name, part in header.items():
        try:
            json.dumps(part)
        except TypeError as error:
            raise InvalidInputError(
                f"the {name} cannot be saved: {error}. Text, numbers and booleans can; use these as labels and values."
            ) from error


def _check_classes(saved: list[Any], classifier: Classifier) -> None:
    as_saved = json.loads(json.dumps(list(classifier.classes), default=str))  # a tuple comes back as a list
    if saved != as_saved:
        raise SavedFileError(
            f"the explainer was fitted for the classes {saved!r}; this classifier has {list(classifier.classes)!r}. "
            "Load it with the classifier it was fitted with."
        )


def _check_terms(saved: list[list[Any]], given: Sequence[WeightedTerm]) -> None:
    if saved != [[term.name, weight] for term, weight in given]:
        raise SavedFileError(
            f"the explainer was fitted with the own reward terms {saved!r}; got "
            f"{[[term.name, weight] for term, weight in given]!r}. Give the same as terms=[(term, weight), ...]."
        )


def _check_predictions(probe: Probe, classifier: Classifier) -> None:
    difference = probe.difference(classifier)
    if not np.isfinite(difference) or difference > SAME_WITHIN:
        warnings.warn(
            f"this is not the classifier the explainer was fitted with: on {len(probe.rows)} stored rows its "
            f"probabilities differ by up to {difference:.3f}. Answers stay valid for the new one, but may be fewer and "
            "less good; fit again for the best.",
            ClassifierChangedWarning,
            stacklevel=4,
        )

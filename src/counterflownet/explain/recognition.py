"""What a file keeps of its classifier besides its classes, and how the classifier takes up its names again."""

import json
from collections.abc import Mapping
from typing import Any

from counterflownet.classifier import as_classifier
from counterflownet.classifier.regressor import as_model, says_regressor
from counterflownet.errors import ClassifierError
from counterflownet.protocols import Classifier

OWN, SCALE = "own_classes", "decision_scale"


def known_of(classifier: Classifier) -> dict[str, Any]:
    """The labels that the model has itself, if any, and the scale of its decision function, if it has one."""
    return {OWN: as_saved(getattr(classifier, "own", None)), SCALE: getattr(classifier, "scale", None)}


def recognised(model: Any, classes: Any, header: Mapping[str, Any]) -> Classifier:
    """The model as a classifier with the labels of the file, if those it has itself are the same as then."""
    task = "regression" if header.get("task") == "regression" else None
    if task is not None or (classes is None and says_regressor(model)):
        return as_model(model, classes=classes, task=task)  # if it should be none, the caller says so
    scale = header.get(SCALE) if isinstance(header.get(SCALE), float) else None
    if classes is not None or OWN not in header:  # files of before do not know
        return as_classifier(model, classes=classes, scale=scale)
    own, saved = _own_labels(model), header["classes"]
    if own == header[OWN] and isinstance(saved, list) and own != saved:
        return as_classifier(model, classes=saved, scale=scale)
    return as_classifier(model, scale=scale)


def as_saved(labels: Any) -> Any:
    """Labels as they come back from a file: a tuple as a list."""
    return None if labels is None else json.loads(json.dumps(list(labels), default=str))


def _own_labels(model: Any) -> Any:
    try:
        return as_saved(getattr(as_classifier(model), "own", None))
    except ClassifierError:  # which has no labels: they must have been named
        return None

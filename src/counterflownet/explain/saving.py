"""Explainers as files: safetensors with a JSON header, so that loading one never runs code."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from counterflownet._version import VERSION as LIBRARY_VERSION
from counterflownet.errors import InvalidInputError
from counterflownet.explain.learned import Learned
from counterflownet.explain.oddities import relation_records
from counterflownet.explain.recognition import known_of
from counterflownet.explain.settings import ExplainerSettings
from counterflownet.files import faults_of, read_tensors, write_tensors
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.terms import WeightedTerm
from counterflownet.tabular.frame_json import frame_to_json
from counterflownet.tabular.schema import Schema

KIND, VERSION = "explainer", 4
OLDER = (3,)  # that are read as well: their flow was trained for the preference of the fit alone
NOTE = (
    "training_rows are distinct rows of the training table, as vectors from which their cells can be computed. "
    "column_values are single cells of it: every category, and of each column of numbers the values that occur, up to "
    "16,896 of them (512 and one for each bin in a private file), with how many rows lie below; edges, means and "
    "deviations of the numbers come with them. relations are rules that all training rows keep; those that look a "
    "column up in another (none in a private file) list the pairs of values that occur. The networks were trained on "
    "the table. Nothing is encrypted."
)
RANKS_NOTE = " ranks are predictions of the model for training rows, 1,026 of them at most, and how many lie below."


def save_explainer(
    path: str | Path,
    learned: Learned,
    settings: ExplainerSettings,
    own_terms: Sequence[WeightedTerm],
    *,
    private: bool,
    model_sha256: str | None,
) -> Path:
    """The path, after everything but the classifier and the user's own terms was written to it."""
    outlier = None if private else learned.outlier
    schema = learned.schema.without_fine_values() if private else learned.schema
    header: dict[str, Any] = {
        "kind": KIND,
        "version": VERSION,
        "contains": _contents(schema, outlier),
        "library": LIBRARY_VERSION,
        "settings": settings.to_json(),
        "informed": learned.model.policy.informed,
        "schema": schema.to_json(),
        "columns": frame_to_json(learned.columns),
        "classes": list(learned.classes),
        **known_of(learned.reward.classifier),
        "model_sha256": model_sha256,
        "own_terms": [[term.name, weight] for term, weight in own_terms],
        "history": learned.history.to_json(),
        "relations": relation_records(learned.relations, private=private),
    }
    if learned.ranks is not None:
        header |= {"task": "regression", "deviation": learned.ranks.deviation}
        header["contains"]["note"] += RANKS_NOTE
    _check_writable(header)
    return write_tensors(path, header, _tensors(learned, outlier))


class SavedModel(NamedTuple):
    """What a file knows of the model: its labels, the digest of its file if that was given, and its task."""

    classes: list[Any]
    sha256: str | None
    task: str | None = None


def saved_model(path: str | Path) -> SavedModel:
    """What to know before the classifier is loaded."""
    header, _ = read_tensors(path, kind=KIND, version=VERSION, older=OLDER)
    with faults_of(path):
        return SavedModel(list(header["classes"]), header["model_sha256"], header.get("task"))


def _contents(schema: Schema, outlier: LocalOutlierFactor | None) -> dict[str, Any]:
    """What of the training table the file contains, for whoever must decide where it may be kept."""
    return {
        "private": outlier is None,
        "training_rows": 0 if outlier is None else len(outlier.reference),
        "column_values": sum(feature.code_count + len(feature.fine) for feature in schema),
        "of_these_categories": sum(feature.code_count for feature in schema if not feature.numeric),
        "note": NOTE,
    }


def _tensors(learned: Learned, outlier: LocalOutlierFactor | None) -> dict[str, torch.Tensor]:
    tensors = {f"model/{name}": tensor for name, tensor in learned.model.state_dict().items()}
    tensors["probe/codes"] = torch.from_numpy(learned.probe.codes)
    tensors["probe/probabilities"] = torch.from_numpy(learned.probe.probabilities)
    if learned.ranks is not None:
        tensors["ranks/knots"] = torch.from_numpy(learned.ranks.knots)
        tensors["ranks/places"] = torch.from_numpy(learned.ranks.places)
    return tensors if outlier is None else {**tensors, "outlier": torch.from_numpy(outlier.reference)}


def _check_writable(header: dict[str, Any]) -> None:
    for name, part in header.items():
        try:
            json.dumps(part)
        except TypeError as error:
            raise InvalidInputError(
                f"the {name} cannot be saved: {error}. Text, numbers and booleans can; use these as labels and values."
            ) from error

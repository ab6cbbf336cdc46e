"""Explainers from files: whatever is wrong with a file is an error of ours before it can become a wrong answer."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from counterflownet.errors import ClassifierChangedWarning, InvalidInputError, PlausibilityOffWarning, SavedFileError
from counterflownet.explain.learned import Learned, outlier_of, untrained_model
from counterflownet.explain.oddities import relations_of
from counterflownet.explain.probe import Probe
from counterflownet.explain.recognition import as_saved, recognised
from counterflownet.explain.saving import KIND, OLDER, VERSION
from counterflownet.explain.settings import ExplainerSettings
from counterflownet.files import faults_of, read_tensors
from counterflownet.flow.model import FlowModel
from counterflownet.protocols import Classifier
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.preference import Standard
from counterflownet.reward.ranks import Ranks
from counterflownet.reward.reward import Reward
from counterflownet.reward.terms import WeightedTerm
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.frame import as_frame, check_not_empty
from counterflownet.tabular.frame_json import frame_from_json
from counterflownet.tabular.schema import Schema
from counterflownet.training.checkpoint import SAME_WITHIN, largest_difference
from counterflownet.training.history import History

Tensors = Mapping[str, Tensor]
CALLER = 4  # of CounterFlowNet.load, counted from where a warning is given


def load_explainer(
    path: str | Path,
    model: Any,
    classes: Any,
    own_terms: Sequence[WeightedTerm],
    device: torch.device,
    reference: Any,
) -> tuple[Learned, ExplainerSettings]:
    """What was saved, put together with the classifier; another classifier than then is noticed."""
    header, tensors = read_tensors(path, kind=KIND, version=VERSION, older=OLDER)
    classifier = recognised(model, classes, header)
    with faults_of(path):
        _check_task(header.get("task"), classifier)
        _check_classes(header["classes"], classifier)
        _check_terms(header["own_terms"], own_terms)
        settings = ExplainerSettings.of(**_settings(header))
        learned = _learned(header, tensors, settings, classifier, own_terms)
        rows = learned.probe.rows(learned.schema, learned.columns)
        outlier = _outlier(tensors.get("outlier"), Factuals(learned.schema, rows))
    if reference is not None:
        outlier = _outlier_of(reference, learned.schema, settings)
    _tell_if_plausibility_is_off(outlier, settings)
    _tell_if_changed(learned, rows, classifier)
    reward = Reward.build(classifier, learned.schema, settings.weights, settings.reward, outlier, own_terms)
    learned.model.to(device).eval()
    return replace(learned, reward=reward, outlier=outlier), settings


def _settings(header: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were saved; files of older releases know nothing of preferences."""
    settings: dict[str, Any] = header["settings"]
    if header["version"] in OLDER:
        settings["training"]["preferences"] = False
    return settings


def _learned(
    header: Mapping[str, Any],
    tensors: Tensors,
    settings: ExplainerSettings,
    classifier: Classifier,
    own_terms: Sequence[WeightedTerm],
) -> Learned:
    """What was learned, still without plausibility."""
    schema = Schema.from_json(header["schema"])
    columns = schema.ordered_rows(frame_from_json(header["columns"]).iloc[:0], "the saved table")
    class_count = len(classifier.classes)
    standard = Standard.of(schema, settings.weights, settings.reward, own_terms)
    informed = bool(header.get("informed", False))  # the first flows for any preference were not
    untrained = partial(untrained_model, schema, class_count, settings, standard, informed=informed)
    model = _model(tensors, schema, settings.training.width, untrained)
    probe = _probe(tensors, schema, class_count or 1)
    reward = Reward(classifier, (), settings.reward.temperature)
    history = History.from_json(header["history"])
    relations = relations_of(header.get("relations", []), schema)  # files of before know none
    ranks = _ranks(header, tensors) if header.get("task") else None
    return Learned(settings, schema, columns, reward, None, model, history, probe, standard, relations, ranks)


def _ranks(header: Mapping[str, Any], tensors: Tensors) -> Ranks:
    knots, places = (tensors[f"ranks/{name}"].numpy() for name in ("knots", "places"))
    if {knots.dtype, places.dtype} != {np.dtype(np.float64)} or knots.ndim != 1 or places.ndim != 1:
        raise InvalidInputError("the ranks of predictions must be numbers in double precision.")
    return Ranks(knots, places, float(header["deviation"]))


def _model(tensors: Tensors, schema: Schema, width: int, untrained: Callable[[], FlowModel]) -> FlowModel:
    weights = {name[6:]: tensor for name, tensor in tensors.items() if name.startswith("model/")}
    if sum(map(torch.numel, weights.values())) < width * max(width, schema.space.code_total):
        raise SavedFileError(f"the networks of the file are smaller than networks of the width {width} would be.")
    model = untrained()  # as large as the file says, so the file must be as large
    model.load_state_dict(weights)
    return model


def _probe(tensors: Tensors, schema: Schema, class_count: int) -> Probe:
    codes, probabilities = tensors["probe/codes"].numpy(), tensors["probe/probabilities"].numpy()
    counts = schema.space.code_counts
    fits = codes.shape[1:] == (len(counts),) and probabilities.shape == (len(codes), class_count)
    if codes.dtype != np.int64 or not fits or (codes < 0).any() or (codes >= counts).any():
        raise InvalidInputError("the rows to recognise the classifier by do not fit the schema.")
    return Probe(codes, probabilities)


def _outlier(reference: Tensor | None, made: Factuals) -> LocalOutlierFactor | None:
    if reference is None:
        return None
    dimensions = made.vectors.shape[1]
    if (
        reference.dtype != torch.float32
        or reference.ndim != 2
        or reference.shape[1] != dimensions
        or not len(reference)
    ):
        raise InvalidInputError(f"the training rows must be vectors of {dimensions} numbers.")
    return LocalOutlierFactor(reference.numpy())


def _outlier_of(reference: Any, schema: Schema, settings: ExplainerSettings) -> LocalOutlierFactor | None:
    rows = schema.ordered_rows(as_frame(reference, "the reference table"), "the reference table")
    check_not_empty(rows, "the reference table")
    return outlier_of(Factuals(schema, rows), settings)


def _check_task(saved: Any, classifier: Classifier) -> None:
    if saved not in {None, "regression"}:
        raise SavedFileError(f"the task must be 'regression' if one is named; got {saved!r}.")
    if (saved == "regression") != (not classifier.classes):
        was, given = ("regressor", "classifier") if saved else ("classifier", "regressor")
        raise SavedFileError(
            f"the explainer was fitted for a {was}; this model is a {given}. Load it with the model it was fitted with."
        )


def _check_classes(saved: list[Any], classifier: Classifier) -> None:
    if saved != as_saved(classifier.classes):
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


def _tell_if_plausibility_is_off(outlier: LocalOutlierFactor | None, settings: ExplainerSettings) -> None:
    if outlier is None and settings.weights.plausibility > 0:
        warnings.warn(
            "plausibility is off: the file contains no training rows to compare with. Give rows as reference=...; with "
            "those of the fit, the answers are those of the explainer that was saved.",
            PlausibilityOffWarning,
            stacklevel=CALLER,
        )


def _tell_if_changed(learned: Learned, rows: pd.DataFrame, classifier: Classifier) -> None:
    now, ranks = replace(learned.probe, probabilities=classifier.probabilities(rows)), learned.ranks
    difference = largest_difference(now.comparable(ranks), learned.probe.comparable(ranks))
    model, said = ("classifier", "probabilities") if ranks is None else ("regressor", "predictions")
    if difference > SAME_WITHIN:
        size = f"{difference:.3f}" if ranks is None else f"{difference * ranks.deviation:.4g}"
        warnings.warn(
            f"this is not the {model} the explainer was fitted with: on {len(rows)} made-up rows its {said} "
            f"differ by up to {size}. Answers stay valid for the new one, but may be fewer and less good; "
            "fit again for the best.",
            ClassifierChangedWarning,
            stacklevel=CALLER,
        )

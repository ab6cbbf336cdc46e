"""From options to an explainer and to what it is asked: the same for a few rows and for a folder of files."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any
from warnings import catch_warnings

from counterflownet.cli.column_types import typed_as_trained
from counterflownet.cli.constraint_options import rules
from counterflownet.cli.models import digest, load_model
from counterflownet.cli.preferences import preferences
from counterflownet.cli.question_options import target_of
from counterflownet.cli.rule_options import joint_rules, known_lookup
from counterflownet.cli.tables import read_table
from counterflownet.errors import InvalidInputError, PlausibilityOffWarning
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.saving import saved_model
from counterflownet.tabular.frame import as_frame


def asked(options: argparse.Namespace, explainer: CounterFlowNet) -> dict[str, Any]:
    """What the options ask beside the rows."""
    return {
        "target": target_of(options, explainer.classes),
        "count": options.count,
        "constraints": [
            *rules(options, explainer.schema),
            *joint_rules(options, explainer.schema, partial(known_lookup, explainer.relations)),
        ],
        "diversity": options.diversity,
        "minimal": options.minimal,
        "tight": options.tight,
        "confidence": options.confidence,
        "samples": options.samples,
        "rounds": options.rounds,
        **preferences(options, explainer),
    }


def beside(file: Path) -> Path:
    """The model that is taken if none is named."""
    return file.parent / f"{file.stem}.skops"


def loaded_explainer(options: argparse.Namespace) -> CounterFlowNet:
    """The explainer with the model that the options name."""
    known = saved_model(options.file)
    usual = beside(options.file)
    if not options.model and not usual.is_file():
        raise InvalidInputError(
            f"there is no model next to {str(options.file)!r} (expected {usual.name!r}). Pass the one it was fitted "
            "with: --model MODEL"
        )
    given = options.model or str(usual)
    if not options.other_model:
        _check_same(Path(given), known.sha256, options.file)
    model = load_model(options, given, None, known.classes, regression=known.task == "regression")
    load = partial(CounterFlowNet.load, options.file, model.model, classes=model.classes)
    if options.reference is None:
        return load()
    with catch_warnings(action="ignore", category=PlausibilityOffWarning):
        types = load()  # only an explainer knows how to read the rows
    rows = as_frame(read_table(options.reference, options.missing))
    return load(reference=typed_as_trained(rows, types.schema, types.dtypes))


def _check_same(model: Path, sha256: str | None, file: Path) -> None:
    if sha256 is not None and model.is_file() and digest(model.read_bytes()) != sha256:
        raise InvalidInputError(
            f"{str(model)!r} is not the model that {str(file)!r} was fitted with, or it is damaged: its checksum "
            "differs. To explain it all the same: --other-model"
        )

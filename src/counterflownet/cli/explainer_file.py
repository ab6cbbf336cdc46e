"""An explainer from its file, with the classifier it was fitted with: what ``explain`` and ``serve`` have in common."""

import argparse
from functools import partial
from pathlib import Path
from warnings import catch_warnings

from counterflownet.cli.column_types import typed_as_trained
from counterflownet.cli.models import digest, load_model
from counterflownet.cli.tables import read_table
from counterflownet.errors import InvalidInputError, PlausibilityOffWarning
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.saving import saved_model
from counterflownet.tabular.frame import as_frame


def model_beside(file: Path) -> Path:
    """Where `counterflownet fit` puts the model that it trains."""
    return file.parent / f"{file.stem}.skops"


def loaded_explainer(options: argparse.Namespace) -> CounterFlowNet:
    """The explainer that the options name: ``file``, ``model``, ``other_model`` and ``reference``."""
    known = saved_model(options.file)
    beside = model_beside(options.file)
    if not options.model and not beside.is_file():
        raise InvalidInputError(
            f"there is no model next to {str(options.file)!r} (expected {beside.name!r}). Pass the one it was fitted "
            "with: --model MODEL"
        )
    given = options.model or str(beside)
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

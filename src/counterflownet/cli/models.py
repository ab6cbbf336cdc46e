"""The user's classifier from what ``--model`` names; nothing in a file is run unless that was asked for."""

import argparse
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import pandas as pd

from counterflownet.classifier.regressor import says_regressor
from counterflownet.cli.constraint_options import split_list
from counterflownet.cli.onnx_model import OnnxModel
from counterflownet.cli.skops_model import load_skops
from counterflownet.errors import ClassifierError, InvalidInputError, SavedFileError

KINDS = "a .skops file, an .onnx file, package.module:function, or a .joblib file with --trust-pickle"
PICKLES = (".joblib", ".pkl", ".pickle")


class Model(NamedTuple):
    """The model with the labels that it does not know itself."""

    model: Any
    classes: Sequence[Any] | None = None


def add_model(command: argparse.ArgumentParser, without: str) -> None:
    """Add the options that say where the classifier comes from."""
    add = command.add_argument_group("the classifier").add_argument
    add("--model", metavar="MODEL", help=f"{KINDS}; {without}")
    add("--classes", metavar="LABELS", help="labels of a model that has none, in the order of its probabilities")
    add("--trust", action="append", default=[], metavar="TYPES", help="additional types a .skops file may contain")
    add("--trust-pickle", action="store_true", help="load a .joblib file, which can run any code: only if you trust it")


def digest(content: bytes) -> str:
    """By which the file of a model is recognised."""
    return sha256(content).hexdigest()


def load_model(
    options: argparse.Namespace,
    given: str,
    rows: pd.DataFrame | None,
    known: Sequence[Any] = (),
    *,
    regression: bool = False,
) -> Model:
    """The model that ``given`` names; of a regressor, no classes are asked for."""
    classes: Sequence[Any] | None = split_list(options.classes) if options.classes else None
    path = Path(given)
    suffix = path.suffix.lower()
    if suffix in {".onnx", ".skops", *PICKLES} and not path.is_file():
        raise InvalidInputError(f"there is no model file {given!r}.")
    if suffix == ".onnx":
        model = OnnxModel(path)
        return Model(model, None if regression else classes or list(known) or model.labels(rows))
    if suffix == ".skops":
        trusted = [name for text in options.trust for name in split_list(text)]
        return Model(load_skops(path, trusted), classes)
    if suffix in PICKLES:
        return Model(_pickled(path, trusted=options.trust_pickle), classes)
    if ":" in given:
        return Model(_named(given)) if regression else _named_object(given, classes, known)
    raise InvalidInputError(f"--model must be {KINDS}; got {given!r}.")


def _pickled(path: Path, *, trusted: bool) -> Any:
    if not trusted:
        raise InvalidInputError(
            f"{str(path)!r} is a pickle, and loading one can run arbitrary code. If you trust it: --trust-pickle. "
            "Better: save the model with skops.io.dump(model, 'model.skops')."
        )
    try:
        return joblib.load(path)
    except Exception as error:  # a pickle can fail in any way
        raise SavedFileError(f"{str(path)!r} cannot be loaded: {type(error).__name__}: {error}") from error


def _named_object(given: str, classes: Sequence[Any] | None, known: Sequence[Any]) -> Model:
    named = _named(given)
    if classes is None and says_regressor(named):
        return Model(named)
    if classes is None and not hasattr(named, "predict_proba"):
        classes = getattr(named, "classes", None) or list(known) or None
    if classes is None and not hasattr(named, "predict_proba"):
        raise ClassifierError(
            f"{given!r} is a function, which does not name its classes. List them in the order of its columns: "
            "--classes bad,good, or function.classes = ['bad', 'good'] in its module. If it gives one number per row: "
            "--regression"
        )
    return Model(named, classes)


def _named(given: str) -> Any:
    module, _, name = given.partition(":")
    named = _imported(module)
    for part in name.split("."):
        if not hasattr(named, part):
            raise InvalidInputError(f"--model {given!r}: {module!r} has no {name!r}.")
        named = getattr(named, part)
    return named


def _imported(module: str) -> Any:
    if "" not in sys.path:
        sys.path.insert(0, "")  # the user's modules are where the command is run, not where it is installed
    try:
        return import_module(module)
    except Exception as error:  # the user's module can fail in any way
        raise InvalidInputError(f"--model: importing {module!r} failed: {type(error).__name__}: {error}") from error

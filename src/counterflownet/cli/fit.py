"""``counterflownet fit``: from a table to an explainer, and to a classifier for those who have none."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from counterflownet._optional import require
from counterflownet.classifier.regressor import Task
from counterflownet.cli.agreement import tell_agreement
from counterflownet.cli.boosting import boosted, boosted_regressor
from counterflownet.cli.columns import add_columns, columns_and_labels, of_model, schema_of
from counterflownet.cli.constraint_options import add_rules, rules, split_list
from counterflownet.cli.models import Model, add_model, digest, load_model
from counterflownet.cli.notes import warnings_as_notes
from counterflownet.cli.places import check_place, followed, is_stream
from counterflownet.cli.rule_options import add_joint_rules, joint_rules
from counterflownet.cli.skops_model import skops_bytes
from counterflownet.cli.tables import add_missing
from counterflownet.errors import InvalidInputError
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.settings import settings_from
from counterflownet.files import write_atomically
from counterflownet.reward.settings import RewardWeights
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.schema import Schema
from counterflownet.training.settings import TrainingSettings

EPILOG = """\
DATA is a CSV file (the first line names the columns), a Parquet file, or - for CSV from standard input. The kind of a
column is inferred from its values: integers, decimals, true and false, dates (2024-01-31), or else categories; empty
cells and NA are missing values (--missing names other words). The result is printed: check it, and correct it with
--kind and --order. Columns that name or number rows, or never vary, are left alone unless --kind says what they are;
use --drop for others that no answer should mention.

Without --model, gradient boosting learns COLUMN from the others and is saved next to FILE (loans.cfn: loans.skops),
where `counterflownet explain` finds it. With --model, your own classifier is explained; it is given the columns of DATA
without COLUMN, or those it names itself. A .skops or .onnx file is data and runs no code. package.module:function is
imported, also from the current folder; it takes a DataFrame and returns probabilities.

Separate COLUMNS, VALUES and LABELS with commas; put one that contains a comma in double quotes: '"a,b",c'.
Exit code: 0 on success, 2 if the command could not run (one line says why).

examples:
  counterflownet fit loans.csv --target risk --out loans.cfn
  counterflownet fit loans.csv --target risk --drop customer --kind zip=categorical \\
      --order "job=unskilled,skilled,manager" --minutes 5 --out loans.cfn
  counterflownet fit houses.csv --target price --regression --out prices.cfn
  counterflownet fit loans.parquet --target risk --model model.skops --out loans.cfn
  counterflownet fit loans.csv --target risk --model scoring.bank:probabilities --classes bad,good --out loans.cfn
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add = command.add_argument
    add("data", metavar="DATA", help="the rows to learn from: .csv, .parquet, or - for CSV from standard input")
    add("--target", metavar="COLUMN", help="the column with the classes; with --model, not passed to the model")
    add("--regression", action="store_true", help="COLUMN holds numbers, or the model gives one number per row")
    add("--out", required=True, type=Path, metavar="FILE", help="file for the explainer, such as loans.cfn")
    add("--private", action="store_true", help="leave the training rows out of the explainer (see explain --reference)")
    add_model(command, "default: gradient boosting trained on DATA")
    add_columns(command)
    add_missing(command)
    add = command.add_argument_group("learning").add_argument
    steps = TrainingSettings().steps
    add("--minutes", type=float, metavar="M", help="stop after M minutes")
    add("--steps", type=int, default=steps, metavar="N", help=f"stop after N steps (default: {steps})")
    add("--weights", default="", metavar="NAME=W,...", help="validity, proximity, plausibility, sparsity, from 0 to 1")
    add("--preferences", action="store_true", help="learn for any --weight and --cost of explain, not for these alone")
    add("--seed", type=int, default=0, metavar="N", help="the same seed gives the same explainer (default: 0)")
    add("--checkpoint", type=Path, metavar="FILE", help="resume an interrupted fit from this file")
    add_rules(command, "constraints to learn under, for a FILE that is never asked for less; give them to explain, too")
    add_joint_rules(command, "rules to learn under; give them to explain, too")
    command.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Read, train what is missing, learn, save."""
    with warnings_as_notes():
        beside = _checked_places(options)
        _settings(options)
        X, y = columns_and_labels(options)
        given = _given(options, X)
        X = X if given is None else of_model(X, given.model)
        schema = schema_of(options, X)
        print(schema, flush=True)  # noqa: T201
        lookup = partial(Derived.lookup, X=X)
        constraints = [*rules(options, schema), *joint_rules(options, schema, lookup)]
        model = _trained(options, X, y, schema) if given is None else given
        explainer = _explainer(options, model, schema)
        if given is not None and y is not None:
            tell_agreement(explainer.classifier, X, y, named=given.classes is not None)
        explainer.fit(X, y, constraints=constraints, minutes=options.minutes, checkpoint=options.checkpoint)
        content = skops_bytes(model.model) if given is None else _file_content(options.model)
        sha256 = None if content is None else digest(content)
        saved = explainer.save(followed(options.out), private=options.private, model_sha256=sha256)
        print(f"{saved}: {explainer.history!r}")  # noqa: T201
        if given is None and content is not None:
            print(f"{write_atomically(beside, content)}: the model")  # noqa: T201
    return 0


def _given(options: argparse.Namespace, X: pd.DataFrame) -> Model | None:
    if options.model is None:
        return None
    return load_model(options, options.model, X, regression=options.regression)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say of the reward and of the training, checked."""
    return {
        "weights": settings_from(_weights(options.weights), RewardWeights, "weights"),
        "training": TrainingSettings(steps=options.steps, preferences=options.preferences),
        "seed": options.seed,
    }


def _explainer(options: argparse.Namespace, model: Model, schema: Schema) -> CounterFlowNet:
    task: Task | None = "regression" if options.regression else None
    return CounterFlowNet(model.model, schema=schema, classes=model.classes, task=task, **_settings(options))


def _file_content(model: str) -> bytes | None:
    """The bytes of a model that is a file."""
    return Path(model).read_bytes() if Path(model).is_file() else None


def _checked_places(options: argparse.Namespace) -> Path:
    """Where the model is saved, if one is trained; errors about files come now, and not after minutes of learning."""
    beside: Path = options.out.parent / f"{options.out.stem}.skops"
    if options.out == beside:
        raise InvalidInputError(f"--out is the explainer, but .skops is for models; use {options.out.stem}.cfn")
    if options.model is None and options.target is None:
        raise InvalidInputError("--target, the column to learn from, is required unless you pass --model.")
    if options.model is None and beside.exists() and not options.out.exists():
        raise InvalidInputError(
            f"{str(beside)!r} already exists and would be overwritten by the model to be trained. To explain it: "
            f"--model {beside}. Otherwise choose another --out, or move the file."
        )
    if options.model is None:
        require("skops.io", extra="models", purpose="saving the model trained on DATA")
    _check_writable(options, beside)
    return followed(beside)


def _check_writable(options: argparse.Namespace, beside: Path) -> None:
    inputs = [options.data, options.model]
    check_place("--out", options.out, inputs)
    if is_stream(options.out):
        raise InvalidInputError(f"--out {str(options.out)!r} must be a file that `counterflownet explain` can read.")
    if options.checkpoint is not None:
        check_place("--checkpoint", options.checkpoint, [*inputs, options.out])
    if options.model is None:
        check_place("--out: its model", beside, [*inputs, options.checkpoint])


def _weights(text: str) -> dict[str, float]:
    pairs = [entry.partition("=") for entry in split_list(text)]
    try:
        return {name.strip(): float(value) for name, _, value in pairs}
    except ValueError as error:
        raise InvalidInputError(f"--weights needs NAME=NUMBER,...; got {text!r}.") from error


def _trained(options: argparse.Namespace, X: pd.DataFrame, y: pd.Series | None, schema: Schema) -> Model:
    assert y is not None  # noqa: S101 - without a model there is a target
    learn = boosted_regressor if options.regression else boosted
    model, how_well = learn(X, y, schema, options.seed)
    print(how_well, flush=True)  # noqa: T201
    return Model(model)

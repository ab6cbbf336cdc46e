"""DiCE (Mothilal et al. 2020) as its authors' package dice-ml answers, asked in a process of its own."""

import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import (
    CounterFlowNetError,
    InvalidInputError,
    check_at_least,
    check_count,
    check_one_of,
    unknown_name,
)
from counterflownet.seeds import derived_seed
from counterflownet_bench.baselines.dice_environment import BARE, dice_python
from counterflownet_bench.baselines.method import Given, Task, class_numbers, places_within
from counterflownet_bench.datasets import DatasetCard
from counterflownet_bench.references.model import ReferenceClassifier

Kind = Literal["random", "genetic", "kdtree"]
WORKER = Path(__file__).with_name("dice_worker.py")
STARTING = 120.0  # seconds beyond those of all rows after which a worker that does not listen is ended
BESIDE = 8  # how many times as long rows may take on a machine that does other things beside


@dataclass(frozen=True, slots=True)
class DiceMethod:
    """One of dice-ml's methods with its defaults, and the processor's seconds after which it must give up a row.

    ``sparsity_search`` is how the random kind and the tree move numbers back to the row's: step by step, which can take
    minutes where a column has a wide range, or by halving, which dice-ml ends without asking whether the last number it
    tried is valid.

    Immutable columns are not among those it may vary. Columns that must not decrease have, for each row, a permitted
    range that begins at the row's own value. Both are left to dice-ml, which mostly keeps them: the genetic kind fills
    a population for which there are too few training rows with a row of zeros that knows no constraint, and a number
    with more decimals than most of its column may be rounded to just below its row's. The ``kdtree`` kind draws
    nothing, so its answers are the same under each seed.
    """

    kind: Kind
    seconds_per_row: float = 20.0
    sparsity_search: Literal["linear", "binary"] = "linear"

    def __post_init__(self) -> None:
        check_one_of("kind", self.kind, get_args(Kind))
        check_one_of("sparsity_search", self.sparsity_search, ("linear", "binary"))
        check_at_least("seconds_per_row", self.seconds_per_row, 0.001)

    def settings(self) -> dict[str, Any]:
        return asdict(self) | {"packages": list(BARE)}

    def fit(self, task: Task) -> "FittedDice":
        """Nothing is learned; the environment is made, if there is none yet."""
        classifier = task.classifier
        if not isinstance(classifier, ReferenceClassifier):
            raise InvalidInputError(
                "dice-ml runs in a process of its own and is told the classifier's layers, so it explains reference "
                f"classifiers only; got {type(classifier).__name__}. Use counterflownet_bench.references.reference."
            )
        return FittedDice(self, task, classifier, dice_python())


@dataclass(frozen=True, slots=True, eq=False)
class FittedDice:
    """What dice-ml's process has to be told, and the interpreter that it runs in."""

    method: DiceMethod
    task: Task
    classifier: ReferenceClassifier
    python: Path

    @property
    def training(self) -> Mapping[str, Any]:
        return {"package": BARE[0]}

    def answer(self, rows: pd.DataFrame, targets: Sequence[Any], *, count: int, selection: str) -> Given:  # noqa: ARG002
        """What dice-ml shows; it knows one selection, its own.

        A row whose time was over is counted as ``timed_out``, one on which dice-ml raised an error as ``failed``.
        """
        check_count("count", count)
        with TemporaryDirectory(prefix="counterflownet-dice-") as name:
            folder = Path(name)
            self._write(folder, rows, targets, count)
            self._work(folder, BESIDE * self.method.seconds_per_row * len(rows) + STARTING)
            return _given(folder, rows, self.task, count)

    def _write(self, folder: Path, rows: pd.DataFrame, targets: Sequence[Any], count: int) -> None:
        card, classifier = self.task.card, self.classifier
        told = {
            **asdict(self.method),
            "count": count,
            "columns": list(card.features),
            "continuous": list(card.continuous),
            "vary": [name for name in card.features if name not in card.immutable],
            "seeds": [derived_seed(self.task.seed, "dice", i) % 2**32 for i in range(len(rows))],
            "targets": class_numbers(classifier.classes, targets).tolist(),
            "ranges": _ranges(card, self.task.train, rows),
            "classifier": described(classifier),
        }
        (folder / "task.json").write_text(json.dumps(told), encoding="utf-8")
        layers = {f"weight {i}": layer.weight for i, layer in enumerate(classifier.layers)}
        layers |= {f"bias {i}": layer.bias for i, layer in enumerate(classifier.layers)}
        _save(folder / "layers.npz", layers | {"expected": classifier.probabilities(rows)})
        _save(folder / "train.npz", _as_text(card, self.task.train))
        _save(folder / "rows.npz", _as_text(card, rows))

    def _work(self, folder: Path, seconds: float) -> None:
        log = folder / "log.txt"
        command = [str(self.python), "-I", str(WORKER), str(folder)]  # -I: nothing of our own environment gets in
        with log.open("w", encoding="utf-8") as file:
            try:
                subprocess.run(command, check=True, stdout=file, stderr=file, timeout=seconds)  # noqa: S603
            except subprocess.TimeoutExpired as error:
                raise CounterFlowNetError(f"dice-ml's process did not end within {seconds:.0f} seconds.") from error
            except subprocess.CalledProcessError as error:
                last = (log.read_text(encoding="utf-8").strip() or "it said nothing").splitlines()[-1]
                message = f"dice-ml's process ended with code {error.returncode}: {last[:500]}"
                raise CounterFlowNetError(message) from error


def described(classifier: ReferenceClassifier) -> dict[str, Any]:
    """The classifier's encoder in plain JSON, its categories as text; the layers' numbers are told apart from it."""
    encoder, roles = classifier.encoder, classifier.encoder.roles
    scales = zip(roles.continuous, encoder.mean.tolist(), encoder.deviation.tolist(), strict=True)
    return {
        "scaled": [[name, mean, deviation] for name, mean, deviation in scales],
        "categories": [[name, [str(value) for value in values]] for name, values in roles.categorical.items()],
        "layers": len(classifier.layers),
    }


def _ranges(card: DatasetCard, train: pd.DataFrame, rows: pd.DataFrame) -> list[dict[str, list[Any]]]:
    """For each row what columns that must not decrease may become, in dice-ml's words: two ends, or all categories."""
    ranges: list[dict[str, list[Any]]] = [{} for _ in range(len(rows))]
    for name in card.increasing:
        for row, value in zip(ranges, rows[name].tolist(), strict=True):
            row[name] = _upwards(card, train[name], value)
    return ranges


def _upwards(card: DatasetCard, column: pd.Series, value: Any) -> list[Any]:
    name = str(column.name)
    if name in card.continuous:
        return [value, max(column.max().item(), value)]
    values, seen = card.category(name).values, set(column.unique().tolist())
    return [str(other) for other in values[values.index(value) :] if other in seen]


def _as_text(card: DatasetCard, rows: pd.DataFrame) -> dict[str, NDArray[Any]]:
    """The columns in the card's order, categories as text: dice-ml fails on those that are coded by numbers."""
    columns = {}
    for i, name in enumerate(card.features):
        column = rows[name]
        if name in card.categorical:
            column = column.map({value: str(value) for value in card.category(name).values})
            if column.isna().any():
                given = rows[name][column.isna()].iloc[0]
                raise unknown_name(f"value of column {name!r}", given, card.category(name).values)
        columns[f"column {i}"] = column.to_numpy(dtype=np.str_ if name in card.categorical else None)
    return columns


def _save(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    np.savez(path, allow_pickle=False, **arrays)


def _given(folder: Path, rows: pd.DataFrame, task: Task, count: int) -> Given:
    reasons: list[str | None] = json.loads((folder / "reasons.json").read_text(encoding="utf-8"))
    _check_some_worked(reasons)
    with np.load(folder / "answers.npz", allow_pickle=False) as arrays:
        row = arrays["row"].astype(np.int64)
        columns = [arrays[f"column {i}"] for i in range(len(task.card.features))]
    answers = _as_values(task, columns)
    factuals = rows[list(answers.columns)].iloc[row].reset_index(drop=True)
    changed = (answers != factuals).any(axis=1).to_numpy()
    answers, row = answers[changed].reset_index(drop=True), row[changed]
    found = np.bincount(row, minlength=len(rows)).tolist()
    outcomes = Counter(_outcome(*told, count) for told in zip(reasons, found, strict=True))
    return Given(
        counterfactuals=answers[list(task.train.columns)], row=row, rank=places_within(row) + 1, outcomes=outcomes
    )


def _check_some_worked(reasons: Sequence[str | None]) -> None:
    """A method that fails everywhere has not been measured."""
    failures = [reason for reason in reasons if reason is not None and reason.startswith("failed")]
    if failures and len(failures) == len(reasons):
        raise CounterFlowNetError(f"dice-ml {failures[0]} (on this and on every other of {len(reasons)} rows).")


def _as_values(task: Task, columns: Sequence[NDArray[Any]]) -> pd.DataFrame:
    """The answers with the values and types of the training rows."""
    found = {}
    for name, column in zip(task.card.features, columns, strict=True):
        series, dtype = pd.Series(column), task.train[name].dtype
        if name in task.card.categorical:
            series = series.map({str(value): value for value in task.card.category(name).values})
        elif pd.api.types.is_integer_dtype(dtype):
            series = series.round()
        found[name] = series.astype(dtype)
    return pd.DataFrame(found)


def _outcome(reason: str | None, found: int, count: int) -> str:
    if reason is not None:
        return reason.split(":", maxsplit=1)[0]
    return "complete" if found == count else "partial" if found else "none"

"""dice-ml, asked in a process of its own: what it is told, and what it replies."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import joblib
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import CounterFlowNetError, unknown_name
from counterflownet_bench.datasets import DatasetCard
from counterflownet_bench.references.model import ReferenceClassifier

DiceKind = Literal["random", "genetic", "kdtree"]
SparsitySearch = Literal["linear", "binary", "none"]
WORKER = Path(__file__).with_name("dice_worker.py")
STARTING = 120.0  # seconds beyond those of all rows after which a worker that does not listen is ended
BESIDE = 8  # how many times as long rows may take on a machine that does other things beside


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DiceQuestion:
    """Rows to explain, and how. Targets are numbers of classes; each row has a seed of its own.

    A row is given up after ``seconds_per_row`` of the processor; ``seconds``, if given, is a limit for all rows
    together, after which the rest is not begun. ``warm_up``: one row is worked first that does not count.
    """

    kind: DiceKind
    card: DatasetCard
    train: pd.DataFrame = field(repr=False)
    rows: pd.DataFrame = field(repr=False)
    targets: Sequence[int]
    seeds: Sequence[int]
    count: int
    ranges: Sequence[Mapping[str, list[Any]]]
    sparsity_search: SparsitySearch = "linear"
    seconds_per_row: float
    seconds: float | None = None
    warm_up: bool = False

    def reply(self, classifier: Any, python: Path) -> "DiceReply":
        """What dice-ml, run by that interpreter, answers about a reference classifier or a scikit-learn model."""
        with TemporaryDirectory(prefix="counterflownet-dice-") as name:
            folder = Path(name)
            self._write(folder, classifier)
            _work(python, folder, self._patience())
            return DiceReply.read(folder, self)

    def _patience(self) -> float:
        seconds = self.seconds_per_row * len(self.rows) if self.seconds is None else self.seconds
        return BESIDE * seconds + STARTING

    def _write(self, folder: Path, classifier: Any) -> None:
        told: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("kind", "count", "sparsity_search", "seconds_per_row", "seconds", "warm_up")
        }
        told |= {name: list(getattr(self, name)) for name in ("targets", "seeds", "ranges")}
        told |= {
            "columns": list(self.card.features),
            "continuous": list(self.card.continuous),
            "vary": [name for name in self.card.features if name not in self.card.immutable],
        }
        if isinstance(classifier, ReferenceClassifier):
            told["classifier"] = described(classifier)
            save_arrays(folder / "layers.npz", _layers(classifier))
            expected = classifier.probabilities(self.rows)
        else:
            joblib.dump(classifier, folder / "model.joblib")
            expected = classifier.predict_proba(self.rows)
        (folder / "task.json").write_text(json.dumps(told), encoding="utf-8")
        save_arrays(folder / "expected.npz", {"expected": expected})
        save_arrays(folder / "train.npz", as_text(self.card, self.train))
        save_arrays(folder / "rows.npz", as_text(self.card, self.rows))


@dataclass(frozen=True, slots=True, eq=False)
class DiceReply:
    """Answers with the values and types of the training rows, and for each row that was begun why it has none."""

    answers: pd.DataFrame
    row: NDArray[np.int64]
    """The position of the factual of each answer."""
    reasons: Sequence[str | None]
    seconds: Sequence[float]
    process: Mapping[str, Any]
    """Versions and threads of the process that replied."""
    calls: int = 0
    """How many rows a reference classifier was asked about; 0 for any other, which is not counted."""

    @classmethod
    def read(cls, folder: Path, question: DiceQuestion) -> "DiceReply":
        told = json.loads((folder / "reply.json").read_text(encoding="utf-8"))
        with np.load(folder / "answers.npz", allow_pickle=False) as arrays:
            row = arrays["row"].astype(np.int64)
            columns = [arrays[f"column {i}"] for i in range(len(question.card.features))]
        answers = _as_values(question.card, question.train, columns)
        return cls(answers, row, told["reasons"], told["seconds"], told["process"], told["calls"])


def described(classifier: ReferenceClassifier) -> dict[str, Any]:
    """The classifier's encoder in plain JSON, its categories as text; the layers' numbers are told apart from it."""
    encoder, roles = classifier.encoder, classifier.encoder.roles
    scales = zip(roles.continuous, encoder.mean.tolist(), encoder.deviation.tolist(), strict=True)
    return {
        "scaled": [[name, mean, deviation] for name, mean, deviation in scales],
        "categories": [[name, [str(value) for value in values]] for name, values in roles.categorical.items()],
        "layers": len(classifier.layers),
    }


def as_text(card: DatasetCard, rows: pd.DataFrame) -> dict[str, NDArray[Any]]:
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


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    np.savez(path, allow_pickle=False, **arrays)


def _layers(classifier: ReferenceClassifier) -> dict[str, NDArray[np.float64]]:
    weights = {f"weight {i}": layer.weight for i, layer in enumerate(classifier.layers)}
    return weights | {f"bias {i}": layer.bias for i, layer in enumerate(classifier.layers)}


def _work(python: Path, folder: Path, seconds: float) -> None:
    log = folder / "log.txt"
    command = [str(python), "-I", str(WORKER), str(folder)]  # -I: nothing of our own environment gets in
    with log.open("w", encoding="utf-8") as file:
        try:
            subprocess.run(command, check=True, stdout=file, stderr=file, timeout=seconds)  # noqa: S603
        except subprocess.TimeoutExpired as error:
            raise CounterFlowNetError(f"dice-ml's process did not end within {seconds:.0f} seconds.") from error
        except subprocess.CalledProcessError as error:
            last = (log.read_text(encoding="utf-8").strip() or "it said nothing").splitlines()[-1]
            message = f"dice-ml's process ended with code {error.returncode}: {last[:500]}"
            raise CounterFlowNetError(message) from error


def _as_values(card: DatasetCard, train: pd.DataFrame, columns: Sequence[NDArray[Any]]) -> pd.DataFrame:
    values = {}
    for name, column in zip(card.features, columns, strict=True):
        series, dtype = pd.Series(column), train[name].dtype
        if name in card.categorical:
            series = series.map({str(value): value for value in card.category(name).values})
        elif pd.api.types.is_integer_dtype(dtype):
            series = series.round()
        values[name] = series.astype(dtype)
    return pd.DataFrame(values)

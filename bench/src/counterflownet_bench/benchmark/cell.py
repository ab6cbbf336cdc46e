"""One cell of the benchmark: what was asked, and the result of asking it."""

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from counterflownet import Schema, __version__
from counterflownet.errors import CounterFlowNetError, InvalidInputError, check_at_least, check_one_of
from counterflownet.seeds import numpy_generator
from counterflownet_bench.as_published.quantised import quantised
from counterflownet_bench.as_published.reading import FORMULAS
from counterflownet_bench.baselines.method import FittedMethod, Given, Task
from counterflownet_bench.benchmark.methods import method_digests, method_of
from counterflownet_bench.benchmark.presets import COUNT, SELECTIONS, Preset, PresetName, Selection, preset_of
from counterflownet_bench.benchmark.provenance import code_digests, commit, rows_digest
from counterflownet_bench.benchmark.roles import constraints_of, recipe_of, reference_of, schema_of
from counterflownet_bench.benchmark.scoring import Scoring, plain_json
from counterflownet_bench.benchmark.selecting import selected
from counterflownet_bench.datasets import BenchmarkData, load_benchmark
from counterflownet_bench.datasets.card import ProtocolName
from counterflownet_bench.datasets.catalogue import card_of
from counterflownet_bench.datasets.loading import BUNDLED
from counterflownet_bench.metrics import Cost, measured
from counterflownet_bench.references.reference import Reference

Result = dict[str, Any]
LIMITS = ("steps", "minutes")  # what was asked, which must not be mistaken for what was trained


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A question the benchmark asks. ``instances`` limits the test rows; None takes all of them.

    ``steps`` and ``minutes`` limit the training instead of the preset's own limits. A preset is our method's; all that
    others know of it is how numbers are binned.
    """

    protocol: ProtocolName
    dataset: str
    method: str
    preset: PresetName = "tuned"
    selection: Selection = "selected"
    seed: int = 0
    instances: int | None = None
    count: int = COUNT
    steps: int | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        card = card_of(self.dataset)
        if card.protocol != self.protocol:
            raise InvalidInputError(
                f"{self.dataset} belongs to protocol {card.protocol}; it cannot be run under protocol {self.protocol}."
            )
        check_one_of("selection", self.selection, SELECTIONS)
        for name in ("instances", "count", "steps"):
            if getattr(self, name) is not None:
                check_at_least(name, getattr(self, name), 1)
        self.settled_preset()  # an unknown preset is an error at once

    def settled_preset(self) -> Preset:
        return preset_of(self.preset, self.protocol, self.dataset, steps=self.steps, minutes=self.minutes)

    def fit_key(self) -> "Cell":
        """The same for all cells that can share one fit."""
        return replace(self, selection=SELECTIONS[0])

    def settings(self) -> dict[str, Any]:
        """Everything that decides the result but data and seed, known before anything runs."""
        card = card_of(self.dataset)
        return plain_json(
            method_of(self.method, self.settled_preset()).settings()
            | {
                "constraints": {"immutable": list(card.immutable), "increasing": list(card.increasing)},
                "classifier": asdict(recipe_of(card)),
            }
        )

    def __str__(self) -> str:
        return f"{self.dataset} {self.method} {self.preset} {self.selection} seed {self.seed}"


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A fitted method and the rows it is asked about; every selection of one fit is a cell of its own."""

    scoring: Scoring
    reference: Reference
    fitted: FittedMethod
    fit_cost: Cost = field(repr=False)
    fit_calls: int

    @classmethod
    def begin(cls, cell: Cell, data: BenchmarkData) -> "Trial":
        """Train or read the classifier, choose the instances, fit the method."""
        reference, scoring = posed(cell, data)
        preset = cell.settled_preset()
        task = Task(
            card=data.card,
            train=scoring.train,
            classifier=reference.classifier,
            schema=schema_of(data.card, scoring.train, preset.bins),
            constraints=constraints_of(data.card),
            seed=cell.seed,
        )
        tally = reference.classifier.tally
        before = tally.rows
        with measured() as cost:
            fitted = method_of(cell.method, preset).fit(task)
        return cls(scoring, reference, fitted, cost, tally.rows - before)

    def result(self, cell: Cell) -> Result:
        """Everything that was measured, as one JSON object."""
        scoring = self.scoring
        targets = [scoring.classifier.classes[number] for number in scoring.target]
        tally = scoring.classifier.tally
        before = tally.rows
        with measured() as explaining:
            given = self._given(cell, targets)
        calls = tally.rows - before
        with measured() as evaluating:
            answers = scoring.answers(given, cell.count)
            metrics = scoring.metrics(answers)
        outcome: dict[str, Any] = {
            "instances": len(scoring.rows),
            "rows": rows_digest(scoring.rows),
            "directions": scoring.directions(answers),
            "metrics": metrics,
            "answers": len(answers.row),
            "calls": calls,
            "fit_calls": self.fit_calls,
            "copies": len(given.row) - len(answers.row),
            "violations": scoring.violations(answers),
            "changed_columns": scoring.changed_columns(answers),
            "outcomes": given.outcomes,
            "training": self.fitted.training,
            "classifier": _classifier_facts(self.reference, scoring.data),
            "seconds": {
                "fit": self.fit_cost.seconds,
                "explain": explaining.seconds,
                "evaluate": evaluating.seconds,
                "fit_cpu": self.fit_cost.cpu_seconds,
                "explain_cpu": explaining.cpu_seconds,
            },
            "memory": {"peak_bytes": explaining.peak_bytes, "fit_growth_bytes": self.fit_cost.peak_growth_bytes},
            "data": _data_facts(scoring.data),
        }
        return plain_json(_asked(cell) | outcome)

    def _given(self, cell: Cell, targets: Sequence[Any]) -> Given:
        if cell.selection == "pooled":
            return selected(self.fitted, self.scoring, targets, cell.count)
        return self.fitted.answer(self.scoring.rows, targets, count=cell.count, selection=cell.selection)


def posed(cell: Cell, data: BenchmarkData) -> tuple[Reference, Scoring]:
    """The classifier, trained or read, and the rows to explain; the opposite of what is predicted is wanted of each.

    Some readings of the paper explain rows after their numbers were replaced by the centres of their bins, or a
    classifier that was trained on such rows.
    """
    preset = cell.settled_preset()
    reading = preset.reading or FORMULAS
    schema = schema_of(data.card, data.X_train, preset.bins)
    reference = reference_of(_binned(data, schema) if reading.discretised else data, seed=cell.seed)
    classifier = reference.classifier
    test = quantised(schema, data.X_test) if reading.discretised else data.X_test
    rows = test.take(chosen_rows(classifier.predicted(test), cell)).reset_index(drop=True)
    if reading.quantised:
        rows = quantised(schema, rows)
    bins = preset.bins if reading.l2c_bins else None  # who reads the bins so measures in them, too
    return reference, Scoring(data, classifier, rows, 1 - classifier.predicted(rows), data.X_train, bins)


def _binned(data: BenchmarkData, schema: Schema) -> BenchmarkData:
    """The same with the centres of bins in place of all numbers."""
    train, test = (part.assign(**quantised(schema, part[list(schema.names)])) for part in (data.train, data.test))
    return replace(data, train=train, test=test)


def attempted(cells: Sequence[Cell], data: str | Path | None) -> Iterator[Result]:
    """The results of cells that share one fit, each as soon as it is there; what goes wrong is a result too."""
    try:
        trial = Trial.begin(cells[0], load_benchmark(cells[0].dataset, data=data))
    except Exception as error:  # noqa: BLE001 - whatever a method fails of is its result
        yield from (failed_result(cell, reason_of(error)) for cell in cells)
        return
    for cell in cells:
        try:
            result = trial.result(cell)
        except Exception as error:  # noqa: BLE001
            result = failed_result(cell, reason_of(error))
        yield result


def failed_result(cell: Cell, reason: str) -> Result:
    """A result with the reason why there is none."""
    nothing: dict[str, Any] = {
        "metrics": {},
        "classifier": {"accuracy": None},
        "seconds": {"fit": None, "explain": None},
    }
    return plain_json(_asked(cell) | nothing | {"error": reason})


def reason_of(error: Exception) -> str:
    """An error of ours by its message; another one with its kind and where it happened."""
    if isinstance(error, CounterFlowNetError):
        return str(error)
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = f" ({Path(last.tb_frame.f_code.co_filename).name}, line {last.tb_lineno})" if last is not None else ""
    return f"{type(error).__name__}: {error}{place}"


def chosen_rows(predicted: NDArray[np.int64], cell: Cell) -> list[int]:
    """The test rows to explain: all, or the first of a permutation that follows from the seed alone.

    A quarter of them at least are of each predicted class, as far as there are so many, so that the way from a rare
    class is measured too.
    """
    if cell.instances is None or cell.instances >= len(predicted):
        return list(range(len(predicted)))
    order: NDArray[np.int64] = numpy_generator(cell.seed, "instances").permutation(len(predicted))
    reserved = [order[predicted[order] == number][: cell.instances // 4] for number in np.unique(predicted)]
    return list(dict.fromkeys(np.concatenate([*reserved, order]).tolist()))[: cell.instances]


def _asked(cell: Cell) -> dict[str, Any]:
    asked = asdict(cell)
    return {
        **{name: value for name, value in asked.items() if name not in LIMITS},
        "cell": asked,
        "settings": cell.settings(),
        "version": __version__,
        "commit": commit(),
        "code": _deciding(cell.method),
        "machine": {
            "python": platform.python_version(),
            "torch": str(torch.__version__),
            "cores": os.cpu_count(),
            "threads": torch.get_num_threads(),
        },
    }


def _deciding(method: str) -> dict[str, str]:
    """Checksums of the code that decides results; of a method that is not ours its own, too."""
    own = method_digests().get(method)
    return dict(code_digests()) | ({} if own is None else {"method": own})


def _classifier_facts(reference: Reference, data: BenchmarkData) -> Mapping[str, Any]:
    return {
        "accuracy": reference.accuracy,
        "published": data.card.published_accuracy,
        "predicted": reference.predicted,
        "seconds": reference.seconds,
    }


def _data_facts(data: BenchmarkData) -> Mapping[str, Any]:
    return {
        "origin": BUNDLED if data.origin == BUNDLED else "folder",
        "as_published": data.as_published(),
        "train": len(data.train),
        "test": len(data.test),
    }

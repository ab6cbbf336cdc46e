"""An explainer of ours, fitted for a study and measured as Protocol B measures every method."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from counterflownet import CounterFlowNet, __version__
from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.method import Given
from counterflownet_bench.benchmark.cell import Cell, posed
from counterflownet_bench.benchmark.methods import OURS, FittedCounterFlowNet, fitted_explainer, given_by
from counterflownet_bench.benchmark.presets import COUNT, Preset, PresetName, Selection
from counterflownet_bench.benchmark.provenance import rows_digest
from counterflownet_bench.benchmark.roles import constraints_in, schema_of
from counterflownet_bench.benchmark.scoring import Scoring
from counterflownet_bench.datasets import BenchmarkData
from counterflownet_bench.datasets.card import ConstraintSet
from counterflownet_bench.datasets.catalogue import card_of
from counterflownet_bench.metrics import Cost, measured

DATASET = "adult_protocol_b"  # the one that all of the paper's studies are about
INSTANCES = 200
AnswerKind = Selection | Literal["corrected"]
SELECTED: tuple[AnswerKind, ...] = ("raw", "selected")
POOL = 1_000  # samples of a row from which corrected ones are drawn by their importance weights
FREE = ConstraintSet("none")


@dataclass(frozen=True, slots=True, kw_only=True)
class FitQuestion:
    """What decides a fit and the rows it is asked about; ``steps`` None: as many as the preset trains."""

    dataset: str = DATASET
    preset: PresetName = "tuned"
    seed: int = 0
    instances: int = INSTANCES
    count: int = COUNT
    steps: int | None = None

    def __post_init__(self) -> None:
        if card_of(self.dataset).protocol != "b":
            raise InvalidInputError(f"this study measures as Protocol B does, to which {self.dataset} does not belong.")
        self.cell()

    def cell(self) -> Cell:
        """The cell of the benchmark that explains the same rows of the same classifier."""
        return Cell(
            protocol="b",
            dataset=self.dataset,
            method=OURS,
            preset=self.preset,
            seed=self.seed,
            instances=self.instances,
            count=self.count,
            steps=self.steps,
        )

    def settings(self) -> Preset:
        return self.cell().settled_preset()


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredFit:
    """A fitted explainer and the rows it is asked about."""

    scoring: Scoring
    explainer: CounterFlowNet
    preset: Preset
    cost: Cost = field(repr=False)

    @classmethod
    def begin(
        cls, question: FitQuestion, data: BenchmarkData, preset: Preset, trained_under: ConstraintSet = FREE
    ) -> "MeasuredFit":
        """Train or read the classifier, choose the rows, fit."""
        reference, scoring = posed(question.cell(), data)
        schema = schema_of(data.card, scoring.train, preset.bins)
        rules = constraints_in(trained_under)
        with measured() as cost:
            explainer = fitted_explainer(
                preset, reference.classifier, schema, scoring.train, seed=question.seed, constraints=rules
            )
        return cls(scoring, explainer, preset, cost)

    def found(
        self, count: int, rules: ConstraintSet = FREE, selections: Sequence[AnswerKind] = SELECTED
    ) -> dict[str, Any]:
        """What the answers under these rules are like, for each way to come from samples to answers."""
        return {selection: self._found(count, rules, selection) for selection in selections}

    def _found(self, count: int, rules: ConstraintSet, selection: AnswerKind) -> dict[str, Any]:
        scoring = self.scoring
        answers = scoring.answers(self._given(count, rules, selection), count)
        return {
            "metrics": scoring.metrics(answers),
            "answers": len(answers.row),
            "violations": scoring.violations(answers, rules),
            "changed_columns": scoring.changed_columns(answers),
        }

    def _given(self, count: int, rules: ConstraintSet, selection: AnswerKind) -> Given:
        rows = self.scoring.rows
        targets = [self.scoring.classifier.classes[number] for number in self.scoring.target]
        constraints = constraints_in(rules)
        if selection == "corrected":
            return given_by(
                self.explainer.sample(rows, target=targets, samples=count, pool=POOL, constraints=constraints)
            )
        fitted = FittedCounterFlowNet(self.explainer, constraints, self.preset)
        return fitted.answer(rows, targets, count=count, selection=selection)

    def facts(self) -> dict[str, Any]:
        """How it was fitted, and a checksum of the rows it is asked about."""
        return {
            "instances": len(self.scoring.rows),
            "rows_digest": rows_digest(self.scoring.rows),
            "settings": self.preset.to_json(),
            "training": FittedCounterFlowNet(self.explainer, (), self.preset).training,
            "seconds": self.cost.seconds,
            "version": __version__,
        }

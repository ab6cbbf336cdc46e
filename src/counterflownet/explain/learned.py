"""What an explainer has learned: all that explaining needs, and all that is saved."""

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from counterflownet.explain.examples import Examples
from counterflownet.explain.probe import Probe
from counterflownet.explain.settings import ExplainerSettings
from counterflownet.flow.model import FlowModel
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.reward import Reward
from counterflownet.seeds import derived_seed
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.rule import Rule
from counterflownet.tabular.scale import Scale
from counterflownet.tabular.schema import Schema
from counterflownet.training.history import History


@dataclass(frozen=True, eq=False)
class Learned:
    """The result of ``fit``.

    Of the training table, ``columns`` keeps the names and types and ``outlier`` rows; nothing else keeps any.
    ``relations`` are rules that all training rows keep.
    """

    settings: ExplainerSettings
    schema: Schema
    columns: pd.DataFrame
    reward: Reward
    outlier: LocalOutlierFactor | None
    model: FlowModel
    history: History
    probe: Probe
    relations: tuple[Rule, ...] = ()

    @property
    def scale(self) -> Scale:
        """How the distance of two numbers is measured."""
        return self.settings.reward.proximity_scale

    @cached_property
    def examples(self) -> Examples:
        """Training rows to learn from, if there are any."""
        return Examples(self.schema, self.columns, self.reward.classifier, self.outlier)

    @property
    def classes(self) -> tuple[object, ...]:
        return self.reward.classifier.classes


def outlier_of(reference: Factuals, settings: ExplainerSettings) -> LocalOutlierFactor | None:
    """How unlike the reference rows a row is; None if plausibility does not count."""
    if settings.weights.plausibility == 0:
        return None
    wanted = settings.reward.reference_rows
    return LocalOutlierFactor.fit(reference.vectors, reference_rows=wanted, seed=settings.seed)


def untrained_model(schema: Schema, class_count: int, settings: ExplainerSettings) -> FlowModel:
    """The networks as training begins with them, or for saved weights to be put into."""
    training = settings.training
    return FlowModel(
        schema.space,
        class_count,
        width=training.width,
        seed=derived_seed(settings.seed, "model"),
        with_log_flow=training.balance().learns_log_flow,
    )

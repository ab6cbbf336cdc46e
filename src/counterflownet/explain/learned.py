"""What an explainer has learned: all that explaining needs, and all that is saved."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from counterflownet._preferences import Preferences
from counterflownet.errors import InvalidInputError
from counterflownet.explain.examples import Examples
from counterflownet.explain.origin import Fingerprint, fingerprint_of
from counterflownet.explain.probe import Probe
from counterflownet.explain.settings import ExplainerSettings
from counterflownet.flow.model import FlowModel
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.reward.preference import Standard, Wish
from counterflownet.reward.ranks import Ranks
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
    ``relations`` are rules that all training rows keep, ``ranks`` those of the predictions of a regressor.
    """

    settings: ExplainerSettings
    schema: Schema
    columns: pd.DataFrame
    reward: Reward
    outlier: LocalOutlierFactor | None
    model: FlowModel
    history: History
    probe: Probe
    standard: Standard
    relations: tuple[Rule, ...] = ()
    ranks: Ranks | None = None

    @property
    def conditioned(self) -> bool:
        """Whether the flow was trained for preferences other than its own, too."""
        return self.settings.training.preferences

    def asked(self, wish: Wish, by_label: Any, labels: pd.Index) -> Preferences | None:
        """What each row prefers; None for what the fit does."""
        preferences = self.standard.asked(wish, by_label, labels)
        if preferences is not None and self.outlier is None and self._weighed(wish, by_label):
            raise InvalidInputError(
                "plausibility cannot be given a weight: there are no rows to compare with. Fit with a weight for it, "
                "or load the file with reference=."
            )
        return preferences

    def _weighed(self, wish: Wish, by_label: Any) -> bool:
        """Whether someone asks for plausibility."""
        wishes = [wish.weights, *(given.get("weights") for given in (by_label or {}).values())]
        return any(isinstance(given, Mapping) and given.get("plausibility", 0) > 0 for given in wishes)

    @property
    def scale(self) -> Scale:
        """How the distance of two numbers is measured."""
        return self.settings.reward.proximity_scale

    @cached_property
    def examples(self) -> Examples:
        """Training rows to learn from, if there are any."""
        return Examples(self.schema, self.columns, self.reward.classifier, self.outlier)

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """By which the classifier and what was learned are recognised."""
        return fingerprint_of(self)

    @property
    def classes(self) -> tuple[object, ...]:
        return self.reward.classifier.classes


def outlier_of(reference: Factuals, settings: ExplainerSettings) -> LocalOutlierFactor | None:
    """How unlike the reference rows a row is; None if plausibility does not count, in no preference either."""
    if settings.weights.plausibility == 0 and not settings.training.preferences:
        return None
    wanted = settings.reward.reference_rows
    return LocalOutlierFactor.fit(reference.vectors, reference_rows=wanted, seed=settings.seed)


def untrained_model(
    schema: Schema, class_count: int, settings: ExplainerSettings, standard: Standard, *, informed: bool = True
) -> FlowModel:
    """The networks as training begins with them, or for saved weights to be put into."""
    training = settings.training
    return FlowModel(
        schema.space,
        class_count,
        width=training.width,
        seed=derived_seed(settings.seed, "model"),
        with_log_flow=training.balance().learns_log_flow,
        standard=standard.rows(1) if training.preferences else None,
        informed=informed,
    )

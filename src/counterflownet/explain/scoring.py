"""Rows of any origin judged as answers: those of a person, or of another method."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from counterflownet._states import States
from counterflownet.errors import InvalidInputError
from counterflownet.explain.learned import Learned
from counterflownet.explain.question import question_of
from counterflownet.explain.request import check_confidence
from counterflownet.reward.candidates import Candidates, Target
from counterflownet.reward.preference import Wish
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.frame import check_not_empty
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, slots=True)
class Judgement:
    """What rows are judged by: the target, how probable it must be, and what is preferred."""

    target: Any = None
    confidence: float | None = None
    wish: Wish = field(default_factory=Wish)
    row_preferences: Any = None

    def __post_init__(self) -> None:
        check_confidence(self.confidence)


def scored(learned: Learned, factuals: pd.DataFrame, counterfactuals: pd.DataFrame, by: Judgement) -> pd.DataFrame:
    """How each counterfactual is judged as an answer to the factual at the same position."""
    check_not_empty(factuals, "the factuals")
    if len(factuals) != len(counterfactuals):
        raise InvalidInputError(
            f"score takes one counterfactual for each factual; got {len(counterfactuals)} for {len(factuals)}. Repeat "
            "factuals that have several."
        )
    schema = learned.schema
    before, after = schema.ordered_rows(factuals, "the factuals"), schema.ordered_rows(counterfactuals, "the answers")
    classifier = learned.reward.classifier
    asked = question_of(by.target, by.confidence, learned.classes, learned.ranks, classifier.probabilities(before))
    wanted = asked.aim if asked.goals is None else asked.goals
    candidates = _candidates(learned, before, after, wanted, classifier.probabilities(after), by.confidence)
    preferences = learned.asked(by.wish, by.row_preferences, before.index)
    scores = learned.reward.without_margin().under(preferences).scores(candidates)
    told = "probability" if learned.ranks is None else "prediction"
    judged = {"valid": candidates.valid, told: candidates.probability, "reward": scores.reward}
    return pd.DataFrame(judged | dict(scores.terms), index=counterfactuals.index)


def _candidates(
    learned: Learned,
    before: pd.DataFrame,
    after: pd.DataFrame,
    target: Target,
    probabilities: np.ndarray,
    confidence: float | None,
) -> Candidates:
    """The rows as candidates; the numbers of the edited cells stand where constraints' borders otherwise do."""
    schema, edited = learned.schema, Factuals(learned.schema, after)
    borders = {d: edited.coordinates[:, [d]] for d, feature in enumerate(schema) if feature.numeric}
    table = Factuals(schema, before, scale=learned.scale, borders=borders)
    changed = _changed(schema, before, after)
    places = edited.codec.codes.copy()
    for d in borders:
        places[:, d] = schema.features[d].first_border_place
    places = np.where(changed, places, table.codec.codes)
    rows = np.arange(len(before))
    return Candidates(table, States.of_arrays(rows, places, changed), target, after, probabilities, confidence)


def _changed(schema: Schema, before: pd.DataFrame, after: pd.DataFrame) -> np.ndarray:
    """Which cells differ; two that are missing do not."""
    columns = []
    for name in schema.names:
        one, other = before[name].to_numpy(dtype=object), after[name].to_numpy(dtype=object)
        changed = pd.isna(one) != pd.isna(other)
        present = ~pd.isna(one) & ~pd.isna(other)  # a missing value may refuse to be compared
        changed[present] = one[present] != other[present]
        columns.append(changed)
    return np.stack(columns, axis=1)

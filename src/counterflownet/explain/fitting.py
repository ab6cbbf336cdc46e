"""From a table and a classifier to a trained flow."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet._states import States
from counterflownet.errors import ConstraintError
from counterflownet.explain.learned import Learned, outlier_of, untrained_model
from counterflownet.explain.oddities import relations_at_fit
from counterflownet.explain.probe import Probe
from counterflownet.explain.relatives import with_relatives
from counterflownet.explain.settings import ExplainerSettings
from counterflownet.protocols import Classifier
from counterflownet.reward.candidates import Candidates
from counterflownet.reward.goals import IntervalGoals
from counterflownet.reward.preference import Standard
from counterflownet.reward.ranks import Ranks
from counterflownet.reward.reach import reach_of
from counterflownet.reward.reward import Reward
from counterflownet.reward.terms import WeightedTerm
from counterflownet.seeds import derived_seed
from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.frame import check_not_empty
from counterflownet.tabular.prepared import compiled, prepared
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.stand_ins import settled
from counterflownet.training.batches import Batch, FactualBatches
from counterflownet.training.checkpoint import Origin
from counterflownet.training.directions import Directions
from counterflownet.training.guide import Guide
from counterflownet.training.interval_draw import KINDS, IntervalDraw
from counterflownet.training.loop import TrainingRun
from counterflownet.training.order import DirectionOrder, Order, TableOrder
from counterflownet.training.step import StateRewards, Trainer
from counterflownet.training.watch import Watch

MOST_CELLS = 5_000_000  # of all states that are decoded and judged at once in training


class Fit:
    """Everything that is prepared before training begins; :meth:`run` trains."""

    def __init__(  # noqa: PLR0913
        self,
        classifier: Classifier,
        X: pd.DataFrame,
        schema: Schema | None,
        settings: ExplainerSettings,
        own_terms: Sequence[WeightedTerm],
        device: torch.device,
        *,
        constraints: Sequence[Constraint] = (),
    ) -> None:
        self.begun = time.perf_counter()
        self.settings = settings
        self.classifier = classifier
        self.device = device
        self.constraints = constraints
        self.schema = Schema.infer(X) if schema is None else schema
        rows = self.schema.ordered_rows(X, "the training table")
        check_not_empty(rows, "the training table")
        self.columns = rows.iloc[:0].copy()
        self.relations = relations_at_fit(self.schema, rows, constraints)
        self.probabilities = classifier.probabilities(rows)
        self.probe = Probe.of(classifier, self.schema, self.columns)
        self.factuals = Factuals(self.schema, rows, scale=settings.reward.proximity_scale)
        self.outlier = outlier_of(self.factuals, settings)
        self.directions = self._directions()
        if settings.training.balanced and not constraints:
            seed = derived_seed(settings.seed, "relatives")
            self.directions, relatives = with_relatives(self.directions, rows, classifier, seed)
            both = pd.concat([rows.reset_index(drop=True), relatives], ignore_index=True)
            self.factuals = Factuals(self.schema, both, scale=settings.reward.proximity_scale)
        self.ranks = None if classifier.classes else Ranks.of(self.probabilities[:, 0])
        self.always = self._always_allowed()
        self.reward = Reward.build(classifier, self.schema, settings.weights, settings.reward, self.outlier, own_terms)
        self.standard = Standard.of(self.schema, settings.weights, settings.reward, own_terms)

    def run(self, *, minutes: float | None, progress: bool | None, checkpoint: Path | None) -> Learned:
        """Train, and put together what explaining needs."""
        settings = self.settings
        model = untrained_model(self.schema, len(self.reward.classifier.classes), settings, self.standard)
        model.to(self.device)  # built on the processor: the same networks wherever they are trained
        predicted = self.probabilities.argmax(axis=1)
        seed = derived_seed(settings.seed, "batches")
        batches = self._batches(self._order(predicted, seed), seed)
        judge = TrainingJudge(self.reward, self.factuals, self.always.stand_ins if self.always else {}, self.ranks)
        run = TrainingRun(
            Trainer(model, judge.rewards, settings.training.balance(), Guide(self.schema.space, judge.slack)),
            batches,
            settings.training,
            seed=derived_seed(settings.seed, "training"),
            origin=Origin(self._fingerprint(predicted), self.probe.comparable(self.ranks)),
            watch=Watch(
                self.directions,
                batches,
                judge.valid,
                self._destinations,
                seed=derived_seed(settings.seed, "watch"),
                mends=self.ranks is None,  # a narrow interval is missed often by any flow, and found by the search
            ),
        )
        run.seconds = time.perf_counter() - self.begun  # a time limit is for all of fit, not for its last part
        history = run.run(minutes=minutes, progress=progress, checkpoint=checkpoint)
        probe = self.probe.some()
        given = (settings, self.schema, self.columns, self.reward, self.outlier, model.eval(), history, probe)
        return Learned(*given, self.standard, self.relations, self.ranks)

    @property
    def _destinations(self) -> tuple[Any, ...]:
        """Where directions begin and lead: classes, or sides of a prediction, which all rows have."""
        return self.classifier.classes or KINDS

    def _directions(self) -> Directions:
        seed = derived_seed(self.settings.seed, "batches")
        return Directions.of(self.probabilities.argmax(axis=1), len(self._destinations), seed)

    def _order(self, predicted: Int[ndarray, " row"], seed: int) -> Order:
        size = self.settings.training.batch_rows
        if self.settings.training.balanced:
            return DirectionOrder(self.directions, size, seed)
        return TableOrder(self.directions.learned, predicted, len(self._destinations), size, seed)

    def _batches(self, order: Order, seed: int) -> FactualBatches:
        return FactualBatches(
            space=self.schema.space,
            codes=self.factuals.codec.codes,
            offsets=self.factuals.codec.offsets,
            order=order,
            seed=seed,
            max_changes=self.settings.training.max_changes,
            constrained=self.settings.training.constrained,
            always=self.always.allowed if self.always else None,
            stops_anywhere=self.settings.training.balance().stops_anywhere,
            standard=self.standard.rows(1) if self.settings.training.preferences else None,
            passes=self.settings.training.pass_count,
            intervals=self._intervals(seed),
            reach=partial(reach_of, self.reward, self.factuals) if self.settings.training.preferences else None,
        )

    def _intervals(self, seed: int) -> IntervalDraw | None:
        if self.ranks is None:
            return None
        predictions = self.classifier.probabilities(self.factuals.codec.rows)[:, 0]  # of relatives, too
        return IntervalDraw(np.clip(self.ranks.place(predictions), 0.0, 1.0), seed)

    def _always_allowed(self) -> Allowance | None:
        if not self.constraints:
            return None
        checked = CheckedConstraints.of(self.schema, self.constraints)
        if checked.rules:
            self.factuals = prepared(checked, self.schema, self.factuals.codec.rows, self.factuals.scale)
        allowance = compiled(checked, self.factuals.codec)
        if allowance.contradictions:
            row, reason = next(iter(allowance.contradictions.items()))
            raise ConstraintError(
                f"nothing can be learned from {len(allowance.contradictions)} of {len(self.factuals.codec)} training "
                f"rows, the first at position {row}: {reason}. Loosen the constraints, or leave these rows out."
            )
        return allowance

    def _fingerprint(self, predicted: Int[ndarray, " row"]) -> str:
        """What a checkpoint must agree on: settings, schema, terms, rows and the classes they are given."""
        digest = blake2b(digest_size=16)
        names = [(term.name, weight) for term, weight in self.reward.terms]
        columns = [repr([getattr(feature, part.name) for part in fields(feature)]) for feature in self.schema]
        facts = [self.settings.to_json(), columns, names]
        facts += [[repr(constraint) for constraint in self.constraints]] if self.constraints else []
        digest.update(json.dumps(facts).encode())
        digest.update(np.ascontiguousarray(self.factuals.codec.codes).tobytes())
        digest.update(np.ascontiguousarray(predicted).tobytes())
        return digest.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class TrainingJudge:
    """How training asks about states of a batch, which are edits of rows of the ``table``."""

    reward: Reward
    table: Factuals
    stand_ins: Mapping[int, Int[ndarray, " row"]]
    ranks: Ranks | None = None

    def valid(self, batch: Batch, states: States) -> Bool[Tensor, " state"]:
        """Validity alone, which needs the classifier but none of the reward's terms."""
        return torch.from_numpy(self._candidates(batch, states).valid)

    def slack(self, batch: Batch, states: States) -> Float[ndarray, " state"]:
        """By how much states are valid, or fail to be."""
        return self._candidates(batch, states).slack

    def rewards(self, batch: Batch, states: States) -> StateRewards:
        """Rewards, of as many states at a time as fit into memory."""
        at_once = max(1, MOST_CELLS // self.table.codec.schema.space.feature_count)
        parts = torch.arange(len(states)).split(at_once)  # type: ignore[no-untyped-call]
        return StateRewards.joined([self._judged(batch, states[part]) for part in parts])

    def _judged(self, batch: Batch, states: States) -> StateRewards:
        candidates = self._candidates(batch, states)
        preferences, factors = batch.questions.preferences, None
        if preferences is None:
            scores = self.reward.scores(candidates)
        else:
            factors = self.reward.factors(candidates)
            scores = factors.scores(preferences[states.row])
        return StateRewards(
            torch.from_numpy(scores.log_reward).float(),
            torch.from_numpy(scores.reward).float(),
            torch.from_numpy(candidates.valid),
            factors,
        )

    def _candidates(self, batch: Batch, states: States) -> Candidates:
        of_table = States(batch.source[states.row], states.codes, states.edited)
        target = batch.questions.target[states.row].numpy()
        wanted = target if self.ranks is None else IntervalGoals.of_places(target, self.ranks)
        return self.reward.candidates(self.table, settled(of_table, self.stand_ins), wanted)

"""The front door: fit, explain, save, load."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from counterflownet._device import chosen_device
from counterflownet._version import VERSION
from counterflownet.classifier import as_classifier
from counterflownet.errors import NotFittedError, check_between, check_count, check_one_of
from counterflownet.explain.answering import Answering, BestAnswers, EverySample
from counterflownet.explain.arguments import (
    RowConstraints,
    checked_constraints,
    checked_row_constraints,
    checked_schema,
    checked_seed,
    checked_terms,
)
from counterflownet.explain.diagnosis import Diagnosis, diagnosed
from counterflownet.explain.explanation import Explanation
from counterflownet.explain.fitting import Fit
from counterflownet.explain.learned import Learned, WeightedTerm
from counterflownet.explain.saving import load_explainer, save_explainer
from counterflownet.explain.selection import DiversityOver
from counterflownet.explain.settings import ExplainerSettings, reward_settings_from, settings_from
from counterflownet.reward.settings import RewardSettings, RewardWeights
from counterflownet.seeds import derived_seed
from counterflownet.tabular.constraint import Constraint, MaxChanges
from counterflownet.tabular.frame import as_frame
from counterflownet.tabular.schema import Schema
from counterflownet.training.history import History
from counterflownet.training.loop import checked_minutes
from counterflownet.training.settings import TrainingSettings

CHUNK_SAMPLES = 50_000  # how many trajectories are worked at once, which bounds the memory
CHUNK_CELLS = 20_000_000  # the same for trajectories times the codes of the widest column


class CounterFlowNet:
    """Many different, sparse, plausible, actionable counterfactuals for one classifier.

    ``model`` is anything with ``predict_proba``, or a function (then name its ``classes``), on the table's raw columns.
    Without a ``schema`` the columns are inferred from the training rows. ``weights``, ``reward`` and ``training`` take
    their settings object or a mapping. ``terms`` are reward terms of your own with their weights. ``device`` is where
    the flow computes: a graphics card if there is one, unless it says ``"cpu"`` or another; the classifier stays where
    it is.
    """

    def __init__(  # noqa: PLR0913 - each is one decision, all have defaults
        self,
        model: Any,
        *,
        schema: Schema | None = None,
        weights: RewardWeights | Mapping[str, float] | None = None,
        reward: RewardSettings | Mapping[str, Any] | None = None,
        training: TrainingSettings | Mapping[str, Any] | None = None,
        terms: Sequence[WeightedTerm] = (),
        classes: Sequence[Any] | None = None,
        seed: int = 0,
        device: str = "auto",
    ) -> None:
        self.device = chosen_device(device)
        self.classifier = as_classifier(model, classes=classes)
        self.settings = ExplainerSettings(
            weights=settings_from(weights, RewardWeights, "weights"),
            reward=reward_settings_from(reward),
            training=settings_from(training, TrainingSettings, "training"),
            seed=checked_seed(seed),
        )
        self._given_schema = checked_schema(schema)
        self._terms = checked_terms(terms)
        self._learned: Learned | None = None

    def fit(
        self,
        X: pd.DataFrame,
        *,
        constraints: Sequence[Constraint] = (),
        minutes: float | None = None,
        progress: bool | None = None,
        checkpoint: str | Path | None = None,
    ) -> "CounterFlowNet":
        """Learn to explain rows like these; labels are not needed.

        Constraints belong to :meth:`explain`. Given here, they hold for every row in training: for a flow that will
        never be asked for less, and is to be given the same again when it is asked.

        ``minutes`` limits the time. ``progress`` shows a bar (by default on a terminal). With ``checkpoint``, a run
        that was stopped goes on from that file, with the same result as if it had not been.
        """
        limit = checked_minutes(minutes)
        rows = as_frame(X, "the training table")
        rules = self._with_budget(checked_constraints(constraints)) if constraints else ()
        fit = Fit(self.classifier, rows, self._given_schema, self.settings, self._terms, self.device, constraints=rules)
        path = None if checkpoint is None else Path(checkpoint)
        self._learned = fit.run(minutes=limit, progress=progress, checkpoint=path)
        return self

    def explain(  # noqa: PLR0913 - each is one question a user may ask
        self,
        rows: Any,
        *,
        target: Any = None,
        count: int = 5,
        constraints: Sequence[Constraint] = (),
        row_constraints: RowConstraints | None = None,
        diversity: float = 0.3,
        diversity_over: DiversityOver = "changed",
        minimal: bool = True,
        samples: int = 50,
        rounds: int = 8,
        chunk_rows: int | None = None,
        progress: bool | None = None,
    ) -> Explanation:
        """The best ``count`` counterfactuals of each row, all valid, all different, all within the constraints.

        ``target`` is the class wanted, or a list with one for each row; with two classes it may be left out.
        ``row_constraints`` adds constraints to single rows, by index label.

        ``diversity`` trades reward for answers that differ from each other: 0 takes those of highest reward, 1 looks at
        differences alone. These are counted over as many columns as two answers have ``"changed"``, or over ``"all"``
        columns of the table, of which few changes are a small part (``diversity_over``).

        If ``minimal``, changes that are not needed are undone: without any one of those that are left, the answer would
        be invalid or break a constraint. ``samples`` trajectories are drawn for each row, and as many again where fewer
        than ``count`` answers were found, up to ``rounds`` times. Rows are worked ``chunk_rows`` at a time, which
        changes no answer.
        """
        check_count("count", count)
        check_count("rounds", rounds)
        check_between("diversity", diversity, 0.0, 1.0)
        check_one_of("diversity_over", diversity_over, ["changed", "all"])
        check_one_of("minimal", minimal, [True, False])
        answering = self._answering(target, constraints, row_constraints, samples, chunk_rows, progress)
        how = BestAnswers(
            count=count, rounds=rounds, minimal=minimal, diversity=diversity, diversity_over=diversity_over
        )
        return answering.answer(as_frame(rows), how, asked=count)

    def sample(  # noqa: PLR0913
        self,
        rows: Any,
        *,
        target: Any = None,
        samples: int = 10,
        pool: int | None = None,
        constraints: Sequence[Constraint] = (),
        row_constraints: RowConstraints | None = None,
        chunk_rows: int | None = None,
        progress: bool | None = None,
    ) -> Explanation:
        """Samples as they were drawn, in proportion to the reward: doubles stay, so do invalid ones (see ``valid``).

        With a ``pool``, so many are drawn and the ``samples`` are drawn from these by their importance weights: the
        larger the pool, the nearer to proportional, however little the flow was trained. Samples that changed nothing
        are no counterfactuals and are left out.
        """
        check_count("samples", samples)
        if pool is not None:
            check_count("pool", pool, least=samples)
        answering = self._answering(target, constraints, row_constraints, pool or samples, chunk_rows, progress)
        how = EverySample() if pool is None else EverySample(corrected_to=samples)
        return answering.answer(as_frame(rows), how, asked=samples)

    def diagnose(  # noqa: PLR0913
        self,
        rows: Any,
        *,
        target: Any = None,
        samples: int = 200,
        pool: int = 2_000,
        exact: bool = True,
        constraints: Sequence[Constraint] = (),
        row_constraints: RowConstraints | None = None,
        progress: bool | None = None,
    ) -> Diagnosis:
        """How near to proportional to the reward samples of these rows are, as drawn and as corrected by a ``pool``.

        Where a row has few enough states to visit all of them, the distance between the distribution of the samples and
        the one that is wanted is computed exactly, unless ``exact`` is switched off.
        """
        check_count("samples", samples)
        check_count("pool", pool, least=samples)
        answering = self._answering(target, constraints, row_constraints, samples, None, progress)
        given = as_frame(rows)
        chunks = answering.chunks(answering.posed(given))
        return diagnosed(chunks, given.index, exact=exact, pool=pool, seed=answering.seed, samples=samples)

    def save(self, path: str | Path) -> Path:
        """Write everything but the classifier (and own terms) to one file; loading it never runs code."""
        return save_explainer(path, self._fitted(), self.settings, self._terms, VERSION)

    @classmethod
    def load(
        cls,
        path: str | Path,
        model: Any,
        *,
        terms: Sequence[WeightedTerm] = (),
        classes: Sequence[Any] | None = None,
        device: str = "auto",
    ) -> "CounterFlowNet":
        """The explainer that was saved, with its classifier; warns if this one predicts otherwise than that one did."""
        explainer = cls(model, terms=terms, classes=classes, device=device)
        explainer._learned, explainer.settings = load_explainer(
            path, explainer.classifier, explainer._terms, explainer.device
        )
        explainer._given_schema = explainer._learned.schema
        return explainer

    @property
    def schema(self) -> Schema:
        """The columns as they are encoded."""
        return self._fitted().schema

    @property
    def dtypes(self) -> dict[Any, Any]:
        """The type that each column had in training."""
        rows = self._fitted().probe.rows
        return {name: rows[name].dtype for name in rows.columns}

    @property
    def history(self) -> History:
        """What was seen while training."""
        return self._fitted().history

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels of the classifier, any of which can be a target."""
        return self.classifier.classes

    def _fitted(self) -> Learned:
        if self._learned is None:
            raise NotFittedError("this explainer has not been fitted; call .fit(X) with the training rows first.")
        return self._learned

    def _answering(
        self,
        target: Any,
        constraints: Sequence[Constraint],
        row_constraints: RowConstraints | None,
        samples: int,
        chunk_rows: int | None,
        progress: bool | None,  # noqa: FBT001
    ) -> Answering:
        check_count("samples", samples)
        if chunk_rows is not None:
            check_count("chunk_rows", chunk_rows)
        return Answering(
            learned=self._fitted(),
            target=target,
            constraints=self._with_budget(checked_constraints(constraints)),
            row_constraints=checked_row_constraints(row_constraints),
            samples=samples,
            chunk_rows=chunk_rows or self._chunk_rows(samples),
            progress=progress,
            seed=derived_seed(self.settings.seed, "explain"),
        )

    def _with_budget(self, constraints: Sequence[Constraint]) -> Sequence[Constraint]:
        """What holds in training holds in every answer: the flow knows nothing of longer ways."""
        most = self.settings.training.max_changes
        return constraints if most is None else [*constraints, MaxChanges(int(most))]

    def _chunk_rows(self, samples: int) -> int:
        widest = max(self.schema.space.code_counts)
        return max(1, min(CHUNK_SAMPLES, CHUNK_CELLS // widest) // samples)

    def __repr__(self) -> str:
        if self._learned is None:
            return f"CounterFlowNet({self.classifier!r}, not fitted)"
        return f"CounterFlowNet({self.classifier!r}, {len(self.schema)} columns)\n  {self.history!r}"

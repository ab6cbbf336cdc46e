"""The front door: fit, explain, save, load."""

from __future__ import annotations  # so that help() shows the names of types, not what they stand for

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from counterflownet._device import chosen_device
from counterflownet._threads import alone_if_forked, few_for_blas
from counterflownet.classifier.own_columns import used_columns
from counterflownet.classifier.regressor import Task, as_model
from counterflownet.errors import check_count, check_positive
from counterflownet.explain.answers import best_answers, plain_samples
from counterflownet.explain.conventions import SETTINGS, Parameters
from counterflownet.explain.diagnosis import Diagnosis, diagnosed
from counterflownet.explain.explanation import Explanation
from counterflownet.explain.facts import Facts
from counterflownet.explain.fitting import Fit
from counterflownet.explain.loading import load_explainer
from counterflownet.explain.observations import observed
from counterflownet.explain.pose import pose
from counterflownet.explain.question import accepts_several
from counterflownet.explain.request import DiversityOver, Request, Wanted
from counterflownet.explain.saving import save_explainer
from counterflownet.explain.scoring import Judgement, scored
from counterflownet.explain.settings import ExplainerSettings, checked_schema, checked_terms
from counterflownet.reward.preference import Wish
from counterflownet.reward.settings import RewardSettings, RewardWeights
from counterflownet.reward.terms import WeightedTerm
from counterflownet.seeds import derived_seed
from counterflownet.tabular.constraint import MaxChanges
from counterflownet.tabular.frame import as_frame, training_frame
from counterflownet.tabular.native import Native
from counterflownet.tabular.rule import Constraint
from counterflownet.tabular.schema import Schema
from counterflownet.training.settings import TrainingSettings

RowConstraints = Mapping[Any, Sequence[Constraint]]
CORRECTING = 20  # times as many samples are drawn if a flow was not trained for just what it is asked
Weights = RewardWeights | Mapping[str, float]
Costs = Mapping[Any, float]
RowPreferences = Mapping[Any, Mapping[str, Any]]


class CounterFlowNet(Parameters, Facts):
    """Many different, sparse, plausible, actionable counterfactuals for one model.

    Args:
        model: The classifier on the table's raw columns: anything with ``predict_proba``, ``decision_function`` or
            ``predict``, a native booster, or a function (then name its ``classes``). For a regressor, anything with
            ``predict``, or a function to one number (with ``task="regression"``).
        schema: The columns as codes; inferred from the training rows if left out.
        weights: How much each part of the reward counts: :class:`RewardWeights`, or a mapping of some of its fields.
        reward: Everything else about the reward: :class:`RewardSettings`, or a mapping.
        training: How the flow is trained: :class:`TrainingSettings`, or a mapping.
        terms: Reward terms of your own, each with its weight.
        classes: The labels of the classes, in the order of the model's probabilities, if the model does not know them.
        columns: The names of the columns, for tables that come as arrays.
        seed: What everything random follows from.
        device: Where the flow computes, ``"auto"`` for a graphics card if there is one; the classifier stays put.
        task: ``"regression"`` for a model of one number per row. None: as scikit-learn's ``is_regressor`` says of the
            model; functions are classifiers.
    """

    def __init__(  # noqa: PLR0913 - each is one decision, all have defaults
        self,
        model: Any,
        *,
        schema: Schema | None = None,
        weights: Weights | None = None,
        reward: RewardSettings | Mapping[str, Any] | None = None,
        training: TrainingSettings | Mapping[str, Any] | None = None,
        terms: Sequence[WeightedTerm] = (),
        classes: Sequence[Any] | None = None,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        device: str = "auto",
        task: Task | None = None,
    ) -> None:
        alone_if_forked()
        self._given = {name: value for name, value in locals().items() if name != "self"}
        self.device = chosen_device(device)
        self.classifier = as_model(model, classes=classes, task=task)
        self.settings = ExplainerSettings.of(weights=weights, reward=reward, training=training, seed=seed)
        self._given_schema = checked_schema(schema)
        self._terms = checked_terms(terms)
        self._learned = None

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: Sequence[Constraint] = (),
        minutes: float | None = None,
        progress: bool | None = None,
        checkpoint: str | Path | None = None,
    ) -> CounterFlowNet:
        """Learn to explain rows like these; labels are not needed.

        Args:
            X: The training rows: a frame of pandas, polars or pyarrow, or an array if ``columns`` were named. Columns
                that the model was not fitted on, if it says so, are carried along like those of no explainer.
            y: Their true classes. Nothing is learned from them, but ``history.notes`` tells if the classifier is no
                better than always saying the most frequent one.
            constraints: Constraints that hold for every row in training. They normally belong to :meth:`explain`; give
                them here only for a flow that will never be asked for less, and give them again when you ask.
            minutes: A time limit for all of fit; None for no limit.
            progress: Whether to show a bar; None for only on a terminal or in a notebook.
            checkpoint: A file to keep the training in. If it exists, training resumes from it, with the same result as
                if it had never been interrupted.

        Returns:
            The explainer itself.
        """
        alone_if_forked()
        if minutes is not None:
            check_positive("minutes", minutes, "Leave it out for no time limit.")
        rows, unused = training_frame(X, self._given["columns"]), list[Any]()
        if self._given_schema is None:
            rows, unused = used_columns(rows, self.classifier)
        rules = self._with_budget(constraints) if constraints else ()
        path = None if checkpoint is None else Path(checkpoint)
        limit = None if minutes is None else float(minutes)
        given = (self.classifier, rows, self._given_schema, self.settings, self._terms, self.device)
        with few_for_blas():
            fit = Fit(*given, constraints=rules)
            notes = observed(fit.schema, self.classes, fit.probabilities, y, unused)
            self._learned = fit.run(minutes=limit, progress=progress, checkpoint=path)
        self._learned.history.notes = notes
        return self

    def explain(  # noqa: PLR0913 - each is one question a user may ask
        self,
        rows: Any,
        *,
        target: Any = None,
        count: int = 5,
        constraints: Sequence[Constraint] = (),
        row_constraints: RowConstraints | None = None,
        weights: Weights | None = None,
        costs: Costs | None = None,
        row_preferences: RowPreferences | None = None,
        diversity: float = 0.3,
        diversity_over: DiversityOver = "changed",
        worth: float = 0.25,
        minimal: bool = True,
        tight: bool = True,
        confidence: float | None = None,
        samples: int = 30,
        rounds: int = 4,
        seconds: float | None = None,
        chunk_rows: int | None = None,
        progress: bool | None = None,
    ) -> Explanation:
        """The best counterfactuals of each row: all valid, all different, all within the constraints.

        Args:
            rows: A frame of pandas, polars or pyarrow, one row, a mapping from column to value, a list of such
                mappings, or an array with the columns of the fit. Columns that the explainer does not know are carried
                along.
            target: The class wanted, :class:`AnyOf` or :class:`Not`; of a regressor, where its prediction is to lie:
                :class:`AtLeast`, :class:`AtMost`, :class:`Between` or :class:`By`. Or a list with one for each row;
                with two classes it may be left out.
            count: How many counterfactuals to show for each row.
            constraints: What must hold for all rows.
            row_constraints: What must hold besides for single rows, by index label.
            weights: How much each part of the reward counts in this call, own terms included: some of them from 0 to 1;
                the others stay as they were fitted.
            costs: How hard it is to change a column, from 0 (free) to 16; 1 for those that are not named. A cost
                multiplies the distance that the column moves and what its change counts.
            row_preferences: ``weights`` and ``costs`` of single rows, by index label, on top of those for all:
                ``{label: {"costs": {"age": 4}}}``.
            diversity: How much reward to trade for answers that differ from each other, if there are more strategies
                (columns that change, with their directions) than ``count``: 0 takes those of highest reward, 1 looks at
                differences alone. The best answer is always among them.
            diversity_over: Whether two answers differ by the changes that only one of them makes (``"changed"``), or by
                the values of ``"all"`` columns of the table, of which a few changes are a small part.
            worth: The share of the best answer's reward that others must have to be shown beside it, once there are
                four strategies: better fewer answers than far-fetched ones. 0 shows all.
            minimal: Whether to undo changes that are not needed: without any one of those left, the answer would be
                invalid or break a constraint.
            tight: Whether to make changes as small as they can be: no value of a changed column that lies between the
                factual's and the answer's would do, of those that training rows have and those at the borders of
                constraints (numbers, dates and ordered categories; of more than 256 values, 256 equally spaced by
                the rank of rows and as many by the rank of values are all looked at).
            confidence: The probability that the target class must reach, or all that are acceptable together; None
                for more than any other class. Regressors have none: narrow the interval instead.
            samples: How many trajectories to draw for each row in a round.
            rounds: How many rounds to draw for rows that are short of strategies. With ``minimal``, changes are put
                together in other ways first, and a quarter of ``count`` ends the rounds of a row.
            seconds: How long the whole call may go on searching for rows that are short of answers after all
                ``rounds``. What is found then depends on how fast the machine is. None stops after ``rounds``.
            chunk_rows: How many rows to work at a time, which changes memory but no answer.
            progress: Whether to show a bar; None for only on a terminal or in a notebook.

        Returns:
            The counterfactuals, and an outcome for every row.
        """
        wanted = Wanted(
            count=count,
            minimal=minimal,
            tight=tight,
            diversity=diversity,
            diversity_over=diversity_over,
            worth=worth,
            rounds=rounds,
            seconds=seconds,
        )
        asked = (target, constraints, row_constraints, progress, chunk_rows, confidence, True)
        request = self._request(samples, *asked, Wish(weights, costs), row_preferences)
        answer = best_answers(pose(self._fitted(), request, self._frame(rows), ahead=wanted.minimal), wanted)
        return replace(answer, native=Native.of(rows))

    def sample(  # noqa: PLR0913
        self,
        rows: Any,
        *,
        target: Any = None,
        samples: int = 10,
        pool: int | None = None,
        constraints: Sequence[Constraint] = (),
        row_constraints: RowConstraints | None = None,
        weights: Weights | None = None,
        costs: Costs | None = None,
        beta: float | None = None,
        row_preferences: RowPreferences | None = None,
        chunk_rows: int | None = None,
        progress: bool | None = None,
    ) -> Explanation:
        """Samples as they were drawn, in proportion to the reward: doubles stay, so do invalid ones (see ``valid``).

        Samples that changed nothing are no counterfactuals and are left out.

        Args:
            rows: The rows to explain, as for :meth:`explain`.
            target: The class wanted, as for :meth:`explain`.
            samples: How many samples to return for each row.
            pool: How many to draw, if the ``samples`` are to be drawn from these by their importance weights: the
                larger the pool, the nearer to proportional, however little the flow was trained. None returns samples
                of the flow itself if it was trained for just this, and otherwise draws from a pool: if it was trained
                for other weights or for any, or if several classes will do.
            constraints: What must hold for all rows.
            row_constraints: What must hold besides for single rows, by index label.
            weights: How much each part of the reward counts in this call, as for :meth:`explain`.
            costs: How hard it is to change a column, as for :meth:`explain`.
            beta: How sharply better rewards are preferred, within a factor of four of the fit's temperature.
            row_preferences: All three for single rows, by index label.
            chunk_rows: How many rows to work at a time.
            progress: Whether to show a bar; None for only on a terminal or in a notebook.

        Returns:
            The samples, and an outcome for every row.
        """
        check_count("samples", samples)
        if pool is not None:
            check_count("pool", pool, least=samples)
        wish, learned = Wish(weights, costs, beta), self._fitted()
        inexact = learned.conditioned or not wish.empty or row_preferences or accepts_several(target, learned.classes)
        if pool is None and inexact:
            pool = CORRECTING * samples
        asked = (target, constraints, row_constraints, progress, chunk_rows, None, False, wish, row_preferences)
        request = self._request(pool or samples, *asked)
        answer = plain_samples(pose(learned, request, self._frame(rows)), samples, corrected=pool is not None)
        return replace(answer, native=Native.of(rows))

    def score(  # noqa: PLR0913
        self,
        factuals: Any,
        counterfactuals: Any,
        *,
        target: Any = None,
        confidence: float | None = None,
        weights: Weights | None = None,
        costs: Costs | None = None,
        row_preferences: RowPreferences | None = None,
    ) -> Any:
        """How rows of any origin are judged as answers: by the same reward as those of :meth:`explain`.

        Args:
            factuals: The rows that are explained, one for each counterfactual.
            counterfactuals: The rows to judge, in the same order. Constraints are not looked at.
            target: The class wanted, as for :meth:`explain`.
            confidence: The probability that the target class must reach.
            weights: How much each part of the reward counts, as for :meth:`explain`.
            costs: How hard it is to change a column, as for :meth:`explain`.
            row_preferences: Both for single rows, by index label of the factuals.

        Returns:
            One row per counterfactual, with its index: whether it is valid, the probability of the target (of a
            regressor, the prediction), the reward, and each of its terms.
        """
        alone_if_forked()
        by = Judgement(target, confidence, Wish(weights, costs), row_preferences)
        judged = scored(self._fitted(), self._frame(factuals), self._frame(counterfactuals), by)
        native = Native.of(counterfactuals)
        return judged if native is None else native.like(judged).to_native()

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
        weights: Weights | None = None,
        costs: Costs | None = None,
        beta: float | None = None,
        row_preferences: RowPreferences | None = None,
        progress: bool | None = None,
    ) -> Diagnosis:
        """How near to proportional to the reward samples of these rows are, as drawn and as corrected by a pool.

        Args:
            rows: The rows to diagnose, as for :meth:`explain`.
            target: The class wanted, as for :meth:`explain`.
            samples: How many samples of each row to judge by.
            pool: How many samples the corrected ones are drawn from.
            exact: Whether to compute the distance between the distribution of samples and the wanted one exactly, for
                rows that have few enough states to visit all of them.
            constraints: What must hold for all rows.
            row_constraints: What must hold besides for single rows, by index label.
            weights: How much each part of the reward counts in this call, as for :meth:`explain`.
            costs: How hard it is to change a column, as for :meth:`explain`.
            beta: How sharply better rewards are preferred, within a factor of four of the fit's temperature.
            row_preferences: All three for single rows, by index label.
            progress: Whether to show a bar; None for only on a terminal or in a notebook.

        Returns:
            One line per row that can be sampled.
        """
        check_count("samples", samples)
        check_count("pool", pool, least=samples)
        asked = (target, constraints, row_constraints, progress, None, None, False)
        request = self._request(samples, *asked, Wish(weights, costs, beta), row_preferences)
        return diagnosed(pose(self._fitted(), request, self._frame(rows)), pool=pool, exact=exact)

    def save(self, path: str | Path, *, private: bool = False, model_sha256: str | None = None) -> Path:
        """Write everything but the classifier (and own terms) to one file; loading it never runs code.

        **The file contains training rows**, up to ``RewardSettings.reference_rows`` of them (25,000): plausibility is
        measured against them. Their cells can be computed from the file; its header says how many rows there are.

        Args:
            path: Where to. A file that is already there is replaced in one step and keeps its permissions; a new one is
                readable by its owner alone.
            private: Whether to leave these rows out. The file still contains single values of each column: every
                category, and a number for each bin. Plausibility then needs rows when the file is loaded.
            model_sha256: The digest of the file that you keep the classifier in. ``counterflownet explain`` refuses a
                file with another one.

        Returns:
            The path.
        """
        given = (self._fitted(), self.settings, self._terms)
        return save_explainer(path, *given, private=private, model_sha256=model_sha256)

    @classmethod
    def load(
        cls,
        path: str | Path,
        model: Any,
        *,
        terms: Sequence[WeightedTerm] = (),
        classes: Sequence[Any] | None = None,
        reference: pd.DataFrame | None = None,
        device: str = "auto",
    ) -> CounterFlowNet:
        """The explainer that was saved, with its classifier; warns if this one predicts otherwise than that one did.

        Args:
            path: The file.
            model: The classifier, as when the explainer was made.
            terms: The same reward terms of your own, with the same weights.
            classes: New names for the classes; those that were given for the fit are known.
            reference: Rows to measure plausibility against instead of those in the file. A file saved with
                ``private=True`` has none: without ``reference``, plausibility is off, and a warning says so.
            device: Where the flow computes.

        Returns:
            The explainer, as if it had just been fitted.
        """
        own_terms, where = checked_terms(terms), chosen_device(device)
        learned, settings = load_explainer(path, model, classes, own_terms, where, reference)
        task: Task | None = None if learned.ranks is None else "regression"
        explainer = cls(learned.reward.classifier, schema=learned.schema, terms=terms, device=device, task=task)
        explainer._learned, explainer.settings = learned, settings
        explainer._given |= {"model": model, "classes": learned.classes or None, "seed": settings.seed}
        explainer._given |= {name: getattr(settings, name) for name in SETTINGS}
        return explainer

    def _frame(self, rows: Any) -> pd.DataFrame:
        return as_frame(rows, columns=self.schema.names)

    def _request(self, samples: int, *asked: Any) -> Request:
        alone_if_forked()
        target, constraints, *others = asked
        seed = derived_seed(self.settings.seed, "explain")
        return Request(samples, seed, target, self._with_budget(constraints), *others)

    def _with_budget(self, constraints: Any) -> Any:
        """What holds in training holds in every answer: the flow knows nothing of longer ways."""
        most = self.settings.training.max_changes
        if most is None or not isinstance(constraints, (list, tuple)):  # what is no list is refused when it is checked
            return constraints
        return [*constraints, MaxChanges(int(most))]

    def __repr__(self) -> str:
        if self._learned is None:
            return f"CounterFlowNet({self.classifier!r}, not fitted)"
        off = self.settings.weights.plausibility > 0 and self._learned.outlier is None
        note = ", plausibility off: no reference rows" if off else ""
        return f"CounterFlowNet({self.classifier!r}, {len(self.schema)} columns{note})\n  {self.history!r}"

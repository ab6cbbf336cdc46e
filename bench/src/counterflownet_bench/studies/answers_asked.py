"""An explainer at the library's defaults, the rows it is asked about, and its answers with the time they took."""

import time
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from counterflownet import CounterFlowNet
from counterflownet.errors import InvalidInputError
from counterflownet.seeds import numpy_generator
from counterflownet_bench.studies.answers_checks import GivenAnswers
from counterflownet_bench.studies.answers_classifiers import CLASSIFIERS, accuracy
from counterflownet_bench.studies.answers_judge import Judge
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_tables import AnswersTable, PartName, Posed

ALONE = 5  # rows that are asked about one by one, to see how long a user waits


@dataclass(frozen=True, kw_only=True)
class FitSettings:
    """What decides a fit, and which table; tables of one name and as many rows are the same."""

    dataset: str
    train_count: int
    classifier: str
    seed: int
    part: PartName
    minutes: float | None
    table: AnswersTable = field(compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A classifier, and an explainer of it; anything that can ``explain`` will do."""

    posed: Posed
    judge: Judge
    explainer: Any
    target: Any
    accuracy: float
    seconds: float

    def rows(self, count: int, seed: int) -> pd.DataFrame:
        """So many rows, or as many as there are, that do not have the class that is wanted."""
        X = self.posed.asked.X
        order = numpy_generator(seed, "answers rows").permutation(len(X))
        unwanted = order[~self.judge.valid(self.judge.space.coordinates(X))[order]]
        if not len(unwanted):
            raise InvalidInputError(f"the classifier puts every row in the class {self.target!r}: none to explain.")
        return X.iloc[np.sort(unwanted[:count])]

    def answers(self, rows: pd.DataFrame, rules: Rules, count: int) -> tuple[GivenAnswers, float]:
        """What the explainer gives for these rows, decoded, and how many seconds it took."""
        begun = time.perf_counter()
        found = self.explainer.explain(
            rows, target=self.target, count=count, constraints=rules.constraints(), progress=False
        )
        seconds = time.perf_counter() - begun
        space, row = self.judge.space, np.asarray(found.row, dtype=np.int64)
        before = space.coordinates(rows)[row]
        return GivenAnswers(self.judge, rules, row, before, space.coordinates(found.counterfactuals)), seconds

    def seconds_alone(self, rows: pd.DataFrame, rules: Rules, count: int) -> float:
        """How many seconds a row takes that is asked about alone."""
        few = [rows.iloc[[place]] for place in range(min(ALONE, len(rows)))]
        return float(np.mean([self.answers(row, rules, count)[1] for row in few]))


@lru_cache(maxsize=1)  # the same fit is asked with constraints and without
def fitted(settings: FitSettings) -> Fitted:
    """Train the classifier, then fit the explainer as a user does who knows the columns and nothing else."""
    table = settings.table
    posed = table.posed(settings.part, settings.seed)
    model = CLASSIFIERS[settings.classifier](table, posed, settings.seed)
    begun = time.perf_counter()
    explainer = CounterFlowNet(model, schema=table.schema(posed.fit.X), seed=settings.seed)
    explainer.fit(posed.fit.X, minutes=settings.minutes, progress=False)
    seconds = time.perf_counter() - begun
    wanted = np.asarray(model.classes_).tolist().index(table.desirable)
    judge = Judge(table.space(posed.fit.X), model, wanted)
    return Fitted(posed, judge, explainer, table.desirable, accuracy(model, posed), seconds)

"""All figures of one setting: its answers against what exhaustive search finds for the same rows."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from counterflownet.seeds import numpy_generator
from counterflownet_bench.studies.answers_asked import Fitted
from counterflownet_bench.studies.answers_checks import GivenAnswers
from counterflownet_bench.studies.answers_enumeration import Enumerated, enumerated
from counterflownet_bench.studies.answers_examples import examples
from counterflownet_bench.studies.answers_regret import Scorer
from counterflownet_bench.studies.answers_rules import Rules
from counterflownet_bench.studies.answers_search import RandomSearch
from counterflownet_bench.studies.answers_space import Flags

SHOWN = 5  # answers of a row, as the library shows by default
MANY = 20  # answers by which recall is judged
NEXT_TO_NOTHING = 0.01  # of the best reward, that may be missed
WANTED = 4  # strategies among those shown
Figures = dict[str, Any]


def measured(fitted: Fitted, rows: pd.DataFrame, rules: Rules, seed: int) -> Figures:
    """Ask for a few answers and for many, enumerate, compare."""
    few, seconds = fitted.answers(rows, rules, SHOWN)
    many, _ = fitted.answers(rows, rules, MANY)
    begun = time.perf_counter()
    own = fitted.judge.space.coordinates(rows)
    every = [enumerated(row, fitted.judge, rules) for row in own]
    figures = Comparison(fitted, few, many, every).figures(seed)
    checked = time.perf_counter() - begun
    return {
        "rows": len(rows),
        "figures": figures,
        "examples": examples(few, rows),
        "seconds": {
            "explain_together": seconds / len(rows),
            "explain_alone": fitted.seconds_alone(rows, rules, SHOWN),
            "check": checked,
        },
    }


@dataclass(frozen=True, eq=False)
class Comparison:
    """Few and many answers of some rows, and for each row every answer of one or two changes."""

    fitted: Fitted
    few: GivenAnswers
    many: GivenAnswers
    every: Sequence[Enumerated]

    def figures(self, seed: int) -> Figures:
        return self._flaws() | self._variety() | self._recall() | self._found(seed) | self._regret()

    def _flaws(self) -> Figures:
        given, good = self.few, self.few.good
        loose = {over: good.loose(over) for over in ("rows", "values")}
        return {
            "answers": len(given.row),
            "valid": _mean(given.valid),
            "allowed": _mean(given.allowed),
            "minimal": _mean(good.minimal()),
            "changes": _mean(good.changed.sum(axis=1)),
            "ordered_changes": len(loose["rows"]),
            "loose": _mean(loose["rows"]),
            "loose_over_values": _mean(loose["values"]),
            "dominated": _mean(good.dominated()),
            "far": _mean(good.far()),
        }

    def _variety(self) -> Figures:
        shown = np.array([len(self.few.good.strategies(row)) for row in range(len(self.every))])
        exist = np.array([each.strategy_count() for each in self.every])
        return {
            "strategies": _mean(shown[shown > 0]),
            "strategies_exist": _mean(exist),
            "rows_with_four": int((exist >= WANTED).sum()),
            "four_shown": _mean(shown[exist >= WANTED] >= WANTED),
        }

    def _recall(self) -> Figures:
        pairs = [
            (each.column_sets(), self.many.good.column_sets(row)) for row, each in enumerate(self.every) if len(each)
        ]
        alone = [({s for s in exist if len(s) == 1}, shown) for exist, shown in pairs]
        return {
            "column_sets": _mean([len(exist) for exist, _ in pairs]),
            "recall": _mean([len(exist & shown) / len(exist) for exist, shown in pairs]),
            "recall_at_best": _mean([min(MANY, len(exist)) / len(exist) for exist, _ in pairs]),
            "recall_single": _mean([len(exist & shown) / len(exist) for exist, shown in alone if exist]),
        }

    def _found(self, seed: int) -> Figures:
        answered = np.isin(np.arange(len(self.every)), self.few.good.row)
        by_two = np.array([len(each) > 0 for each in self.every])
        exists = answered | by_two
        exists |= self._found_by_chance(~exists, seed)
        return {
            "answerable": int(exists.sum()),
            "answerable_by_two": int(by_two.sum()),
            "found": _mean(answered[exists]),
            "false_none": int((exists & ~answered).sum()),
        }

    def _found_by_chance(self, open_rows: Flags, seed: int) -> Flags:
        judge = self.fitted.judge
        train = judge.space.coordinates(self.fitted.posed.fit.X)
        search = RandomSearch(judge, self.few.rules, train[judge.valid(train)])
        generator = numpy_generator(seed, "answers by chance")
        return np.array([lone and search.finds(self.every[row].own, generator) for row, lone in enumerate(open_rows)])

    def _regret(self) -> Figures:
        """None if the explainer cannot score rows that are not its own."""
        if not hasattr(self.fitted.explainer, "score"):
            return {"regret": None, "regret_worst": None, "regret_tight": None, "regret_within": None}
        scorer = Scorer(self.fitted.explainer, self.fitted.judge.space, self.fitted.target)
        regrets = scorer.regrets(self.few, self.every)
        return {
            "regret": _mean(regrets.all),
            "regret_worst": float(regrets.all.max()) if len(regrets.all) else None,
            "regret_tight": _mean(regrets.tight),
            "regret_within": _mean(regrets.all <= NEXT_TO_NOTHING),
        }


def _mean(values: Any) -> float | None:
    return float(np.mean(values)) if len(values) else None

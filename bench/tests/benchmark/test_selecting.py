import numpy as np
import pandas as pd

from counterflownet_bench.baselines.method import Given
from counterflownet_bench.benchmark.cell import Cell, posed
from counterflownet_bench.benchmark.selecting import POOL, selected
from counterflownet_bench.datasets import load_benchmark

DATA = load_benchmark("german_credit")
CELL = Cell(protocol="a", dataset="german_credit", method="mcce", selection="pooled", instances=3)


class Proposes:
    """A method that proposes training rows, some of them twice."""

    def __init__(self):
        self.asked, self.training = [], {}

    def answer(self, rows, targets, *, count, selection):
        self.asked.append((count, selection))
        table = pd.concat([DATA.X_train.head(count // 2)] * 2 * len(rows), ignore_index=True)
        return Given.of_rows(table, np.arange(len(rows)).repeat(count // 2 * 2), row_count=len(rows), count=count)


def chosen(count=10):
    reference, scoring = posed(CELL, DATA)
    method = Proposes()
    before = reference.classifier.tally.rows
    given = selected(method, scoring, [1 - number for number in scoring.target], count)
    return method, scoring, given, reference.classifier.tally.rows - before


def test_every_method_is_asked_for_the_same_number_of_raw_candidates_each_of_which_is_asked_about_once():
    method, scoring, _, calls = chosen()
    assert method.asked == [(POOL, "raw")]
    assert calls <= POOL * len(scoring.rows)


def test_what_is_selected_is_valid_and_differs():
    _, scoring, given, _ = chosen()
    assert scoring.valid(given.counterfactuals, given.row).all()
    assert not given.counterfactuals.assign(row=given.row).duplicated().any()
    assert np.bincount(given.row).max() <= 10


def test_strategies_come_before_variations_and_few_changes_before_many():
    _, scoring, given, _ = chosen(count=50)
    answers = scoring.answers(given, 50)
    for row in np.unique(given.row):
        kinds = [tuple(line) for line in answers.changed[given.row == row].tolist()]
        firsts = [kind not in kinds[:place] for place, kind in enumerate(kinds)]
        changes = answers.changed[given.row == row].sum(axis=1)
        leading = int(np.argmin(firsts)) if not all(firsts) else len(firsts)
        assert (np.diff(changes[:leading]) >= 0).all()

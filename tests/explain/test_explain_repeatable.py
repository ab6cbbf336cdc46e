"""The same question gets the same answer, whatever stands beside it and whoever else draws numbers."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
import torch
from explained import found, kinds, same_rows

from counterflownet import (
    CounterFlowNet,
)

UNTOUCHED = """
import random, numpy, pandas, torch
from counterflownet import CounterFlowNet
def states():
    kind, keys, *rest = numpy.random.get_state()
    return random.getstate(), kind, keys.tolist(), rest, torch.get_rng_state().tolist()
X = pandas.DataFrame({"a": [0.1, 0.9, 0.4, 0.6], "b": list("xyxz")})
before = states()
explainer = CounterFlowNet(lambda rows: rows["a"], classes=[0, 1], training={"steps": 3, "width": 8}).fit(X)
explainer.explain(X)
print("untouched" if states() == before else "touched")
"""


def test_asking_again_gives_the_same_answer(explainer, rejected) -> None:
    one, two = (explainer.explain(rejected).to_frame() for _ in range(2))
    pd.testing.assert_frame_equal(one, two, check_exact=True)


def test_a_rows_answers_do_not_depend_on_the_rows_beside_it(explainer, people) -> None:
    rows = people.head(24)
    together = explainer.explain(rows, count=3, samples=40)
    alone = [explainer.explain(rows.iloc[[number]], count=3, samples=40) for number in range(len(rows))]
    assert np.mean([same_rows(one, together) for one in alone]) == 1.0


def test_a_rows_answers_do_not_depend_on_the_order_of_the_rows(explainer, people) -> None:
    rows = people.head(24)
    turned = explainer.explain(rows.iloc[::-1], count=3, samples=40)
    assert same_rows(explainer.explain(rows, count=3, samples=40), turned) == 1.0


@pytest.mark.parametrize("chunk_rows", [1, 5, 100])
def test_the_size_of_a_chunk_changes_no_answer(explainer, people, chunk_rows) -> None:
    rows = people.head(24)
    whole = explainer.explain(rows, count=3, samples=40)
    cut = explainer.explain(rows, count=3, samples=40, chunk_rows=chunk_rows)
    assert same_rows(whole, cut) == 1.0
    assert kinds(whole) == kinds(cut)
    pd.testing.assert_series_equal(found(cut).dtypes, rows.dtypes)


def test_answers_that_are_worth_the_same_stand_in_the_same_order_in_any_chunk(tiny) -> None:
    draw = np.random.default_rng(3)
    cells = draw.permuted(np.tile(np.arange(40), (6, 1)), axis=1).T  # columns that nothing tells apart
    table = pd.DataFrame(cells, columns=list("abcdef"))
    model = CounterFlowNet(lambda rows: rows.sum(axis=1) > 130, classes=[0, 1], training=tiny).fit(table)
    orders = [model.explain(table, count=8, chunk_rows=size).to_frame()["changed"].tolist() for size in (40, 7, 1)]
    assert orders[0] == orders[1] == orders[2]


def test_the_same_seed_gives_the_same_explainer_and_another_seed_another(plain, tiny) -> None:
    def frames(seed: int) -> list[pd.DataFrame]:
        model = CounterFlowNet(lambda rows: rows["a"].clip(0, 1), classes=["no", "yes"], training=tiny, seed=seed)
        model.fit(plain)
        return [model.explain(plain).to_frame(), model.sample(plain).to_frame()]

    for one, other in zip(frames(3), frames(3), strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)
    assert not frames(3)[1].equals(frames(4)[1])


def test_the_random_states_of_the_process_are_left_alone() -> None:
    """In a process of its own: the type checks of these tests draw from Python's generator."""
    command = [sys.executable, "-W", "error", "-c", UNTOUCHED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own text
    assert (done.stdout, done.stderr) == ("untouched\n", "")


def test_the_random_states_of_the_process_have_no_say(explainer, rejected) -> None:
    torch.manual_seed(1)
    one = explainer.explain(rejected).to_frame()
    torch.manual_seed(2)
    pd.testing.assert_frame_equal(one, explainer.explain(rejected).to_frame(), check_exact=True)


def test_threads_get_the_same_answers_as_one_after_the_other(explainer, people) -> None:
    halves = [people.head(40), people.tail(40), people.head(20)]
    alone = [explainer.explain(rows).to_frame() for rows in halves]
    with ThreadPoolExecutor(3) as pool:
        together = [answer.to_frame() for answer in pool.map(explainer.explain, halves * 3)]
    for one, other in zip(alone * 3, together, strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)

"""What every method must do, ours included, whatever else it can."""

from collections.abc import Callable
from dataclasses import fields, replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from baseline_task import task_on

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.cchvae import Cchvae
from counterflownet_bench.baselines.cchvae_autoencoder import AutoencoderSettings
from counterflownet_bench.baselines.copa import Copa
from counterflownet_bench.baselines.descent import Descent
from counterflownet_bench.baselines.dice import DiceMethod
from counterflownet_bench.baselines.dicoflex import DiCoFlex, DiCoFlexTraining
from counterflownet_bench.baselines.face import Face
from counterflownet_bench.baselines.flow_density import DensitySettings
from counterflownet_bench.baselines.growing_spheres import GrowingSpheres
from counterflownet_bench.baselines.l2c import L2C
from counterflownet_bench.baselines.mcce import Mcce
from counterflownet_bench.baselines.method import Given, Method, Task
from counterflownet_bench.baselines.nearest_unlike import NearestUnlike
from counterflownet_bench.baselines.nice import Nice
from counterflownet_bench.baselines.ppcef import Ppcef
from counterflownet_bench.baselines.random_search import RandomSearch
from counterflownet_bench.baselines.revise import Revise
from counterflownet_bench.baselines.wachter import Wachter
from counterflownet_bench.benchmark.methods import METHODS, OURS, CounterFlowNetMethod
from counterflownet_bench.benchmark.presets import preset_of

COUNT = 4
ROWS = 6
DATASETS = ("german_credit", "bank_marketing")

# Every method with so little training that the suite is quick: it is about the form of answers, not their worth.
QUICK: dict[str, Callable[[str, str], Method]] = {
    OURS: lambda protocol, dataset: CounterFlowNetMethod(preset_of("default", protocol, dataset, steps=20)),
    "l2c": lambda *_: L2C(epochs=2, most_draws=500),
    "dice-random": lambda *_: DiceMethod("random"),
    "dice-genetic": lambda *_: DiceMethod("genetic", seconds_per_row=5.0),
    "dice-kdtree": lambda *_: DiceMethod("kdtree", sparsity_search="none"),
    "dice-kdtree-searched": lambda *_: DiceMethod("kdtree"),
    "copa": lambda *_: Copa(iterations=30),
    "mcce": lambda *_: Mcce(),
    "cchvae": lambda *_: Cchvae(autoencoder=AutoencoderSettings(epochs=1), most_rounds=20),
    "wachter": lambda *_: Wachter(descent=Descent(steps=60, learning_rate=0.05), growth=1.2),
    "face": lambda *_: Face(rows=800),
    "revise": lambda *_: Revise(
        autoencoder=AutoencoderSettings(epochs=1), descent=Descent(steps=40, learning_rate=0.3)
    ),
    "nice": lambda *_: Nice(),
    "growing-spheres": lambda *_: GrowingSpheres(candidates=100, most_rounds=40),
    "ppcef": lambda *_: Ppcef(density=DensitySettings(epochs=1), descent=Descent(steps=40, learning_rate=0.05)),
    "nearest-unlike": lambda *_: NearestUnlike(),
    "random-search": lambda *_: RandomSearch(),
    "dicoflex": lambda *_: DiCoFlex(factuals=200, training=DiCoFlexTraining(epochs=1), draws=20),
    "dicoflex-published": lambda *_: DiCoFlex(
        norms=(0.01, 2.0), factuals=200, training=DiCoFlexTraining(epochs=1, groups=256, pairs=32), draws=20
    ),
}
KEEPS_IMMUTABLES = set(QUICK) - {"dice-genetic", "dicoflex", "dicoflex-published", "nearest-unlike"}
KEEPS_ORDER = {OURS, "l2c", "dice-random", "dice-kdtree", "dice-kdtree-searched", "face", "nice", "random-search"}
GRADIENTS_ONLY = {"l2c", "wachter", "revise", "ppcef"}
LINEAR_ONLY = {"copa"}
DRAWS_NOTHING = {"dice-kdtree", "dice-kdtree-searched", "nearest-unlike", "nice", "face"}


def asked(dataset: str, seed: int = 0) -> tuple[Task, pd.DataFrame, list]:
    """A task on few training rows, some test rows, and the class that is wanted for each."""
    task, tested = task_on(dataset, train_count=2_000, seed=seed)
    rows = tested.head(ROWS)
    return task, rows, [task.classifier.classes[1 - number] for number in task.classifier.predicted(rows)]


def answers_of(name: str, dataset: str, seed: int = 0) -> tuple[Task, pd.DataFrame, Given]:
    task, rows, targets = asked(dataset, seed)
    method = QUICK[name](task.card.protocol, dataset)
    return task, rows, method.fit(task).answer(rows, targets, count=COUNT, selection="selected")


@pytest.fixture(scope="module")
def answered():
    """Each method on each data set, asked once."""
    known = {}

    def ask(name: str, dataset: str) -> tuple[Task, pd.DataFrame, Given]:
        if (name, dataset) not in known:
            known[name, dataset] = answers_of(name, dataset)
        return known[name, dataset]

    return ask


CELLS = [(name, dataset) for name in QUICK for dataset in DATASETS if (name, dataset) != ("copa", "bank_marketing")]


def test_every_method_of_the_benchmark_is_asked() -> None:
    assert set(QUICK) == set(METHODS)


@pytest.mark.parametrize(("name", "dataset"), CELLS)
def test_answers_are_rows_of_the_table_and_none_is_missing_or_a_copy(answered, name, dataset) -> None:
    task, rows, given = answered(name, dataset)
    answers = given.counterfactuals
    assert len(answers) == len(given.row) == len(given.rank) > 0
    assert answers.index.tolist() == list(range(len(answers)))
    assert set(answers.columns) == set(task.train.columns)
    for column, dtype in task.train.dtypes.items():
        wider = column in task.card.continuous and name == OURS  # the middle of a bin of whole numbers may be none
        assert answers[column].dtype in ({dtype, np.dtype(float)} if wider else {dtype}), column
    assert not answers.isna().any(axis=None)
    factuals = rows[list(answers.columns)].take(given.row).reset_index(drop=True)
    assert (answers != factuals).any(axis=1).all()
    for column in task.card.categorical:
        assert set(answers[column]) <= set(task.card.category(column).values)
    task.classifier.probabilities(answers)  # it refuses what it does not know


@pytest.mark.parametrize(("name", "dataset"), CELLS)
def test_ranks_count_from_one_within_each_row_and_every_row_has_an_outcome(answered, name, dataset) -> None:
    _, rows, given = answered(name, dataset)
    for row in set(given.row.tolist()):
        ranks = given.rank[given.row == row].tolist()
        assert sorted(ranks) == ranks
        assert len(ranks) <= COUNT
        assert set(ranks) <= set(range(1, COUNT + 1))
    assert given.row.min() >= 0
    assert given.row.max() < len(rows)
    assert sum(given.outcomes.values()) == len(rows)


@pytest.mark.parametrize("name", sorted(KEEPS_IMMUTABLES))
def test_immutables_stay_where_a_method_says_so(answered, name) -> None:
    task, rows, given = answered(name, "german_credit")
    assert task.card.immutable
    for column in task.card.immutable:
        assert given.counterfactuals[column].tolist() == rows[column].take(given.row).tolist()


@pytest.mark.parametrize("name", sorted(KEEPS_ORDER))
def test_what_must_not_decrease_does_not_where_a_method_says_so(answered, name) -> None:
    task, rows, given = answered(name, "german_credit")
    assert task.card.increasing
    for column in task.card.increasing:
        assert (given.counterfactuals[column].to_numpy() >= rows[column].to_numpy()[given.row]).all()


@pytest.mark.parametrize("name", sorted(QUICK))
def test_the_same_seed_gives_the_same_answers_and_another_one_others(answered, name) -> None:
    one, again, other = (answered(name, "german_credit")[2], *(answers_of(name, "german_credit", s)[2] for s in (0, 1)))
    pd.testing.assert_frame_equal(one.counterfactuals, again.counterfactuals)
    assert np.array_equal(one.row, again.row)
    assert one.counterfactuals.equals(other.counterfactuals) == (name in DRAWS_NOTHING)


def test_no_method_is_told_a_label() -> None:
    task, *_ = asked("german_credit")
    assert task.card.target not in task.train.columns
    assert {field.name for field in fields(task)} == {"card", "train", "classifier", "schema", "constraints", "seed"}


@pytest.mark.parametrize("name", sorted(LINEAR_ONLY))
def test_what_a_method_cannot_explain_it_refuses(name) -> None:
    task, *_ = asked("bank_marketing")
    with pytest.raises(InvalidInputError, match=r"linear|logistic"):
        QUICK[name]("b", "bank_marketing").fit(task)


@pytest.mark.parametrize("name", sorted(GRADIENTS_ONLY))
def test_who_needs_gradients_says_so_of_a_black_box(name) -> None:
    task, *_ = asked("german_credit")
    black_box = SimpleNamespace(classes=task.classifier.classes, probabilities=task.classifier.probabilities)
    with pytest.raises(InvalidInputError, match="gradients and needs a reference classifier"):
        QUICK[name]("a", "german_credit").fit(replace(task, classifier=black_box))


def test_a_row_on_which_time_is_over_has_no_answer_and_says_so() -> None:
    task, rows, targets = asked("german_credit")
    hurried = replace(QUICK["dice-genetic"]("a", "german_credit"), seconds_per_row=0.001)
    given = hurried.fit(task).answer(rows, targets, count=COUNT, selection="selected")
    assert len(given.row) == 0
    assert given.outcomes == {"timed_out": len(rows)}

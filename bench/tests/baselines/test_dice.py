"""dice-ml in its own environment, on a handful of rows: it is slow."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from baseline_task import task_on
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from counterflownet.errors import CounterFlowNetError, InvalidInputError
from counterflownet_bench.baselines import dice, dice_process
from counterflownet_bench.baselines.dice import DiceMethod
from counterflownet_bench.baselines.dice_environment import dice_python
from counterflownet_bench.baselines.dice_process import DiceQuestion, DiceReply
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.references.model import Layer


@pytest.fixture(scope="module", autouse=True)
def environment() -> None:
    try:
        dice_python()
    except CounterFlowNetError as error:
        pytest.skip(f"dice-ml cannot be run here: {error}")


PATIENT = 300.0  # seconds: on a busy machine a row must not be cut off where its answers are looked at


def task_of(name: str, train_count: int) -> tuple[Task, pd.DataFrame]:
    """A task on some training rows, and one test row of each predicted class."""
    task, tested = task_on(name, train_count=train_count)
    first = tested.head(50)
    predicted = task.classifier.predicted(first)
    chosen = [int(np.flatnonzero(predicted == number)[0]) for number in (0, 1)]
    return task, first.iloc[chosen].reset_index(drop=True)


def asked(method: DiceMethod, task: Task, rows: pd.DataFrame, count: int = 3):
    targets = [task.classifier.classes[number] for number in 1 - task.classifier.predicted(rows)]
    return method.fit(task).answer(rows, targets, count=count, selection="selected")


def valid_share(task: Task, rows: pd.DataFrame, given) -> float:
    wanted = 1 - task.classifier.predicted(rows)[given.row]
    return float((task.classifier.predicted(given.counterfactuals) == wanted).mean())


@pytest.fixture(scope="module")
def german():
    return task_of("german_credit", 800)


@pytest.fixture(scope="module")
def adult():
    return task_of("adult_protocol_b", 2000)


@pytest.fixture(scope="module")
def german_random(german):
    """Many answers, so that each constraint would be broken by some if it were not told."""
    return asked(DiceMethod("random", PATIENT), *german, count=20)


@pytest.fixture(scope="module")
def german_genetic(german):
    return asked(DiceMethod("genetic", PATIENT), *german)


def test_the_random_kind_answers_every_row_in_both_directions(german, german_random) -> None:
    task, rows = german
    assert german_random.outcomes == {"complete": 2}
    assert german_random.row.tolist() == [0] * 20 + [1] * 20
    assert german_random.rank.tolist() == [*range(1, 21)] * 2
    assert valid_share(task, rows, german_random) == 1.0
    pd.testing.assert_series_equal(german_random.counterfactuals.dtypes, task.train.dtypes)
    assert german_random.counterfactuals.index.tolist() == list(range(40))


def test_the_genetic_kind_answers_validly(german, german_genetic) -> None:
    task, rows = german
    assert german_genetic.outcomes == {"complete": 2}
    assert valid_share(task, rows, german_genetic) == 1.0


@pytest.mark.parametrize("kind", ["random", "genetic"])
def test_constraints_are_told_to_dice(german, request, kind) -> None:
    task, rows = german
    given = request.getfixturevalue(f"german_{kind}")
    factuals, answers = rows.iloc[given.row].reset_index(drop=True), given.counterfactuals
    immutable = list(task.card.immutable)
    pd.testing.assert_frame_equal(answers[immutable], factuals[immutable])
    for name in task.card.increasing:
        ordered = name in task.card.ordered
        places = {value: i for i, value in enumerate(task.card.category(name).values)} if ordered else {}
        before, after = (table[name].map(places) if ordered else table[name] for table in (factuals, answers))
        assert (after >= before).all(), name


def test_the_range_of_a_row_begins_at_its_own_value(german) -> None:
    task, rows = german
    ranges = dice._ranges(task.card, task.train, rows)
    assert [row["age"] for row in ranges] == [[age, int(task.train["age"].max())] for age in rows["age"]]
    name = "Present-employment-since"
    values = [str(value) for value in task.card.category(name).values]
    assert [row[name] for row in ranges] == [values[values.index(str(value)) :] for value in rows[name]]


def test_a_row_follows_from_its_seed_and_not_from_the_rows_beside_it(german, german_random) -> None:
    task, rows = german
    first = german_random.counterfactuals.head(20)
    alone = asked(DiceMethod("random", PATIENT), task, rows.head(1), count=20)
    pd.testing.assert_frame_equal(alone.counterfactuals, first)
    other = asked(DiceMethod("random", PATIENT), replace(task, seed=1), rows.head(1), count=20)
    assert not other.counterfactuals.equals(first)


def test_a_number_that_must_stay_keeps_its_decimals() -> None:
    """The genetic kind rounds every number to the decimals that are most frequent in its column."""
    task, rows = task_of("graduate_admission_400", 320)
    row = rows.head(1).assign(CGPA=rows["CGPA"] + 0.00123)
    given = asked(DiceMethod("genetic", PATIENT), replace(task, card=replace(task.card, immutable=("CGPA",))), row)
    assert given.outcomes == {"complete": 1}
    assert given.counterfactuals["CGPA"].tolist() == row["CGPA"].tolist() * 3


def test_the_tree_answers_with_rows_like_those_it_was_given(adult) -> None:
    task, rows = adult
    given = asked(DiceMethod("kdtree", PATIENT), task, rows)
    assert given.outcomes == {"complete": 2}
    assert valid_share(task, rows, given) == 1.0
    categorical = list(task.card.categorical)
    known = set(map(tuple, task.train[categorical].to_numpy()))
    assert set(map(tuple, given.counterfactuals[categorical].to_numpy())) <= known
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, task.train.dtypes)


def test_a_row_without_answers_is_left_out(german) -> None:
    """The tree's nearest rows all differ in immutable columns, which is what dice-ml raises an error about."""
    task, rows = german
    frozen = replace(task.card, immutable=tuple(name for name in task.card.features if name != "age"))
    given = asked(DiceMethod("kdtree", PATIENT), replace(task, card=frozen), rows)
    assert given.outcomes == {"none": 2}
    assert given.counterfactuals.shape == (0, 20)
    assert len(given.row) == len(given.rank) == 0
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, task.train.dtypes)


def test_a_copy_of_the_factual_is_no_answer(german) -> None:
    task, rows = german
    shown = pd.concat([rows.head(1), rows.tail(1), rows.tail(1).assign(age=70)], ignore_index=True)
    reply = DiceReply(shown[list(task.card.features)], np.array([0, 1, 1]), [None, None], [0.1, 0.1], {})
    given = dice.given_by(reply, rows, list(task.train.columns), 2)
    assert given.outcomes == {"none": 1, "partial": 1}
    assert (given.row.tolist(), given.rank.tolist()) == ([1], [1])
    pd.testing.assert_frame_equal(given.counterfactuals, shown.tail(1).reset_index(drop=True))


def test_any_model_can_be_asked_about_and_rows_are_timed_until_the_time_is_over(adult) -> None:
    task, rows = adult
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), list(task.card.categorical)))
    labels = task.classifier.predicted(task.train)
    model = make_pipeline(columns, LogisticRegression()).fit(task.train, labels)
    question = DiceQuestion(
        kind="random",
        card=task.card,
        train=task.train,
        rows=rows,
        targets=(1 - model.predict(rows)).tolist(),
        seeds=[0, 1],
        count=2,
        ranges=[{}, {}],
        seconds_per_row=PATIENT,
        seconds=PATIENT,
        warm_up=True,
    )
    reply = question.reply(model, dice_python())
    assert reply.reasons == [None, None]
    assert all(seconds > 0 for seconds in reply.seconds)
    assert (model.predict(reply.answers) != model.predict(rows)[reply.row]).all()
    assert reply.process["versions"]["dice-ml"]
    late = replace(question, seconds=1e-6).reply(model, dice_python())
    assert (list(late.reasons), len(late.answers)) == ([], 0)


def test_a_row_that_takes_too_long_is_cut_off(adult) -> None:
    task, rows = adult
    given = asked(DiceMethod("genetic", seconds_per_row=0.05), task, rows)
    assert given.outcomes == {"timed_out": 2}
    assert given.counterfactuals.empty


def test_an_error_of_dice_on_a_row_is_counted(adult) -> None:
    task, rows = adult
    unseen = rows["workclass"].iloc[0]
    train = task.train[task.train["workclass"] != unseen].reset_index(drop=True)
    asked_for = pd.concat([rows.head(1), train.head(1)], ignore_index=True)
    given = asked(DiceMethod("random", PATIENT), replace(task, train=train), asked_for)
    assert given.outcomes == {"failed": 1, "complete": 1}
    assert given.row.tolist() == [1, 1, 1]


def test_an_error_of_dice_on_every_row_is_raised() -> None:
    dice._check_some_worked(["failed: ValueError: no", "timed_out"])
    with pytest.raises(CounterFlowNetError, match="ValueError: no"):
        dice._check_some_worked(["failed: ValueError: no"])


def test_another_classifier_in_the_environment_is_an_error(german, monkeypatch) -> None:
    task, rows = german

    def wrong(classifier):
        told = original(classifier)
        told["scaled"][0][1] += 1e-6
        return told

    original = dice_process.described
    monkeypatch.setattr(dice_process, "described", wrong)
    with pytest.raises(CounterFlowNetError, match="predicts otherwise"):
        asked(DiceMethod("random", PATIENT), task, rows)


def test_only_what_has_layers_can_be_told(german) -> None:
    task, _ = german
    with pytest.raises(InvalidInputError, match="reference classifiers only"):
        DiceMethod("random").fit(replace(task, classifier=Layer))


def test_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(InvalidInputError, match="genetics"):
        DiceMethod("genetics")

"""C-CHVAE: its autoencoder, its shells, and what its searches find."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet.errors import InvalidInputError
from counterflownet_bench.baselines.cchvae import Cchvae, Searches
from counterflownet_bench.baselines.cchvae_autoencoder import AutoencoderSettings
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.benchmark.presets import BINS
from counterflownet_bench.benchmark.roles import reference_of, schema_of
from counterflownet_bench.datasets import load_benchmark

QUICK = Cchvae(
    autoencoder=AutoencoderSettings(epochs=6, batch_rows=16, learning_rate=5e-3, divergence=0.05),
    candidates=60,
    most_rounds=40,
)


def task_of(name: str, row_count: int) -> Task:
    data = load_benchmark(name)
    train = data.X_train.head(row_count)
    classifier = reference_of(data, seed=0).classifier
    schema = schema_of(data.card, train, BINS[data.card.protocol])
    return Task(card=data.card, train=train, classifier=classifier, schema=schema, constraints=[], seed=0)


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of("adult_protocol_b", 1_000)


@pytest.fixture(scope="module")
def rows(task) -> pd.DataFrame:
    """Rows of both predicted classes."""
    test = load_benchmark("adult_protocol_b").X_test.head(200)
    predicted = task.classifier.predicted(test)
    return pd.concat([test[predicted == number].head(5) for number in (0, 1)])


def wanted_of(task: Task, rows: pd.DataFrame) -> np.ndarray:
    return 1 - task.classifier.predicted(rows)


def answer(fitted, rows: pd.DataFrame, count: int, wanted: np.ndarray | None = None):
    wanted = wanted_of(fitted.task, rows) if wanted is None else wanted
    return fitted.answer(
        rows, [fitted.task.classifier.classes[number] for number in wanted], count=count, selection="raw"
    )


@pytest.fixture(scope="module")
def fitted(task):
    return QUICK.fit(task)


@pytest.fixture(scope="module")
def given(fitted, rows):
    return answer(fitted, rows, 4)


class Stubborn:
    """A classifier that puts every row in its first class."""

    classes = ("no", "yes")

    def probabilities(self, rows: pd.DataFrame) -> np.ndarray:
        return np.tile([0.9, 0.1], (len(rows), 1))


def test_the_autoencoder_learns_the_rows(task, fitted) -> None:
    assert fitted.training["epochs"] == 6
    assert fitted.training["last_loss"] < fitted.training["first_loss"] - 5
    untrained = replace(QUICK, autoencoder=replace(QUICK.autoencoder, epochs=0)).fit(task)
    same = []
    for one in (fitted, untrained):
        decoded = one.space.decode(one.autoencoder.decoded(one.autoencoder.centres(one.space.encode(task.train))))
        same.append((decoded[list(task.card.categorical)] == task.train[list(task.card.categorical)]).to_numpy().mean())
    assert same[0] > same[1] + 0.3


def test_the_weight_of_the_prior_draws_rows_together(task) -> None:
    spread = {}
    for weight in (0.0, 30.0):
        settings = replace(QUICK.autoencoder, divergence=weight, epochs=2)
        one = replace(QUICK, autoencoder=settings).fit(task)
        spread[weight] = one.autoencoder.centres(one.space.encode(task.train)).std()
    assert spread[30.0] < spread[0.0] / 2


def test_every_answer_is_a_valid_row_that_can_exist(task, rows, given) -> None:
    assert len(given.row) > 2 * len(rows)
    assert (task.classifier.predicted(given.counterfactuals) == wanted_of(task, rows)[given.row]).all()
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, task.train.dtypes)
    for name in task.card.categorical:
        assert set(given.counterfactuals[name]) <= set(task.train[name])
    for name in task.card.continuous:
        assert given.counterfactuals[name].between(task.train[name].min(), task.train[name].max()).all()


def test_both_directions_are_answered_and_counted(rows, given) -> None:
    found = np.bincount(given.row, minlength=len(rows))
    assert (found[:5] > 0).any()
    assert (found[5:] > 0).any()
    shares = {"complete": (found == 4).sum(), "partial": ((found > 0) & (found < 4)).sum(), "none": (found == 0).sum()}
    assert given.outcomes == {name: number for name, number in shares.items() if number}
    ranks = pd.Series(given.rank).groupby(given.row).agg(list)
    assert all(own == list(range(1, len(own) + 1)) for own in ranks)


def test_steps_fill_the_shell_of_their_round(fitted, rows) -> None:
    searches = Searches.of(fitted, rows, wanted_of(fitted.task, rows), 1)
    for number in (0, 3, 30):
        steps = searches._steps(searches.generators[0], number)
        lengths = np.abs(steps).sum(axis=1) / QUICK.shell_width
        assert lengths.min() >= number - 1e-3
        assert lengths.max() <= number + 1 + 1e-3
        assert np.ptp(lengths) > 0.8
        assert (np.sign(steps).mean(axis=0) < 0.5).all()


def test_a_search_returns_its_nearest_valid_candidate(fitted, rows) -> None:
    wanted = wanted_of(fitted.task, rows)
    for number in (8, 30):
        one, same = (Searches.of(fitted, rows, wanted, 1) for _ in range(2))
        found = one._round(np.arange(len(rows)), number)
        assert len(found.search) > 0
        for place, search in enumerate(found.search):
            owner = np.repeat(search, QUICK.candidates)
            candidates = same._decoded(same.centres[owner] + same._steps(same.generators[search], number), owner)
            distance = np.abs(fitted.space.encode(candidates) - one.vectors[search]).sum(axis=1)
            valid = same._valid(candidates, owner)
            best = candidates.iloc[int(np.where(valid, distance, np.inf).argmin())]
            assert best.tolist() == found.rows.iloc[place].tolist()


def test_searches_go_on_in_shells_further_out_until_one_finds_something(fitted, rows, given) -> None:
    early = answer(replace(fitted, method=replace(QUICK, most_rounds=5)), rows, 4)
    assert 0 < len(early.row) < len(given.row)
    assert early.counterfactuals.merge(given.counterfactuals, how="left", indicator=True)["_merge"].eq("both").all()


def test_a_search_that_finds_nothing_gives_no_answer(task, fitted, rows) -> None:
    hopeless = replace(fitted, task=replace(task, classifier=Stubborn()), method=replace(QUICK, most_rounds=3))
    given = hopeless.answer(rows, ["yes"] * len(rows), count=2, selection="raw")
    assert len(given.counterfactuals) == len(given.row) == len(given.rank) == 0
    assert given.outcomes == {"none": len(rows)}
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, task.train.dtypes)


def test_immutable_values_stay_even_where_training_rows_have_none_like_them(task, rows) -> None:
    card = replace(task.card, immutable=("hours_per_week", "sex"))
    fitted = replace(QUICK, most_rounds=15).fit(replace(task, card=card))
    rows = rows.assign(hours_per_week=99.5)
    assert task.train["hours_per_week"].max() < 99.5
    given = answer(fitted, rows, 2)
    assert len(given.row) > 0
    assert (given.counterfactuals["hours_per_week"] == 99.5).all()
    assert given.counterfactuals["sex"].tolist() == rows["sex"].iloc[given.row].tolist()
    pd.testing.assert_series_equal(given.counterfactuals.dtypes, task.train.dtypes)
    beside = fitted.autoencoder.centres(fitted.space.encode(rows))[:, 16:]
    assert np.allclose(beside, fitted.space.encode(rows)[:, fitted.space.of_columns(card.immutable)])


def test_a_row_is_no_answer_to_itself() -> None:
    german = task_of("german_credit", 200)
    card = replace(german.card, immutable=tuple(name for name in german.card.features if name != "Telephone"))
    german = replace(german, card=card)
    rows = german.train.head(20).reset_index(drop=True)
    wild = replace(QUICK, autoencoder=replace(QUICK.autoencoder, epochs=0), shell_width=5.0)
    given = answer(wild.fit(german), rows, 2, wanted=german.classifier.predicted(rows))
    assert len(given.row) > 0
    assert (given.counterfactuals["Telephone"] != rows["Telephone"].take(given.row).reset_index(drop=True)).all()


def test_searches_are_independent_of_each_other_and_of_the_rows_beside(fitted, rows, given) -> None:
    fewer = answer(fitted, rows.head(3), 2)
    kept = (given.row < 3) & (given.rank <= 2)
    pd.testing.assert_frame_equal(fewer.counterfactuals, given.counterfactuals[kept].reset_index(drop=True))
    assert not given.counterfactuals.duplicated().any()


def test_the_seed_decides_and_the_process_is_left_alone(task, rows) -> None:
    before = torch.get_rng_state()
    brief = replace(QUICK, autoencoder=replace(QUICK.autoencoder, epochs=1), most_rounds=10)
    one, same, other = (answer(brief.fit(replace(task, seed=seed)), rows, 2) for seed in (0, 0, 1))
    assert torch.equal(before, torch.get_rng_state())
    assert len(one.row) > 0
    pd.testing.assert_frame_equal(one.counterfactuals, same.counterfactuals)
    assert not other.counterfactuals.equals(one.counterfactuals)


def test_what_cannot_be_done_is_said(fitted, rows) -> None:
    with pytest.raises(InvalidInputError, match="unknown target 'good'"):
        fitted.answer(rows, ["good"] * len(rows), count=1, selection="raw")
    with pytest.raises(InvalidInputError, match="widths needs a hidden and a latent width"):
        AutoencoderSettings(widths=(16,))
    with pytest.raises(InvalidInputError, match="candidates must be a whole number"):
        Cchvae(candidates=0)
    assert QUICK.settings()["autoencoder"]["epochs"] == 6

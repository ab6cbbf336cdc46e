"""Fitting: every objective, odd tables, limits, and fits that are stopped and gone on with."""

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import Bins, CounterFlowNet, OneOf, Outcome, RewardWeights, Schema, TrainingSettings
from counterflownet.errors import ClassifierError

QUICK = {"steps": 6, "window": 2, "batch_rows": 16, "width": 8, "patience": None}


def rising(frame: pd.DataFrame) -> np.ndarray:
    return frame["a"].clip(0, 1).to_numpy(float)


def make(model=rising, **options) -> CounterFlowNet:
    training = {**QUICK, **options.pop("training", {})}
    return CounterFlowNet(model, **{"classes": ["no", "yes"], "training": training, **options})


class Failing:
    """A function that fails when asked for the ``at``-th time."""

    def __init__(self, at: int) -> None:
        self.at, self.asked = at, 0

    def __call__(self, frame: pd.DataFrame) -> np.ndarray:
        self.asked += 1
        if self.asked == self.at:
            raise ConnectionError("the model's server is gone")
        return rising(frame)


def weights_of(explainer: CounterFlowNet) -> dict[str, torch.Tensor]:
    return explainer._learned.model.state_dict()


def assert_same(one: CounterFlowNet, other: CounterFlowNet) -> None:
    left, right = weights_of(one), weights_of(other)
    assert left.keys() == right.keys()
    assert all(torch.equal(left[name], right[name]) for name in left)
    frames = [explainer.history.to_frame().drop(columns="seconds") for explainer in (one, other)]
    pd.testing.assert_frame_equal(*frames, check_exact=True)


@pytest.mark.parametrize("objective", ["trajectory", "detailed", "subtrajectory", "stateflow"])
def test_every_objective_fits_and_explains(plain, objective) -> None:
    explainer = make(training={"objective": objective}).fit(plain)
    found = explainer.explain(plain, target="yes").to_frame()
    assert len(found) > 0
    assert (found["a"] > 0.5).all()
    assert np.isfinite(explainer.history.to_frame().to_numpy()).all()


@pytest.mark.parametrize("objective", ["trajectory", "detailed", "subtrajectory", "stateflow"])
@pytest.mark.parametrize("at", [4, 7])
def test_a_fit_that_was_stopped_goes_on_as_if_it_had_not_been(plain, tmp_path, objective, at) -> None:
    training = {"objective": objective}
    whole = make(training=training).fit(plain)
    with pytest.raises(ClassifierError, match="ConnectionError: the model's server is gone"):
        make(Failing(at), training=training).fit(plain, checkpoint=tmp_path / "run")
    assert (tmp_path / "run").exists() == (at == 7)  # asked three times before training, then once in every step
    assert_same(make(training=training).fit(plain, checkpoint=str(tmp_path / "run")), whole)


@pytest.mark.parametrize("objective", ["trajectory", "subtrajectory"])
def test_a_fit_for_any_preference_that_was_stopped_goes_on_as_if_it_had_not_been(plain, tmp_path, objective) -> None:
    training = {"objective": objective, "preferences": True}
    whole = make(training=training).fit(plain)
    with pytest.raises(ClassifierError):
        make(Failing(7), training=training).fit(plain, checkpoint=tmp_path / "run")
    assert (tmp_path / "run").exists()
    assert_same(make(training=training).fit(plain, checkpoint=tmp_path / "run"), whole)
    assert weights_of(whole)["policy.lean.gates"].abs().max() > 0


def test_a_checkpoint_changes_nothing_in_a_run_that_is_not_stopped(plain, tmp_path) -> None:
    assert_same(make().fit(plain, checkpoint=tmp_path / "new" / "run"), make().fit(plain))


@pytest.mark.parametrize(
    "other",
    [
        {"seed": 1},
        {"weights": {"sparsity": 0.9}},
        {"training": {"exploration": 0.5}},
        {"model": lambda frame: 1 - rising(frame)},
        {"schema": Schema.infer(pd.DataFrame({"a": [0.0, 1.0], "b": [0, 10]}), bins=3)},
    ],
    ids=["seed", "weights", "training", "classifier", "schema"],
)
def test_a_checkpoint_belongs_to_its_seed_settings_classifier_and_schema(plain, tmp_path, other) -> None:
    make().fit(plain, checkpoint=tmp_path / "run")
    with pytest.raises(
        ValueError, match="belongs to another table, another classifier, other settings or another seed"
    ):
        make(**other).fit(plain, checkpoint=tmp_path / "run")


def test_a_checkpoint_belongs_to_its_classifier_even_if_another_agrees_on_every_row(plain, tmp_path) -> None:
    def less_certain(frame: pd.DataFrame) -> np.ndarray:
        return 0.05 + 0.9 * rising(frame)

    make().fit(plain, checkpoint=tmp_path / "run")
    with pytest.raises(ValueError, match=r"belongs to another classifier: on 256 made-up rows.*or delete it"):
        make(less_certain).fit(plain, checkpoint=tmp_path / "run")


def test_a_checkpoint_belongs_to_its_rows(plain, tmp_path) -> None:
    make().fit(plain, checkpoint=tmp_path / "run")
    with pytest.raises(ValueError, match="belongs to another table"):
        make().fit(plain.iloc[::-1], checkpoint=tmp_path / "run")


def test_a_checkpoint_belongs_to_its_rows_even_where_the_classifier_sees_no_difference(plain, tmp_path) -> None:
    def blind(frame: pd.DataFrame) -> np.ndarray:
        return np.full(len(frame), 0.3)

    schema = Schema.infer(plain)
    make(blind, schema=schema).fit(plain, checkpoint=tmp_path / "run")
    with pytest.raises(ValueError, match="belongs to another table"):
        make(blind, schema=schema).fit(plain.iloc[::-1], checkpoint=tmp_path / "run")


def test_the_time_limit_holds(plain) -> None:
    history = make(training={"steps": 10_000}).fit(plain, minutes=0.01).history
    assert history.ended == "time limit"
    assert 0.6 <= history.moments[-1].seconds < 20


def test_preparing_counts_against_the_time_limit_but_one_step_is_made(plain) -> None:
    history = make(training={"steps": 10_000}).fit(plain, minutes=1e-6).history
    assert (history.ended, history.moments[-1].step) == ("time limit", 1)
    assert history.moments[-1].seconds > 60e-6


def test_a_whole_number_of_minutes_is_a_number(plain) -> None:
    assert make().fit(plain, minutes=np.int64(5)).history.ended == "step limit"


def test_a_table_of_one_column(plain) -> None:
    found = make().fit(plain[["a"]]).explain(plain[["a"]], target="yes").to_frame()
    assert (found["a"] > 0.5).all()
    assert set(found["changed"]) == {("a",)}


def test_a_table_with_fewer_rows_than_a_batch(plain) -> None:
    explainer = make(training={"batch_rows": 100}).fit(plain.head(5))
    assert len(explainer.sample(plain.head(5)).row) > 0


def test_a_table_of_one_row_has_nothing_to_offer_and_says_so(plain) -> None:
    answer = make().fit(plain.head(1)).explain(plain.head(3))
    assert {row.outcome for row in answer.outcomes} <= {Outcome.NONE_VALID, Outcome.NOTHING_ALLOWED, Outcome.PARTIAL}


def test_constant_columns_are_never_changed(plain) -> None:
    X = plain.assign(same=7, only="x")
    answer = make().fit(X).sample(X)
    assert len(answer.row) > 0
    assert not answer.to_frame()["changed"].map(lambda names: {"same", "only"} & set(names)).any()


def test_a_constraint_binds_a_value_that_a_constant_column_never_had(plain) -> None:
    X = pd.concat([plain] * 8, ignore_index=True).assign(only="x")
    asked = X.head(2).assign(only=["x", "stranger"], a=0.1)
    answer = make().fit(X).explain(asked, target="yes", constraints=[OneOf("only", ["x"])])
    assert set(answer.row) == {0, 1}
    assert (answer.counterfactuals["only"] == "x").all()


def test_a_table_of_constants_says_that_nothing_can_change(plain) -> None:
    X = pd.DataFrame({"a": [0.5] * 4, "b": ["x"] * 4})
    answer = make().fit(X).explain(X)
    assert {row.outcome for row in answer.outcomes} == {Outcome.NOTHING_ALLOWED}


def test_columns_may_be_named_by_numbers() -> None:
    X = pd.DataFrame(np.random.default_rng(0).random((30, 3)))
    found = make(lambda frame: frame[0].to_numpy()).fit(X).explain(X, target="yes").to_frame()
    assert list(found.columns[:3]) == [0, 1, 2]
    assert (found[0] > 0.5).all()


def test_a_classifier_that_says_the_same_of_all_rows_can_be_fitted(plain) -> None:
    explainer = make(lambda frame: np.full(len(frame), 0.9)).fit(plain)
    answer = explainer.explain(plain, target="yes")
    assert {row.outcome for row in answer.outcomes} == {Outcome.ALREADY_TARGET}


def test_the_classifier_sees_the_columns_in_the_order_of_the_training_table(plain) -> None:
    seen = set()

    def watching(frame: pd.DataFrame) -> np.ndarray:
        seen.add((*frame.columns, *map(str, frame.dtypes)))
        return rising(frame)

    make(watching).fit(plain).explain(plain[["b", "a"]])
    assert seen == {("a", "b", "float64", "int64")}


def test_the_classifier_is_asked_once_in_a_step(plain) -> None:
    model = Failing(at=-1)
    make(model).fit(plain)
    before, after = 3, 2  # of the table, of rows to recognise the model by, of relatives; of samples in both directions
    assert model.asked == before + QUICK["steps"] + after


def test_a_schema_of_ones_own_is_used(plain) -> None:
    schema = Schema.infer(plain, bins={"a": Bins(edges=(0.0, 0.5, 1.0), decode="centre")})
    explainer = make(schema=schema).fit(plain)
    found = explainer.sample(plain[plain["a"] < 0.5], target="yes").to_frame()
    moved = found[found["changed"].map(lambda names: "a" in names)]
    assert set(moved["a"]) == {0.75}
    tight = explainer.explain(plain, target="yes").to_frame()["a"]
    assert set(tight) == {plain["a"][plain["a"] > 0.5].min()}  # the least that is enough, whatever the codes


def test_settings_can_be_objects_or_mappings(plain) -> None:
    objects = {"weights": RewardWeights(sparsity=0.9), "training": TrainingSettings(**QUICK)}
    mappings = {"weights": {"sparsity": 0.9}, "training": QUICK}
    one, other = (CounterFlowNet(rising, classes=[0, 1], **told).fit(plain) for told in (objects, mappings))
    assert_same(one, other)


def test_numbers_of_numpy_are_as_good_as_pythons(plain) -> None:
    ours = make(seed=np.int64(3), training={"steps": np.int64(6)}).fit(plain)
    assert_same(ours, make(seed=3).fit(plain))


def test_fitting_again_begins_anew(plain) -> None:
    once, twice = make().fit(plain), make().fit(plain.head(20)).fit(plain)
    assert_same(once, twice)


def test_progress_is_silent_in_a_pipe_and_shown_when_asked_for(plain, capfd) -> None:
    make().fit(plain)
    assert capfd.readouterr() == ("", "")
    make().fit(plain, progress=True)
    assert "reward" in capfd.readouterr().err

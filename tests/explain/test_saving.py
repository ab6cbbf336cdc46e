"""Saved explainers: one file of data that gives the same answers again."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors import safe_open
from sklearn.base import clone

from counterflownet import CounterFlowNet, RowTerm, Schema, TrainingSettings
from counterflownet.errors import ClassifierChangedWarning, InvalidInputError, SavedFileError
from counterflownet.files import read_tensors, write_tensors

QUICK = {"steps": 3, "batch_rows": 16, "width": 8}
CHEAP = RowTerm("cheap", lambda new, old: np.ones(len(new)))


def rising(frame: pd.DataFrame) -> np.ndarray:
    return frame["a"].clip(0, 1).to_numpy()


def falling(frame: pd.DataFrame) -> np.ndarray:
    return 1 - rising(frame)


@pytest.fixture(scope="module", name="saved")
def saved_file(explainer, tmp_path_factory) -> Path:
    return explainer.save(tmp_path_factory.mktemp("saved") / "people.cfn")


@pytest.fixture(scope="module")
def loaded(saved, pipeline) -> CounterFlowNet:
    return CounterFlowNet.load(saved, pipeline)


def header_of(path: Path) -> dict:
    with safe_open(path, framework="pt") as file:
        return json.loads(file.metadata()["counterflownet"])


def test_a_loaded_explainer_gives_the_very_same_answers(explainer, loaded, rejected) -> None:
    before, after = explainer.explain(rejected), loaded.explain(rejected)
    pd.testing.assert_frame_equal(before.to_frame(), after.to_frame(), check_exact=True)
    assert repr(before) == repr(after)


def test_everything_that_was_told_and_seen_is_loaded_too(explainer, loaded) -> None:
    assert loaded.settings == explainer.settings
    assert loaded.schema == explainer.schema
    assert loaded.classes == explainer.classes
    assert loaded.history == explainer.history


def test_a_file_from_before_preferences_is_read_as_one_of_a_flow_without_them(
    saved, pipeline, rejected, tmp_path
) -> None:
    header, tensors = read_tensors(saved, kind="explainer", version=4)
    del header["settings"]["training"]["preferences"]
    old = write_tensors(tmp_path / "old.cfn", {**header, "version": 3}, tensors)
    loaded = CounterFlowNet.load(old, pipeline)
    assert loaded.settings.training.preferences is False
    answer, same = (
        model.explain(rejected, costs={"age": 4}) for model in (loaded, CounterFlowNet.load(saved, pipeline))
    )
    assert "trained for one preference" in answer.note
    pd.testing.assert_frame_equal(answer.to_frame(), same.to_frame(), check_exact=True)


def uninformed(path: Path, folder: Path) -> Path:
    """The file as the first flows for any preference were saved: their code has no exponents at its end."""
    header, tensors = read_tensors(path, kind="explainer", version=4)
    del header["informed"]
    learned = ("model/policy.context.wishes", "model/policy.lean.gates", "model/policy.lean.actions")
    shorter = {name: tensors[name][:-4].contiguous() for name in learned}
    return write_tensors(folder / "first.cfn", header, tensors | shorter)


def test_a_file_of_the_first_flows_for_any_preference_is_read_and_saved_as_what_it_is(plain, tmp_path) -> None:
    training = {**QUICK, "preferences": True}
    fitted = CounterFlowNet(rising, classes=[0, 1], training=training, seed=5).fit(plain)
    loaded = CounterFlowNet.load(uninformed(fitted.save(tmp_path / "new.cfn"), tmp_path), rising, classes=[0, 1])
    again = CounterFlowNet.load(loaded.save(tmp_path / "again.cfn"), rising, classes=[0, 1])
    told = {"costs": {"a": 4}, "samples": 20}
    assert loaded.sample(plain, **told).note == ""
    before, after = (model.sample(plain, **told).to_frame() for model in (loaded, again))
    pd.testing.assert_frame_equal(before, after, check_exact=True)
    assert header_of(tmp_path / "again.cfn")["informed"] is False
    assert header_of(tmp_path / "new.cfn")["informed"] is True


@pytest.mark.parametrize("objective", ["trajectory", "stateflow"])
def test_every_objective_can_be_saved(plain, tmp_path, objective) -> None:
    training = {**QUICK, "objective": objective}
    fitted = CounterFlowNet(rising, classes=[0, 1], training=training, seed=5).fit(plain)
    loaded = CounterFlowNet.load(fitted.save(tmp_path / "x"), rising, classes=[0, 1])
    assert loaded.settings.training == TrainingSettings(**training)
    pd.testing.assert_frame_equal(loaded.explain(plain).to_frame(), fitted.explain(plain).to_frame(), check_exact=True)


def test_other_settings_than_the_defaults_survive(plain, tmp_path) -> None:
    told = {
        "weights": {"plausibility": 0.0, "sparsity": 0.9},
        "reward": {"margin": 0.2, "reference_rows": None, "temperature": {"kind": "power", "beta": 3.0}},
        "training": QUICK,
        "seed": np.int64(11),
    }
    fitted = CounterFlowNet(rising, classes=[0, 1], **told).fit(plain)
    loaded = CounterFlowNet.load(fitted.save(tmp_path / "x"), rising, classes=[0, 1])
    assert loaded.settings == fitted.settings
    assert "plausibility" not in loaded.explain(plain).terms


def test_the_file_is_readable_without_this_library(saved) -> None:
    with safe_open(saved, framework="np") as file:
        names = set(file.keys())
        assert all(np.isfinite(file.get_tensor(name)).all() for name in names)
    assert {"probe/codes", "probe/probabilities", "outlier"} < names
    assert all(name.startswith("model/") for name in names - {"probe/codes", "probe/probabilities", "outlier"})


def test_the_header_is_versioned_json_that_says_what_was_fitted(saved, people) -> None:
    header = header_of(saved)
    assert (header["kind"], header["version"]) == ("explainer", 4)
    assert [column["name"] for column in header["schema"]] == list(people.columns)
    assert header["classes"] == ["bad", "good"]
    assert header["settings"]["training"]["steps"] == 20


def test_there_is_one_file_and_no_other(saved) -> None:
    assert [path.name for path in saved.parent.iterdir()] == ["people.cfn"]


def test_saving_makes_the_folder_and_takes_a_text_as_path(explainer, tmp_path) -> None:
    path = explainer.save(str(tmp_path / "new" / "folder" / "people.cfn"))
    assert path == tmp_path / "new" / "folder" / "people.cfn"
    assert path.is_file()


def test_saving_again_replaces_the_file_in_one_step(explainer, three_way_explainer, tmp_path) -> None:
    path = tmp_path / "people.cfn"
    three_way_explainer.save(path)
    with path.open("rb") as still_open:
        first = path.read_bytes()
        explainer.save(path)
        assert still_open.read() == first  # the old file was not written into: its place was taken
    assert header_of(path)["classes"] == ["bad", "good"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_save_that_fails_leaves_the_old_file(explainer, tmp_path, monkeypatch) -> None:
    path = explainer.save(tmp_path / "people.cfn")
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        explainer.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_saving_the_same_explainer_twice_gives_the_same_bytes(explainer, saved, tmp_path) -> None:
    assert explainer.save(tmp_path / "again.cfn").read_bytes() == saved.read_bytes()


def test_the_same_classifier_is_accepted_without_a_word(saved, pipeline) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CounterFlowNet.load(saved, pipeline)


def test_another_classifier_is_noticed_and_the_difference_named(plain, tmp_path) -> None:
    path = CounterFlowNet(rising, classes=[0, 1], training=QUICK).fit(plain).save(tmp_path / "x")
    largest = np.abs(2 * plain["a"] - 1).max()
    with pytest.warns(ClassifierChangedWarning, match=r"differ by up to (0\.\d+)") as caught:
        CounterFlowNet.load(path, falling, classes=[0, 1])
    told = float(str(caught[0].message).split("up to ")[1].split(". ")[0])
    assert 0.3 < told <= round(largest, 3)
    assert len(caught) == 1


def test_answers_under_another_classifier_are_valid_for_that_one(plain, tmp_path) -> None:
    path = CounterFlowNet(rising, classes=[0, 1], training=QUICK).fit(plain).save(tmp_path / "x")
    with pytest.warns(ClassifierChangedWarning):
        other = CounterFlowNet.load(path, falling, classes=[0, 1])
    found = other.explain(plain, target=1).to_frame()
    assert len(found) > 0
    assert (falling(found) > 0.5).all()


def test_a_refitted_pipeline_is_noticed(saved, pipeline, people) -> None:
    other = clone(pipeline).fit(people, np.where(people["member"], "good", "bad"))
    with pytest.warns(ClassifierChangedWarning, match="not the classifier the explainer was fitted with"):
        CounterFlowNet.load(saved, other)


def test_own_terms_must_be_given_again(plain, tmp_path) -> None:
    fitted = CounterFlowNet(rising, classes=[0, 1], training=QUICK, terms=[(CHEAP, 0.5)]).fit(plain)
    path = fitted.save(tmp_path / "x")
    with pytest.raises(SavedFileError, match=r"own reward terms \[\['cheap', 0.5\]\]; got \[\]"):
        CounterFlowNet.load(path, rising, classes=[0, 1])
    with pytest.raises(SavedFileError, match=r"got \[\['cheap', 0.25\]\]"):
        CounterFlowNet.load(path, rising, classes=[0, 1], terms=[(CHEAP, 0.25)])
    loaded = CounterFlowNet.load(path, rising, classes=[0, 1], terms=[(CHEAP, 0.5)])
    assert "cheap" in loaded.explain(plain).terms


@pytest.mark.parametrize("labels", [["no", "yes"], [0, 1], [False, True], [0.5, 1.5], [("a", 1), ("b", 2)]], ids=str)
def test_labels_keep_their_type(plain, tmp_path, labels) -> None:
    fitted = CounterFlowNet(rising, classes=labels, training=QUICK).fit(plain)
    loaded = CounterFlowNet.load(fitted.save(tmp_path / "x"), rising, classes=labels)
    answer = loaded.explain(plain, target=labels[1])
    assert {type(target) for target in answer.targets} == {type(labels[1])}
    assert set(answer.predicted) == set(labels)


def test_labels_in_another_order_are_refused(plain, tmp_path) -> None:
    path = CounterFlowNet(rising, classes=["no", "yes"], training=QUICK).fit(plain).save(tmp_path / "x")
    with pytest.raises(SavedFileError, match="fitted for the classes"):
        CounterFlowNet.load(path, rising, classes=["yes", "no"])


def test_dates_and_zones_survive(plain, tmp_path) -> None:
    days = pd.date_range("2024-03-01 12:30", periods=len(plain), freq="D", tz="Europe/Rome")
    X = plain.assign(day=days)
    fitted = CounterFlowNet(rising, classes=[0, 1], training=QUICK).fit(X)
    loaded = CounterFlowNet.load(fitted.save(tmp_path / "x"), rising, classes=[0, 1])
    assert loaded.schema == fitted.schema
    pd.testing.assert_frame_equal(loaded.explain(X).to_frame(), fitted.explain(X).to_frame(), check_exact=True)


def test_values_that_are_no_data_are_refused_before_anything_is_written(plain, tmp_path) -> None:
    X = plain.assign(pair=[(number % 2, 0) for number in range(len(plain))])
    fitted = CounterFlowNet(rising, classes=[0, 1], training=QUICK).fit(X)
    with pytest.raises(InvalidInputError, match="cannot be saved"):
        fitted.save(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_a_loaded_explainer_can_be_fitted_again_with_the_same_result(plain, tmp_path) -> None:
    fitted = CounterFlowNet(rising, classes=[0, 1], training=QUICK, seed=3).fit(plain)
    loaded = CounterFlowNet.load(fitted.save(tmp_path / "x"), rising, classes=[0, 1])
    pd.testing.assert_frame_equal(
        loaded.fit(plain).explain(plain).to_frame(), fitted.explain(plain).to_frame(), check_exact=True
    )


def test_a_loaded_explainer_keeps_its_schema_when_fitted_again(plain, tmp_path) -> None:
    schema = Schema.infer(plain, bins=4)
    fitted = CounterFlowNet(rising, classes=[0, 1], schema=schema, training=QUICK).fit(plain)
    loaded = CounterFlowNet.load(fitted.save(tmp_path / "x"), rising, classes=[0, 1])
    assert loaded.fit(plain.head(20)).schema == schema


def test_loading_leaves_the_random_state_alone(saved, pipeline) -> None:
    before = torch.get_rng_state()
    CounterFlowNet.load(saved, pipeline)
    assert torch.equal(before, torch.get_rng_state())


def test_the_file_can_be_saved_again_from_what_was_loaded(loaded, saved, tmp_path) -> None:
    assert loaded.save(tmp_path / "copy.cfn").read_bytes() == saved.read_bytes()


def test_a_private_file_gives_the_same_answers_with_the_rows_of_the_fit(
    explainer, pipeline, people, rejected, tmp_path
) -> None:
    path = explainer.save(tmp_path / "private.cfn", private=True)
    again = CounterFlowNet.load(path, pipeline, reference=people)
    assert again.explain(rejected).to_frame().equals(explainer.explain(rejected).to_frame())
    with pytest.raises(InvalidInputError, match="the reference table"):
        CounterFlowNet.load(path, pipeline, reference=people.iloc[:0])

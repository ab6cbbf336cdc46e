"""Checkpoints are files of data that come back as they were."""

import json
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors import safe_open

from counterflownet.errors import SavedFileError
from counterflownet.files import read_tensors, write_tensors
from counterflownet.training.checkpoint import SAME_WITHIN, Checkpoint, Origin, load_checkpoint, save_checkpoint
from counterflownet.training.history import History, Moment

ORIGIN = Origin("abc", np.array([[0.25, 0.75], [0.5, 0.5]]))
SAVED = Checkpoint(
    origin=ORIGIN,
    step=40,
    seconds=1.25,
    history=History([Moment(40, 1.25, 0.1, 0.2, 0.3, 0.4, 0.5)]),
    model={"policy.trunk.weight": torch.randn(3, 3), "log_flow.shift": torch.tensor(0.1)},
    optimizer={0: {"step": torch.tensor(40.0), "exp_avg": torch.randn(3, 3)}, 11: {"step": torch.tensor(40.0)}},
    missed={0: np.array([4, 7]), 3: np.array([], dtype=np.int64)},
)
NO_NUMBER = {**SAVED.history.to_json()["moments"][0], "reward": "high"}


@pytest.fixture(name="path")
def saved_path(tmp_path):
    save_checkpoint(tmp_path / "run", SAVED)
    return tmp_path / "run"


def test_numbers_come_back_exactly(path) -> None:
    loaded = load_checkpoint(path, ORIGIN)
    assert (loaded.step, loaded.seconds, loaded.history) == (40, 1.25, SAVED.history)


def test_tensors_come_back_bit_for_bit(path) -> None:
    loaded = load_checkpoint(path, ORIGIN)
    torch.testing.assert_close(loaded.model, SAVED.model, rtol=0, atol=0)
    torch.testing.assert_close(loaded.optimizer, SAVED.optimizer, rtol=0, atol=0)
    assert {number: rows.tolist() for number, rows in loaded.missed.items()} == {0: [4, 7], 3: []}


def test_another_fingerprint_is_refused(path) -> None:
    with pytest.raises(SavedFileError, match="belongs to another table"):
        load_checkpoint(path, Origin("abd", ORIGIN.probabilities))


@pytest.mark.parametrize("other", [ORIGIN.probabilities[::-1], ORIGIN.probabilities[:1], np.ones((2, 3)) / 3])
def test_another_classifier_is_refused(path, other) -> None:
    with pytest.raises(SavedFileError, match=r"belongs to another classifier.*Give another path, or delete it"):
        load_checkpoint(path, Origin("abc", other.copy()))


def test_probabilities_that_were_rounded_otherwise_are_those_of_the_same_classifier(path) -> None:
    assert load_checkpoint(path, Origin("abc", ORIGIN.probabilities + 1e-6)).step == 40


@pytest.mark.parametrize(("apart", "refused"), [(SAME_WITHIN, False), (np.nextafter(SAME_WITHIN, 1), True)])
def test_probabilities_may_differ_by_the_tolerance_and_no_more(tmp_path, apart, refused) -> None:
    save_checkpoint(tmp_path / "run", replace(SAVED, origin=Origin("abc", np.zeros((1, 1)))))
    with pytest.raises(SavedFileError, match="another classifier") if refused else nullcontext():
        load_checkpoint(tmp_path / "run", Origin("abc", np.array([[apart]])))


@pytest.mark.parametrize(
    "edits",
    [
        {"fingerprint": None},
        {"step": "forty"},
        {"step": True},
        {"step": -1},
        {"step": 41},
        {"step": 0, "history": {"moments": [{**SAVED.history.to_json()["moments"][0], "step": 0}], "ended": ""}},
        {"seconds": None},
        {"seconds": "long"},
        {"seconds": float("nan")},
        {"history": None},
        {"history": {"moments": [], "ended": ""}},
        {"history": {"moments": [{"step": 40}], "ended": ""}},
        {"history": {"moments": [NO_NUMBER], "ended": ""}},
        {"history": {**SAVED.history.to_json(), "ended": 3}},
    ],
    ids=str,
)
def test_a_header_with_a_wrong_or_missing_entry_is_an_error_of_ours(path, edits) -> None:
    header, tensors = read_tensors(path, kind="training checkpoint", version=4)
    for kept in ({**header, **edits}, {name: part for name, part in header.items() if name not in edits}):
        write_tensors(path, kept, tensors)
        with pytest.raises(SavedFileError):
            load_checkpoint(path, ORIGIN)


@pytest.mark.parametrize("name", ["optimizer/x/step", "optimizer", "weights", "optimizer/"])
def test_a_tensor_with_a_name_that_means_nothing_is_an_error_of_ours(path, name) -> None:
    header, tensors = read_tensors(path, kind="training checkpoint", version=4)
    write_tensors(path, header, tensors | {name: torch.zeros(1)})
    with pytest.raises(SavedFileError, match="lacks a part or holds a wrong one"):
        load_checkpoint(path, ORIGIN)


def test_a_missing_file_is_an_error_of_ours(tmp_path) -> None:
    with pytest.raises(SavedFileError, match="there is no file"):
        load_checkpoint(tmp_path / "nothing", ORIGIN)


def test_a_damaged_file_is_an_error_of_ours(path) -> None:
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(SavedFileError, match="is damaged"):
        load_checkpoint(path, ORIGIN)


def test_the_file_is_plain_safetensors(path) -> None:
    with safe_open(path, framework="pt") as file:
        header = json.loads(file.metadata()["counterflownet"])
        assert "optimizer/11/step" in file.keys()  # noqa: SIM118 - no mapping, has only keys()
    assert (header["kind"], header["version"], header["step"]) == ("training checkpoint", 4, 40)

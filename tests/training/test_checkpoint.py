"""Checkpoints are files of data that come back as they were."""

import json

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from counterflownet.errors import SavedFileError
from counterflownet.training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from counterflownet.training.history import History, Moment

SAVED = Checkpoint(
    fingerprint="abc",
    step=40,
    seconds=1.25,
    history=History([Moment(40, 1.25, 0.1, 0.2, 0.3, 0.4, 0.5)]),
    model={"policy.trunk.weight": torch.randn(3, 3), "log_flow.shift": torch.tensor(0.1)},
    optimizer={0: {"step": torch.tensor(40.0), "exp_avg": torch.randn(3, 3)}, 11: {"step": torch.tensor(40.0)}},
)


@pytest.fixture(name="path")
def saved_path(tmp_path):
    save_checkpoint(tmp_path / "run", SAVED)
    return tmp_path / "run"


def test_numbers_come_back_exactly(path) -> None:
    loaded = load_checkpoint(path, "abc")
    assert (loaded.step, loaded.seconds, loaded.history) == (40, 1.25, SAVED.history)


def test_tensors_come_back_bit_for_bit(path) -> None:
    loaded = load_checkpoint(path, "abc")
    torch.testing.assert_close(loaded.model, SAVED.model, rtol=0, atol=0)
    torch.testing.assert_close(loaded.optimizer, SAVED.optimizer, rtol=0, atol=0)


def test_another_fingerprint_is_refused(path) -> None:
    with pytest.raises(SavedFileError, match="belongs to another table"):
        load_checkpoint(path, "abd")


def test_a_file_without_a_fingerprint_is_refused(tmp_path) -> None:
    header = {"kind": "training checkpoint", "version": 1}
    save_file({"x": torch.zeros(1)}, tmp_path / "run", metadata={"counterflownet": json.dumps(header)})
    with pytest.raises(SavedFileError, match="belongs to another table"):
        load_checkpoint(tmp_path / "run", "abc")


def test_a_missing_file_is_an_error_of_ours(tmp_path) -> None:
    with pytest.raises(SavedFileError, match="there is no file"):
        load_checkpoint(tmp_path / "nothing", "abc")


def test_a_damaged_file_is_an_error_of_ours(path) -> None:
    path.write_bytes(path.read_bytes()[:50])
    with pytest.raises(SavedFileError, match="is damaged"):
        load_checkpoint(path, "abc")


def test_the_file_is_plain_safetensors(path) -> None:
    with safe_open(path, framework="pt") as file:
        header = json.loads(file.metadata()["counterflownet"])
        assert "optimizer/11/step" in file.keys()  # noqa: SIM118 - no mapping, has only keys()
    assert (header["kind"], header["version"], header["step"]) == ("training checkpoint", 1, 40)

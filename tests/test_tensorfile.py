import json
import pickle

import pytest
import torch
from safetensors.torch import save

from counterflownet.errors import SavedFileError
from counterflownet.files import BLANK, KEY, read_tensors, write_tensors

HEADER = {"kind": "explainer", "version": 1, "classes": ["bad", "gut ü"], "seed": 3, "learned": None, "rate": 0.1}
TENSORS = {"weight": torch.arange(6.0).reshape(2, 3), "flags": torch.tensor([True, False]), "none": torch.zeros(0, 3)}


@pytest.fixture
def saved(tmp_path):
    return write_tensors(tmp_path / "model.cfn", HEADER, TENSORS)


def read(path):
    return read_tensors(path, kind="explainer", version=1)


def test_header_and_tensors_come_back_as_they_were(saved):
    header, tensors = read(saved)
    assert header == HEADER
    assert set(tensors) == set(TENSORS)
    assert all(torch.equal(tensors[name], TENSORS[name]) for name in TENSORS)
    assert all(tensors[name].dtype == TENSORS[name].dtype for name in TENSORS)


def test_tensors_that_lie_crosswise_or_are_being_trained_can_be_written(tmp_path):
    crosswise = torch.arange(6.0).reshape(2, 3).T.requires_grad_()
    _, tensors = read(write_tensors(tmp_path / "a.cfn", HEADER, {"x": crosswise}))
    assert torch.equal(tensors["x"], crosswise.detach())


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SavedFileError, match=r"there is no file '.*absent\.cfn'"):
        read(tmp_path / "absent.cfn")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(SavedFileError, match="there is no file"):
        read(tmp_path)


def test_another_kind_of_file_is_named(saved):
    with pytest.raises(SavedFileError, match="holds a 'explainer', not a 'checkpoint'"):
        read_tensors(saved, kind="checkpoint", version=1)


def test_older_versions_are_read_if_they_are_known(saved):
    assert read_tensors(saved, kind="explainer", version=2, older=(1,))[0]["version"] == 1


def test_another_version_is_named_with_a_way_out(saved):
    with pytest.raises(SavedFileError, match=r"format version 1; this release reads version 2\. Fit and save again"):
        read_tensors(saved, kind="explainer", version=2)


@pytest.mark.parametrize("size", [0, 5, 9, 100, -1])
def test_a_file_cut_short_is_named(saved, size):
    saved.write_bytes(saved.read_bytes()[:size])
    with pytest.raises(SavedFileError, match="is damaged, or was not written by this library"):
        read(saved)


@pytest.mark.parametrize("place", [0, 9, 40])
def test_a_damaged_file_is_named(saved, place):
    content = bytearray(saved.read_bytes())
    content[place : place + 8] = b"\xff" * 8
    saved.write_bytes(content)
    with pytest.raises(SavedFileError, match="is damaged"):
        read(saved)


@pytest.mark.parametrize("content", [b"hello\n" * 100, pickle.dumps({"a": 1}), b"\x00" * 64, b"PK\x03\x04" + b"x" * 50])
def test_a_foreign_file_is_named(tmp_path, content):
    (tmp_path / "a.cfn").write_bytes(content)
    with pytest.raises(SavedFileError, match="was not written by this library"):
        read(tmp_path / "a.cfn")


@pytest.mark.parametrize("metadata", [None, {"other": "{}"}, {KEY: "no json"}, {KEY: "[" * 100_000}])
def test_tensors_of_others_are_named(tmp_path, metadata):
    (tmp_path / "a.cfn").write_bytes(save(TENSORS, metadata=metadata))
    with pytest.raises(SavedFileError, match="was not written by this library"):
        read(tmp_path / "a.cfn")


@pytest.mark.parametrize("header", [[], "text", None, 3, {}, {"kind": None}])
def test_a_header_that_does_not_say_its_kind_is_refused(tmp_path, header):
    (tmp_path / "a.cfn").write_bytes(save(TENSORS, metadata={KEY: json.dumps(header)}))
    with pytest.raises(SavedFileError, match="not a 'explainer'"):
        read(tmp_path / "a.cfn")


def test_any_flipped_bit_is_noticed(saved):
    content = saved.read_bytes()
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        saved.write_bytes(flipped)
        with pytest.raises(SavedFileError):
            read(saved)


def test_what_looks_like_a_blank_checksum_is_left_alone(tmp_path):
    header, tensors = HEADER | {"classes": [BLANK, BLANK]}, {BLANK: torch.zeros(2)}
    read_header, read_back = read(write_tensors(tmp_path / "a.cfn", header, tensors))
    assert (read_header, list(read_back)) == (header, [BLANK])


@pytest.mark.parametrize("checksum", [None, "", "0", BLANK, BLANK[:-1], 0, [], "\ud800"])
def test_a_file_with_a_wrong_checksum_or_none_is_refused(tmp_path, checksum):
    (tmp_path / "a.cfn").write_bytes(save(TENSORS, metadata={KEY: json.dumps({**HEADER, "checksum": checksum})}))
    with pytest.raises(SavedFileError, match="is damaged"):
        read(tmp_path / "a.cfn")


@pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf])
def test_numbers_that_are_not_finite_are_refused(tmp_path, number):
    path = write_tensors(tmp_path / "a.cfn", HEADER, TENSORS | {"bad": torch.tensor([1.0, number])})
    with pytest.raises(SavedFileError, match="'bad' holds numbers that are not finite"):
        read(path)


def test_a_header_that_cannot_be_written_leaves_the_old_file(saved):
    before = saved.read_bytes()
    with pytest.raises(TypeError):
        write_tensors(saved, {"kind": object()}, TENSORS)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]

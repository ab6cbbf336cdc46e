"""Files that are missing, damaged, foreign or of another run."""

import pandas as pd
import pytest
import torch
from misuse import Cases, Given, assert_told_in_words, probability, saved_header
from safetensors.torch import save_file

from counterflownet import (
    Bins,
    CounterFlowNet,
    Schema,
)
from counterflownet.errors import (
    InvalidInputError,
    NotFittedError,
    SavedFileError,
)
from counterflownet.explain.saving import KIND, VERSION
from counterflownet.files import read_tensors, write_tensors


def other_run(given: Given) -> object:
    path = given.folder / "run.checkpoint"
    given.make(seed=1).fit(given.plain, checkpoint=path)
    return given.make(seed=2).fit(given.plain, checkpoint=path)


def other_bins(given: Given) -> object:
    """The same codes, which stand for other values."""
    path = given.folder / "run.checkpoint"
    for decode in ("nearest", "centre"):
        bins = {"count": 4, "distinct": False, "decode": decode}
        schema = Schema.infer(given.plain, bins=Bins(**bins))
        given.make(schema=schema).fit(given.plain, checkpoint=path)
    return None


def unfitted_save(given: Given) -> object:
    return given.make().save(given.folder / "new.cfn")


def odd_labels(given: Given) -> object:
    labels = [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02")]
    return given.make(classes=labels).fit(given.plain).save(given.folder / "new.cfn")


def foreign_tensors(given: Given) -> object:
    path = given.folder / "weights.safetensors"
    save_file({"weight": torch.zeros(2)}, path)
    return CounterFlowNet.load(path, given.pipeline)


def cut_off(given: Given) -> object:
    content = given.saved().read_bytes()
    return CounterFlowNet.load(given.file("half.cfn", content[: len(content) // 2]), given.pipeline)


def checkpoint_as_explainer(given: Given) -> object:
    path = given.folder / "run.checkpoint"
    given.make().fit(given.plain, checkpoint=path)
    return CounterFlowNet.load(path, given.pipeline)


def scaled(given: Given, **scale: float) -> list[dict[str, object]]:
    """The saved schema with another scale of its first column."""
    first, *others = saved_header(given.saved())["schema"]
    return [first | scale, *others]


FILES: Cases = {
    "save before fit": (unfitted_save, NotFittedError, "not been fitted"),
    "save labels that are no data": (odd_labels, InvalidInputError, "the classes cannot be saved"),
    "load a missing file": (
        lambda g: CounterFlowNet.load(g.folder / "nothing.cfn", g.pipeline),
        SavedFileError,
        "no file '.*nothing.cfn'",
    ),
    "load a folder": (lambda g: CounterFlowNet.load(g.folder, g.pipeline), SavedFileError, "there is no file"),
    "load an empty file": (
        lambda g: CounterFlowNet.load(g.file("empty.cfn", b""), g.pipeline),
        SavedFileError,
        "is damaged, or was not written by this library",
    ),
    "load half a file": (cut_off, SavedFileError, "half.cfn' is damaged"),
    "load a pickle": (
        lambda g: CounterFlowNet.load(g.file("model.pkl", b"\x80\x05K\x01."), g.pipeline),
        SavedFileError,
        "is damaged, or was not written by this library",
    ),
    "load another library's file": (foreign_tensors, SavedFileError, "not written by this library"),
    "load a checkpoint": (checkpoint_as_explainer, SavedFileError, "holds a 'training checkpoint', not a 'explainer'"),
    "load a future version": (
        lambda g: CounterFlowNet.load(g.resaved(version=99), g.pipeline),
        SavedFileError,
        "format version 99; this release reads version 3",
    ),
    "load a file without its schema": (
        lambda g: CounterFlowNet.load(g.resaved(schema=None), g.pipeline),
        SavedFileError,
        "lacks a part or holds a wrong one",
    ),
    "load a file with an unknown kind of column": (
        lambda g: CounterFlowNet.load(g.resaved(schema=[{"name": "a", "kind": "odd"}]), g.pipeline),
        SavedFileError,
        "lacks a part or holds a wrong one: .*odd",
    ),
    "load a file with another schema": (
        lambda g: CounterFlowNet.load(g.resaved(schema=Schema.infer(g.plain).to_json()), g.pipeline),
        SavedFileError,
        "lacks a part or holds a wrong one",
    ),
    "load a file with columns twice": (
        lambda g: CounterFlowNet.load(g.resaved(schema=2 * saved_header(g.saved())["schema"][:1]), g.pipeline),
        SavedFileError,
        "columns of different names",
    ),
    "load a file with an impossible scale": (
        lambda g: CounterFlowNet.load(g.resaved(schema=scaled(g, deviation=0.0)), g.pipeline),
        SavedFileError,
        "column 'age' cannot be restored",
    ),
    "load a file with a column of endless numbers": (
        lambda g: CounterFlowNet.load(g.resaved(schema=scaled(g, mean=float("inf"))), g.pipeline),
        SavedFileError,
        "column 'age' cannot be restored",
    ),
    "load a file that claims networks of any size": (
        lambda g: CounterFlowNet.load(g.resaved(settings={"training": {"width": 10**9}}), g.pipeline),
        SavedFileError,
        "smaller than networks of the width 1000000000 would be",
    ),
    "load with a classifier of other classes": (
        lambda g: CounterFlowNet.load(g.saved(), probability, classes=["no", "yes"]),
        SavedFileError,
        "fitted for the classes \\['bad', 'good'\\]; this classifier has \\['no', 'yes'\\]",
    ),
    "go on from another run": (other_run, SavedFileError, "another classifier, other settings or another seed"),
    "go on from a run with other values": (other_bins, SavedFileError, "belongs to another table"),
    "go on from a damaged checkpoint": (
        lambda g: g.make().fit(g.plain, checkpoint=g.file("run.checkpoint", b"{}")),
        SavedFileError,
        "run.checkpoint' is damaged",
    ),
    "saving onto a folder": (lambda g: g.explainer.save(g.folder), InvalidInputError, "is a folder"),
}


@pytest.mark.parametrize(("misuse", "kind", "message"), FILES.values(), ids=FILES)
def test_a_mistake_in_a_file_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)


def test_a_refused_checkpoint_stays_as_it_was(given) -> None:
    path = given.folder / "run.checkpoint"
    given.make(seed=1).fit(given.plain, checkpoint=path)
    before = path.read_bytes()
    with pytest.raises(SavedFileError):
        given.make(seed=2).fit(given.plain, checkpoint=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("part", "spoiled"),
    [
        ("codes", lambda codes: codes - 1),
        ("codes", lambda codes: codes + 1),
        ("codes", lambda codes: codes.int()),
        ("codes", lambda codes: codes[:, 1:]),
        ("probabilities", lambda probabilities: probabilities[1:]),
        ("probabilities", lambda probabilities: probabilities[:, 1:]),
    ],
    ids=["below the first", "above the last", "narrower", "a column short", "a row short", "a class short"],
)
def test_made_up_rows_that_cannot_be_decoded_are_refused_for_that(given, part, spoiled) -> None:
    path = given.saved()
    header, tensors = read_tensors(path, kind=KIND, version=VERSION)
    write_tensors(path, header, tensors | {f"probe/{part}": spoiled(tensors[f"probe/{part}"])})
    with pytest.raises(SavedFileError, match="the rows to recognise the classifier by do not fit the schema"):
        CounterFlowNet.load(path, given.pipeline)

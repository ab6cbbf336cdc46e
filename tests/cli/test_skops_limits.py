"""Whatever is wrong with a skops file, it is one error of ours, and it is noticed before much is read."""

import json
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

from counterflownet.cli.skops_archive import DEEPEST, MOST_ENTRIES
from counterflownet.cli.skops_model import load_skops
from counterflownet.errors import InvalidInputError, SavedFileError

X, y = np.random.default_rng(0).random((60, 3)), np.arange(60) % 2


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "model.skops"


def saved(model, path: Path) -> None:
    skops.io.dump(model.fit(X, y), path)


def entries_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path: Path, entries: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def with_array(path: Path, content: bytes) -> None:
    """The file with another content for each of its arrays."""
    entries = entries_of(path)
    rewrite(path, {name: content if name.endswith(".npy") else entry for name, entry in entries.items()})


def npy(header: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def refused(path: Path, part: str) -> None:
    with pytest.raises(SavedFileError) as error:
        load_skops(path)
    assert "cannot be read as a skops file" in str(error.value)
    assert part in str(error.value)


def test_a_zip_bomb_is_not_unpacked(path):
    saved(LogisticRegression(), path)
    rewrite(path, entries_of(path) | {"bomb.npy": bytes(200 * 2**20)}, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2**20
    refused(path, "it would unpack to 209,")


def test_too_many_entries_are_not_read(path):
    saved(LogisticRegression(), path)
    rewrite(path, entries_of(path) | {str(number): b"" for number in range(MOST_ENTRIES)})
    refused(path, "entries; at most 100,000 are read")


@pytest.mark.parametrize(("levels", "part"), [(DEEPEST + 1, "nested more than"), (100_000, "RecursionError")])
def test_deep_nesting_is_refused(path, levels, part):
    saved(LogisticRegression(), path)
    nested = ("[" * levels + "]" * levels).encode()
    rewrite(path, entries_of(path) | {"schema.json": b'{"__loader__": "ListNode", "content": %b}' % nested})
    refused(path, part)


@pytest.mark.parametrize(
    "content",
    [
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': ((((,"),
        npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({10**13},), }}\n"),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }\n"),
        npy("(" * 5000),
        b"",
    ],
    ids=["TokenError", "MemoryError", "pickle", "RecursionError", "empty"],
)
def test_an_array_that_cannot_be_read_is_one_error(path, content):
    saved(LogisticRegression(), path)
    with_array(path, content)
    refused(path, "Error: ")


def test_an_encrypted_file_is_one_error(path):
    saved(LogisticRegression(), path)
    content = bytearray(path.read_bytes())
    for place in range(len(content)):
        if content[place : place + 4] == b"PK\x01\x02":
            content[place + 8] |= 1
    path.write_bytes(content)
    refused(path, "RuntimeError: File ")


@pytest.mark.parametrize("model", [KNeighborsClassifier(algorithm="brute"), GradientBoostingClassifier(n_estimators=2)])
def test_what_is_not_checked_is_refused_with_what_to_do(path, model):
    saved(model, path)
    name = f"{type(model).__module__}.{type(model).__name__}"
    with pytest.raises(InvalidInputError, match=f"--trust .*{name}.*onnx"):
        load_skops(path)
    with pytest.raises(InvalidInputError) as error:
        load_skops(path)
    trusted = str(error.value).partition("--trust ")[2].partition(". ")[0].split(",")
    assert np.array_equal(load_skops(path, trusted).predict_proba(X), model.predict_proba(X))


def tree_of(schema) -> dict:
    if isinstance(schema, dict) and schema.get("__loader__") == "TreeNode":
        return schema
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else []
    return next((found for entry in inner if (found := tree_of(entry))), {})


@pytest.mark.parametrize(
    ("key", "value"), [("node_count", "1000000"), ("node_count", "3.5"), ("nodes", None), (None, "1000000")]
)
def test_a_tree_that_claims_more_than_it_has_is_not_even_made(path, key, value):
    saved(RandomForestClassifier(1, random_state=0), path)
    entries = entries_of(path)
    schema = json.loads(entries["schema.json"])
    tree = tree_of(schema)
    held = tree["content"]["content"]
    if key is None:
        tree["__reduce__"]["args"]["content"][2]["content"] = value
    elif value is None:
        held[key] = held["node_count"]
    else:
        held[key]["content"] = value
    rewrite(path, entries | {"schema.json": json.dumps(schema).encode()})
    refused(path, "tree")


@pytest.mark.parametrize(
    ("field", "value"), [("left_child", 10**6), ("right_child", -7), ("feature", 3), ("left_child", 0)]
)
def test_a_tree_of_a_forest_that_leads_out_of_itself_is_refused(path, field, value):
    saved(RandomForestClassifier(1, random_state=0), path)
    entries = entries_of(path)
    name = next(name for name in entries if b"left_child" in entries[name])
    nodes = np.load(BytesIO(entries[name]))
    nodes[field][0] = value
    written = BytesIO()
    np.save(written, nodes)
    rewrite(path, entries | {name: written.getvalue()})
    refused(path, "a node leads out of its tree")


def test_a_node_cannot_stand_for_another_by_its_identity(path):
    saved(RandomForestClassifier(1, random_state=0), path)
    entries = entries_of(path)
    schema = json.loads(entries["schema.json"])
    arrays = tree_of(schema)["content"]["content"]
    arrays["values"]["__id__"] = arrays["nodes"]["__id__"]
    rewrite(path, entries | {"schema.json": json.dumps(schema).encode()})
    forest = RandomForestClassifier(1, random_state=0).fit(X, y)
    assert np.array_equal(load_skops(path).predict_proba(X), forest.predict_proba(X))

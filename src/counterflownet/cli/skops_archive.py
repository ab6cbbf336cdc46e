"""What a skops file says it contains, read before anything is made of it, within limits."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from counterflownet.errors import SavedFileError

SCHEMA = "schema.json"
MOST_ENTRIES = 100_000
LARGEST_SCHEMA = 256 * 2**20
LARGEST = 4 * 2**30
UNPACKED = 100  # times the size of the file: arrays of numbers do not shrink more when they are packed
ALWAYS_FINE = 64 * 2**20
DEEPEST = 200

Node = dict[str, Any]


class SkopsArchive:
    """The nodes of the schema, from the root down, and the arrays they name."""

    def __init__(self, path: Path) -> None:
        packed = path.stat().st_size
        if packed > LARGEST:
            raise SavedFileError(f"it has {packed:,} bytes; at most {LARGEST:,} are read")
        self._zip = ZipFile(BytesIO(path.read_bytes()))
        self._check_sizes(packed)
        self._schema = json.loads(self._zip.read(SCHEMA))
        self.nodes = list(_nodes(self._schema))
        for node in self.nodes:
            # By its identity, skops would take one node for another, so that what it makes is not what was checked.
            node.pop("__id__", None)

    def array(self, node: Node) -> NDArray[Any]:
        """The array that a node stands for."""
        if (node["__loader__"], node["__module__"], node["__class__"]) != ("NdArrayNode", "numpy", "ndarray"):
            raise SavedFileError("a tree has nodes that are no array")
        return np.lib.format.read_array(BytesIO(self._zip.read(node["file"])), allow_pickle=False)

    def checked_content(self) -> bytes:
        """The file as it was checked: each entry once, and every node for itself."""
        written = BytesIO()
        with ZipFile(written, "w") as copy:
            for name in set(self._zip.namelist()) - {SCHEMA}:
                copy.writestr(name, self._zip.read(name))
            copy.writestr(SCHEMA, json.dumps(self._schema))
        return written.getvalue()

    def _check_sizes(self, packed: int) -> None:
        entries = self._zip.infolist()
        if len(entries) > MOST_ENTRIES:
            raise SavedFileError(f"it has {len(entries):,} entries; at most {MOST_ENTRIES:,} are read")
        if self._zip.getinfo(SCHEMA).file_size > LARGEST_SCHEMA:
            raise SavedFileError(f"its {SCHEMA} is larger than {LARGEST_SCHEMA:,} bytes")
        unpacked = sum(entry.file_size for entry in entries)
        allowed = min(LARGEST, max(ALWAYS_FINE, UNPACKED * packed))
        if unpacked > allowed:
            raise SavedFileError(f"it would unpack to {unpacked:,} bytes; at most {allowed:,} are read")


def _nodes(thing: Any, depth: int = 0) -> Iterator[Node]:
    if depth > DEEPEST:
        raise SavedFileError(f"it is nested more than {DEEPEST} levels deep")
    if isinstance(thing, dict) and "__loader__" in thing:
        yield thing
    if isinstance(thing, (dict, list)):
        for entry in thing.values() if isinstance(thing, dict) else thing:
            yield from _nodes(entry, depth + 1)

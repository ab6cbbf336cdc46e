"""Trees of forests in a skops file, before they are made: making one already copies as much as its numbers claim."""

import json
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counterflownet.cli.skops_archive import Node, SkopsArchive
from counterflownet.errors import SavedFileError

TREE = "sklearn.tree._tree.Tree"
LEAF = -1


def check_trees(archive: SkopsArchive) -> None:
    """An error unless every way through every tree ends in one of its leaves."""
    for node in archive.nodes:
        if node["__loader__"] == "TreeNode":
            _check_tree(archive, node)


def _check_tree(archive: SkopsArchive, node: Node) -> None:
    columns, classes, outputs = node["__reduce__"]["args"]["content"]
    held = node["content"]["content"]
    column_count, output_count = _whole(columns), _whole(outputs)
    class_counts = archive.array(classes)
    nodes, values = archive.array(held["nodes"]), archive.array(held["values"])
    sound = [
        class_counts.shape == (output_count,) and output_count > 0 and bool((class_counts > 0).all()),
        nodes.shape == (_whole(held["node_count"]),) and len(nodes) > 0,
        values.shape == (len(nodes), output_count, class_counts.max(initial=0)),
        _is_closed(nodes, column_count),
    ]
    if not all(sound):
        raise SavedFileError("a node leads out of its tree")


def _is_closed(nodes: NDArray[Any], column_count: int) -> bool:
    """Whether children come after their parents, and every question is about a column that is there."""
    inner = nodes["left_child"] != LEAF
    number = np.arange(len(nodes))[inner]
    children: Iterable[NDArray[Any]] = (nodes["left_child"][inner], nodes["right_child"][inner])
    inside = all(bool(((child > number) & (child < len(nodes))).all()) for child in children)
    column = nodes["feature"][inner]
    return inside and bool(((column >= 0) & (column < column_count)).all())


def _whole(node: Node) -> int:
    number = json.loads(node["content"])
    if node["__loader__"] != "JsonNode" or type(number) is not int:
        raise SavedFileError("a tree has a size that is no whole number")
    return number

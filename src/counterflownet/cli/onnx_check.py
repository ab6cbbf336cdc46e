"""An ONNX model before it is run: the runtime checks a great deal, but follows trees and loops wherever they lead."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from counterflownet.cli.onnx_graph import Operator, operators
from counterflownet.errors import SavedFileError

ENDLESS = ("Loop", "Scan", "SequenceMap")
FOREST = ("TreeEnsembleClassifier", "TreeEnsembleRegressor")
FOREST_OF_VERSION_5 = "TreeEnsemble"
LEAF = b"LEAF"
NONE = -1


def check_onnx(content: bytes) -> None:
    """An error if running the model might never end."""
    for operator in operators(content):
        if operator.name in ENDLESS:
            raise SavedFileError(f"it contains {operator.name}, which may run forever")
        if operator.name in FOREST and not _ends(_children(operator)):
            raise SavedFileError("a tree leads back to itself")
        if operator.name == FOREST_OF_VERSION_5 and not _ends(_numbered_children(operator)):
            raise SavedFileError("a tree leads back to itself")


def _children(forest: Operator) -> NDArray[np.int64]:
    """The places of both children of each node, NONE for a leaf; nodes are named by their tree and a number."""
    trees = forest.ints("nodes_treeids")
    names = list(zip(trees, forest.ints("nodes_nodeids"), strict=True))
    place = {name: number for number, name in enumerate(names)}
    if len(place) != len(names):
        raise SavedFileError("two nodes of a tree have one number")
    leaf = [mode == LEAF for mode in forest.strings("nodes_modes")]
    sides = (forest.ints("nodes_truenodeids"), forest.ints("nodes_falsenodeids"))
    return np.array(
        [
            [NONE if is_leaf else place[tree, child] for tree, child, is_leaf in zip(trees, side, leaf, strict=True)]
            for side in sides
        ]
    )


def _numbered_children(forest: Operator) -> NDArray[np.int64]:
    sides: Iterable[tuple[str, str]] = (
        ("nodes_truenodeids", "nodes_trueleafs"),
        ("nodes_falsenodeids", "nodes_falseleafs"),
    )
    return np.array([np.where(np.array(forest.ints(leafs)) != 0, NONE, forest.ints(ids)) for ids, leafs in sides])


def _ends(children: NDArray[np.int64]) -> bool:
    """Whether every way down ends: from the leaves up, nodes whose children both end are done."""
    count = children.shape[1]
    if ((children < NONE) | (children >= count)).any():
        return False
    done = np.zeros(count + 1, dtype=bool)
    done[NONE] = True  # the last place stands for what is no node
    while True:
        now = done[children].all(axis=0)
        if (now == done[:count]).all():
            return bool(now.all())
        done[:count] = now

"""Trees of gradient boosting from a file, before they are used.

scikit-learn follows the numbers in a tree's nodes without looking whether they lead out of it, so a file that was made
to do harm could make it read memory that is not its own. Where every number stays inside, nothing is left to trust.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor


def boosting_fault(owner: Any) -> str | None:
    """What is wrong with a model of gradient boosting, or None."""
    if vars(owner).get("_in_fit"):
        return "a model claims that it is still being fitted"
    categorical = categorical_columns(owner)
    trees = [tree for stage in owner._predictors for tree in stage]  # noqa: SLF001
    sound = categorical.ndim == 1 and all(_is_whole(tree, categorical) for tree in trees)
    return None if sound else "a node leads out of its tree"


def categorical_columns(owner: Any) -> NDArray[np.bool_]:
    """Of each column that the trees are given, whether it holds categories."""
    return np.asarray(owner._bin_mapper.is_categorical_) != 0  # noqa: SLF001


def _is_whole(tree: Any, categorical: NDArray[np.bool_]) -> bool:
    """Whether every way through the tree ends in one of its leaves; children come after their parents."""
    nodes = tree.nodes
    if type(tree) is not TreePredictor or nodes.ndim != 1 or len(nodes) == 0:
        return False
    number, inner = np.arange(len(nodes)), nodes["is_leaf"] == 0
    children = np.stack([nodes["left"], nodes["right"]]).astype(np.int64)
    inside = (children > number) & (children < len(nodes))
    column = (nodes["feature_idx"] >= 0) & (nodes["feature_idx"] < len(categorical))
    if not (inside.all(axis=0) & column)[inner].all():
        return False
    asks_set = inner & (nodes["is_categorical"] != 0)
    sets = np.asarray(tree.raw_left_cat_bitsets)
    known = categorical[nodes["feature_idx"][asks_set]] & (nodes["bitset_idx"][asks_set] < len(sets))
    return bool(known.all() and (not asks_set.any() or sets.shape[1:] == (8,)))

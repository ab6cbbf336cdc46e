"""Trees of gradient boosting from a file, before they are used.

scikit-learn follows the numbers in a tree's nodes without looking whether they lead out of it, so a file that was made
to do harm could make it read memory that is not its own. Where every number stays inside, and no stored attribute
stands in the way of a method, there is nothing left to trust.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder
from sklearn.utils.validation import check_array

CHECKED = (
    "functools.partial",
    "numpy.asarray",
    "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
    "sklearn.utils.validation.check_array",
)
BOOSTING = (HistGradientBoostingClassifier, HistGradientBoostingRegressor)


def tree_fault(model: Any) -> str | None:
    """What is wrong with the gradient boosting inside a model, or None."""
    parts = list(_parts(model, set()))
    trees = [part for part in parts if isinstance(part, TreePredictor)]
    if not trees:
        return None
    hidden = next((name for part in parts for name in _hidden_methods(part)), None)
    if hidden:
        return f"a stored attribute hides the method {hidden!r}"
    owners = [part for part in parts if isinstance(part, BOOSTING)]
    owned = {id(tree) for owner in owners for stage in owner._predictors for tree in stage}  # noqa: SLF001
    if any(id(tree) not in owned for tree in trees):
        return "a tree belongs to no model"
    return next((fault for owner in owners if (fault := _fault_of(owner))), None)


def _fault_of(owner: Any) -> str | None:
    if vars(owner).get("_in_fit"):
        return "a model claims that it is still being fitted"
    categorical = np.asarray(owner._bin_mapper.is_categorical_) != 0  # noqa: SLF001
    if categorical.shape != (_column_count(owner),):
        return "the number of columns does not match"
    trees = [tree for stage in owner._predictors for tree in stage]  # noqa: SLF001
    return None if all(_is_whole(tree, categorical) for tree in trees) else "a node leads out of its tree"


def _column_count(owner: Any) -> int:
    """How many columns the trees are given; -1 if that cannot be said for certain."""
    inner = owner._preprocessor  # noqa: SLF001
    if inner is None:
        return int(owner.n_features_in_)
    kinds = [type(entry[1]) for entry in getattr(inner, "transformers_", [])]
    if type(inner) is not ColumnTransformer or kinds[:2] != [OrdinalEncoder, FunctionTransformer]:
        return -1
    keeps_shape = getattr(inner.transformers_[1][1].func, "func", None) is check_array
    if not keeps_shape or any(entry[1] != "drop" for entry in inner.transformers_[2:]):
        return -1
    return int(sum(np.count_nonzero(entry[2]) for entry in inner.transformers_[:2]))


def _is_whole(tree: TreePredictor, categorical: Any) -> bool:
    """Whether every way through the tree ends in one of its leaves; children come after their parents."""
    nodes = tree.nodes
    if nodes.ndim != 1 or len(nodes) == 0:
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


def _parts(thing: Any, seen: set[int]) -> Iterator[Any]:
    """The thing and everything it holds, each once."""
    if id(thing) in seen or isinstance(thing, (str, bytes, int, float, type(None), type)):
        return
    seen.add(id(thing))
    yield thing
    if isinstance(thing, dict):
        held = list(thing.values())
    elif isinstance(thing, (list, tuple, set)):
        held = list(thing)
    elif isinstance(thing, np.ndarray):
        held = thing.ravel().tolist() if thing.dtype == object else []
    else:
        held = list(getattr(thing, "__dict__", {}).values())
    for entry in held:
        yield from _parts(entry, seen)


def _hidden_methods(part: Any) -> Iterator[str]:
    stored = getattr(part, "__dict__", None)
    if isinstance(stored, dict) and type(part).__module__.startswith("sklearn."):
        yield from (name for name in stored if callable(getattr(type(part), name, None)))

"""A model from a file, before it is asked anything: what it gives to compiled code must be as long as it claims.

What can be told from the model alone is checked once. What depends on the rows, such as how many columns reach a tree
after preprocessing, is checked each time, by a guard around the method that prepares them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC, NuSVC
from sklearn.tree import BaseDecisionTree

from counterflownet.cli.boosting_check import boosting_fault, categorical_columns
from counterflownet.cli.model_parts import part_fault, parts_of
from counterflownet.errors import SavedFileError

KERNELS = ("linear", "poly", "rbf", "sigmoid")
BOOSTING = (HistGradientBoostingClassifier, HistGradientBoostingRegressor)


def checked_model(model: Any) -> Any:
    """The model with its guards; an error if it is damaged, or made to do harm."""
    parts = list(parts_of(model))
    for part in parts:
        fault = part_fault(part) or _fault_of(part)
        if fault:
            raise SavedFileError(f"it is damaged or malicious: {fault}")
    for part in parts:
        _guard(part)
    return model


def _fault_of(part: Any) -> str | None:
    fitted = vars(part) if isinstance(part, BaseEstimator) else {}
    if isinstance(part, BOOSTING) and "_predictors" in fitted:
        return boosting_fault(part)
    if isinstance(part, (SVC, NuSVC)) and "support_vectors_" in fitted and not _is_sound_svm(part):
        return "a support vector machine does not have the support vectors it claims"
    if isinstance(part, OneHotEncoder) and "_n_features_outs" in fitted and not _is_sound_encoder(part):
        return "an encoder does not have the columns it claims"
    return None


def _is_sound_svm(owner: Any) -> bool:
    class_count = len(owner.classes_)
    pair_count = class_count * (class_count - 1) // 2
    count, width = owner.support_vectors_.shape
    shapes = {"support_": (count,), "_dual_coef_": (class_count - 1, count), "_n_support": (class_count,)}
    shapes |= {"_intercept_": (pair_count,)}
    probabilities = {owner._probA.shape, owner._probB.shape}  # noqa: SLF001
    return bool(
        all(getattr(owner, name).shape == shape for name, shape in shapes.items())
        and probabilities in ({(0,)}, {(pair_count,)})
        and (owner._n_support >= 0).all()  # noqa: SLF001
        and owner._n_support.sum() == count > 0  # noqa: SLF001
        and _is_count(owner.n_features_in_, width)
        and owner.kernel in KERNELS
        and owner._sparse is False  # noqa: SLF001
        and "_impl" not in vars(owner)
    )


def _is_count(given: Any, count: int) -> bool:
    return isinstance(given, (int, np.integer)) and given == count


def _is_sound_encoder(owner: Any) -> bool:
    stored, dropped = owner._n_features_outs, _dropped(owner)  # noqa: SLF001
    return bool(
        list(stored) == owner._compute_n_features_outs()  # noqa: SLF001
        and len(stored) == len(owner.categories_) == len(dropped)
        and all(_is_count(count, count) and count >= 0 for count in stored)
        and all(
            number is None or 0 <= number < limit for number, limit in zip(dropped, _code_limits(owner), strict=True)
        )
    )


def _dropped(owner: Any) -> list[Any]:
    """The code of each column that has no output column of its own, or None."""
    numbers = owner._drop_idx_after_grouping  # noqa: SLF001
    return [None] * len(owner.categories_) if numbers is None else list(numbers)


def _code_limits(owner: Any) -> list[int]:
    """How many codes each column has, before one of them is dropped."""
    counts = zip(owner._n_features_outs, _dropped(owner), strict=True)  # noqa: SLF001
    return [count + (number is not None) for count, number in counts]


def _guard(part: Any) -> None:
    fitted = vars(part) if isinstance(part, BaseEstimator) else {}
    if isinstance(part, BOOSTING) and "_predictors" in fitted:
        width = len(categorical_columns(part))
        _check_after(part, "_preprocess_X", lambda rows: rows.shape[1:] == (width,))
    if isinstance(part, BaseDecisionTree) and "tree_" in fitted:
        tree = part.tree_
        _check_after(part, "_validate_X_predict", lambda rows: rows.shape[1:] == (tree.n_features,))
    if isinstance(part, OneHotEncoder) and "_n_features_outs" in fitted:
        limits = np.array(_code_limits(part))
        _check_after(
            part,
            "_transform",
            lambda coded: coded[0].shape[1:] == limits.shape and ((coded[0] >= 0) & (coded[0] < limits)).all(),
        )


def _check_after(owner: Any, method: str, is_sound: Callable[[Any], Any]) -> None:
    original = getattr(owner, method)

    def guarded(*given: Any, **named: Any) -> Any:
        made = original(*given, **named)
        if not is_sound(made):
            raise SavedFileError(f"the model file is damaged or malicious: {type(owner).__name__} would read too far.")
        return made

    setattr(owner, method, guarded)

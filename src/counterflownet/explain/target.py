"""Which class is wanted for each row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy import ndarray

from counterflownet.errors import InvalidInputError, listed, unknown_name


def target_numbers(target: Any, classes: tuple[Any, ...], predicted: Int[ndarray, " row"]) -> Int[ndarray, " row"]:
    """The number of the wanted class, one per row: a class, a list with one for each row, or None for the other one."""
    if target is None:
        if len(classes) > 2:
            raise InvalidInputError(
                f"with {len(classes)} classes the target must be named. Allowed: {listed(map(repr, classes))}."
            )
        return 1 - predicted
    if _is_list(target):
        return _per_row(target, classes, len(predicted))
    return np.full(len(predicted), _number(target, classes))


def _per_row(targets: Any, classes: tuple[Any, ...], row_count: int) -> Int[ndarray, " row"]:
    if len(targets) != row_count:
        raise InvalidInputError(
            f"{len(targets)} targets were given for {row_count} rows; give one for all, or one for each in order."
        )
    return np.array([_number(target, classes) for target in targets], dtype=np.int64)


def _number(target: Any, classes: tuple[Any, ...]) -> int:
    target = target.item() if isinstance(target, np.generic) else target
    for number, label in enumerate(classes):
        if _equal(target, label):
            return number
    remedy = "Mind the type: 1 and '1' are different labels." if str(target) in map(str, classes) else ""
    raise unknown_name("target class", target, map(repr, classes), remedy)


def _equal(target: Any, label: Any) -> bool:
    try:
        return bool(target == label)
    except (TypeError, ValueError):  # a missing value or an array, which are no label
        return False


def _is_list(target: Any) -> bool:
    if isinstance(target, np.ndarray):
        return target.ndim > 0
    lists = (pd.Series, pd.Index, pd.api.extensions.ExtensionArray, Sequence)
    return isinstance(target, lists) and not isinstance(target, (str, bytes, tuple))

"""The checks that every output of every classifier must pass."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.errors import ClassifierError, listed

_RANGE_TOLERANCE = 1e-6
_SUM_TOLERANCE = 1e-3  # half-precision networks are off by this much

COPIES_ON_WRITE = int(pd.__version__.split(".")[0]) >= 3  # then pandas copies what a model edits, and only that

_REMEDY = "To turn other scores into probabilities, use a function or TorchClassifier(outputs='logits')."


def checked_answer(ask: Callable[[pd.DataFrame], Any], rows: pd.DataFrame, *, class_count: int) -> NDArray[np.float64]:
    """The checked output of ``ask`` for ``rows``; it is not called if there are none."""
    if not len(rows):
        return np.empty((0, class_count))
    return checked_probabilities(asked(ask, rows, "classifier"), row_count=len(rows), class_count=class_count)


def asked(ask: Callable[[pd.DataFrame], Any], rows: pd.DataFrame, kind: str) -> Any:
    """What a model of that ``kind`` says of the rows; whatever fails in it is an error of ours."""
    try:
        return ask(rows.copy(deep=not COPIES_ON_WRITE))  # a model that edits its table must not edit ours
    except ClassifierError:
        raise
    except Exception as error:
        fault = f"{type(error).__name__}: {error}".rstrip(".")
        raise ClassifierError(
            f"the {kind} failed with {fault}. It was given {len(rows)} rows "
            f"with the columns: {listed(rows.columns)}. It must accept exactly the columns of the table to explain; "
            "put its preprocessing into a scikit-learn Pipeline or a function."
        ) from error


def checked_probabilities(given: Any, *, row_count: int, class_count: int) -> NDArray[np.float64]:
    """``given`` in float64; an error unless it has one probability per row and class."""
    answer = _numbers(given)
    if answer.shape != (row_count, class_count):
        raise ClassifierError(
            f"the classifier must return an array of shape (row, class) = {(row_count, class_count)}; "
            f"got {answer.shape}. Check that classes= names every class and that no row is missing."
        )
    _refuse(~np.isfinite(answer), answer, "that are finite")
    _refuse(np.abs(answer - 0.5) > 0.5 + _RANGE_TOLERANCE, answer, "between 0 and 1")
    sums = answer.sum(axis=1, keepdims=True)
    _refuse(np.abs(sums - 1.0) > _SUM_TOLERANCE, answer, "that sum to one in each row")
    return answer


def with_both_classes(given: Any, *, row_count: int, class_count: int) -> Any:
    """(n,) or (n, 1) probabilities of the second of two classes as (n, 2); anything else unchanged."""
    answer = _numbers(given)
    if class_count == 2 and answer.shape in {(row_count,), (row_count, 1)}:
        second = answer.reshape(row_count)
        return np.stack([1.0 - second, second], axis=1)
    return answer


def _numbers(given: Any) -> NDArray[np.float64]:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: a tensor that still carries gradients
        message = f"the classifier must return an array of numbers; got {type(given).__name__} ({error})."
        raise ClassifierError(f"{message} {_REMEDY}") from error


def _refuse(bad: NDArray[np.bool_], answer: NDArray[np.float64], claim: str) -> None:
    """An error that shows the first bad row, if there is one."""
    if bad.any():
        row = int(bad.argmax()) // bad.shape[1]
        raise ClassifierError(
            f"the classifier must return probabilities {claim}; row {row} of {len(answer)} "
            f"is {answer[row].tolist()}. {_REMEDY}"
        )

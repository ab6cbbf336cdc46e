"""Class labels of any type, as plain Python values."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from counterflownet.errors import ClassifierError, listed

# A string would fall apart into letters, and the order of a set is not the order of the probabilities.
_NO_LISTS = (str, bytes, set, frozenset, Mapping)


def plain_labels(given: Any) -> tuple[Any, ...]:
    """At least two distinct, hashable labels, with numpy scalars as plain Python values."""
    if isinstance(given, _NO_LISTS) or not isinstance(given, Iterable):
        message = f"classes must be a list of labels in the order of the probabilities; got {given!r}."
        raise ClassifierError(f"{message} For example: classes=['bad', 'good'].")
    labels = tuple(label.item() if isinstance(label, np.generic) else label for label in given)
    _check_hashable(labels)
    if len(set(labels)) != len(labels):
        raise ClassifierError(f"class labels must be distinct; got {_shown(labels)}.")
    if len(labels) < 2:
        message = f"a classifier needs at least two classes to be explained; its labels are: {_shown(labels)}."
        raise ClassifierError(f"{message} Fit it on rows of at least two classes.")
    return labels


def settled_labels(known: Any, given: Any) -> tuple[Any, ...]:
    """The labels to use when the model has its ``own`` and the user may have ``given`` others.

    Given labels rename the model's by position (xgboost knows only 0, 1, ...). They may not reuse one of the model's
    labels in another position: that is more likely a wrong order than a renaming.
    """
    old = plain_labels(known)
    if given is None:
        return old
    new = plain_labels(given)
    if new == old or (len(new) == len(old) and not set(new) & set(old)):
        return new
    raise ClassifierError(
        f"classes must list the model's own classes in their order; got {_shown(new)} for {_shown(old)}. "
        "Omit classes=, or give one new name per class."
    )


def _check_hashable(labels: tuple[Any, ...]) -> None:
    for label in labels:
        try:
            hash(label)
        except TypeError as error:
            message = f"class labels must be hashable, such as strings or numbers; got {label!r}."
            remedy = "Explain a classifier with several outputs one output at a time."
            raise ClassifierError(f"{message} {remedy}") from error


def _shown(labels: tuple[Any, ...]) -> str:
    return listed(map(repr, labels))

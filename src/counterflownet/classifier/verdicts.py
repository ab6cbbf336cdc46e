"""Models without ``predict_proba``: what they say of a class, or how far from the border a row is, as probabilities."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.classifier.chances import sigmoid, softmax
from counterflownet.classifier.checks import with_both_classes
from counterflownet.errors import ClassifierError, HardLabelsWarning, listed

ENOUGH_ROWS = 20  # to tell the usual size of a decision function
Ask = Callable[[pd.DataFrame], Any]


class Predicted:
    """What ``predict`` says as probabilities: those of networks as they are, a label as 0 and 1.

    Args:
        ask: Returns labels, positions of labels, or probabilities, of shape (row,), (row, 1) or (row, class).
        labels: The labels as the model itself says them.
        name: What the model is called in messages.
    """

    def __init__(self, ask: Ask, labels: tuple[Any, ...], name: str) -> None:
        self.ask, self.labels, self.name = ask, labels, name
        self.told = False

    def __call__(self, rows: pd.DataFrame) -> Any:
        row_count = len(rows)  # counted first: the model may change its copy of the rows
        given = np.asarray(self.ask(rows))
        if given.ndim == 2 and given.shape[1] > 1:
            return given
        said = given.reshape(-1) if given.shape in {(row_count,), (row_count, 1)} else given
        places = None if said.ndim != 1 else self._places(said)
        if places is None:
            return self._probabilities(said, row_count)
        self._tell()
        return np.eye(len(self.labels))[places]

    def _places(self, said: NDArray[Any]) -> NDArray[np.int64] | None:
        """The position of the label that was said of each row; None if these are no labels."""
        cells = pd.Series(said.tolist(), dtype=object)
        known = cells.map({label: place for place, label in enumerate(self.labels)})
        if known.isna().any() and said.dtype.kind in "iu":  # positions of labels that were named afterwards
            known = cells.where(cells.isin(range(len(self.labels))))
        return None if known.isna().any() else known.to_numpy(dtype=np.int64)

    def _probabilities(self, said: NDArray[Any], row_count: int) -> Any:
        if said.dtype.kind not in "fiub" or len(self.labels) > 2:
            raise ClassifierError(
                f"{self.name} predicts {said.reshape(-1)[:1].tolist()!r}, which is neither one of the classes "
                f"{listed(map(repr, self.labels))} nor a probability. Name the classes as it says them: classes=[...]."
            )
        return with_both_classes(said, row_count=row_count, class_count=len(self.labels))

    def _tell(self) -> None:
        if not self.told:
            self.told = True
            warnings.warn(
                f"{self.name} predicts classes without probabilities, so each counts as 0 or 1: answers are as valid "
                "as ever, but confidence= cannot ask for more than the class, none is known to be safer than another, "
                "and samples are learned more slowly. If it has probabilities, pass a function that returns them.",
                HardLabelsWarning,
                stacklevel=2,
            )


class Decided:
    """A decision function as probabilities: its sign says which class, its size how probable.

    Args:
        decide: Returns one number per row, above 0 for the second of two classes, or one per class.
        predict: Says the class; with several classes it settles what the numbers leave open.
        labels: The labels as the model itself says them.
        scale: The size at which a class is fairly sure (a probability of 0.73); None for the median of the first rows.
    """

    def __init__(self, decide: Ask, predict: Ask, labels: tuple[Any, ...], scale: float | None) -> None:
        self.decide, self.labels, self.scale = decide, labels, scale
        self.predict = predict

    def __call__(self, rows: pd.DataFrame) -> Any:
        row_count = len(rows)
        values = np.asarray(self.decide(rows.copy()), dtype=np.float64)
        if values.shape in {(row_count,), (row_count, 1)}:
            second = sigmoid(values.reshape(-1) / self._scale(np.abs(values)))
            return np.stack([1.0 - second, second], axis=1)
        if values.shape != (row_count, len(self.labels)):
            raise ClassifierError(
                f"a decision function of {len(self.labels)} classes must have one number for each; got the shape "
                f"{values.shape}. With scikit-learn's SVC: decision_function_shape='ovr'."
            )
        highest = np.sort(values, axis=1)
        chances = softmax(values / self._scale(highest[:, -1] - highest[:, -2]))
        return _led_by(chances, [self.labels.index(label) for label in self._said(rows)])

    def _said(self, rows: pd.DataFrame) -> list[Any]:
        return np.asarray(self.predict(rows)).reshape(-1).tolist()

    def _scale(self, sizes: NDArray[np.float64]) -> float:
        if self.scale is not None:
            return self.scale
        usual = float(np.median(sizes)) or 1.0
        if len(sizes) >= ENOUGH_ROWS:
            self.scale = usual
        return usual


def _led_by(chances: NDArray[np.float64], first: list[int]) -> NDArray[np.float64]:
    """The probabilities with the highest exchanged for that of the class which was said, where they disagree."""
    rows, highest = np.arange(len(chances)), chances.argmax(axis=1)
    led = chances.copy()
    led[rows, highest], led[rows, first] = chances[rows, first], chances[rows, highest]
    return led

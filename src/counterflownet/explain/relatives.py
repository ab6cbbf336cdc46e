"""Relatives of the rows of a rare class: mixtures of two of them, so that there is more to learn from."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy import ndarray

from counterflownet.protocols import Classifier
from counterflownet.seeds import numpy_generator
from counterflownet.training.directions import Directions

ENOUGH = 4_000  # rows of a class: whoever has so many needs no relatives
PER_ROW = 10  # relatives at most: they are less like real rows than real rows are
FROM_OTHER = 0.3  # the chance that a column comes from the other of the two rows
TRIED = 2  # for every relative that is wanted, since some are put in another class


def with_relatives(
    directions: Directions, rows: pd.DataFrame, classifier: Classifier, seed: int
) -> tuple[Directions, pd.DataFrame]:
    """The directions with relatives to learn from beside their rows, and these relatives, which come after all rows.

    Only rows that are learned from have relatives, and only those count that the classifier puts in the same class.
    """
    rare = list(_rare(directions))
    if not rare:
        return directions, rows.iloc[:0]
    tried = [_mixed(rows, learned, numpy_generator(seed, "relatives", number)) for number, learned in rare]
    meant = np.repeat([number for number, _ in rare], [len(part) for part in tried])
    together = pd.concat(tried, ignore_index=True)
    alike = classifier.probabilities(together).argmax(axis=1) == meant
    kept = [np.flatnonzero(alike & (meant == number))[: _wanted(len(learned))] for number, learned in rare]
    ends = len(rows) + np.cumsum([len(part) for part in kept])
    more = {
        number: end - 1 - np.arange(len(part))[::-1] for (number, _), part, end in zip(rare, kept, ends, strict=True)
    }
    return directions.joined_by(more), together.take(np.concatenate(kept)).reset_index(drop=True)


def _rare(directions: Directions) -> Iterator[tuple[int, Int[ndarray, " row"]]]:
    learned = {way.predicted: way.learned for way in directions}
    return ((number, rows) for number, rows in learned.items() if 1 < len(rows) < ENOUGH)


def _wanted(count: int) -> int:
    return min(PER_ROW * count, ENOUGH - count)


def _mixed(rows: pd.DataFrame, learned: Int[ndarray, " row"], draw: np.random.Generator) -> pd.DataFrame:
    """Each row of the first half of pairs, with some columns of the second."""
    one, other = draw.choice(learned, size=(2, TRIED * _wanted(len(learned))))
    columns = [
        rows.iloc[:, place].take(np.where(draw.random(len(one)) < FROM_OTHER, other, one)).reset_index(drop=True)
        for place in range(rows.shape[1])
    ]
    return pd.concat(columns, axis=1)

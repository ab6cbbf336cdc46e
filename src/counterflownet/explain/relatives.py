"""Relatives of the rows of a class: mixtures of two of them, so that there is more to learn from."""

import numpy as np
import pandas as pd
from jaxtyping import Int
from numpy import ndarray

from counterflownet.protocols import Classifier
from counterflownet.seeds import numpy_generator
from counterflownet.training.directions import Directions

ENOUGH = 4_000  # rows of a class: whoever has so many needs no relatives, but for rows like those that are missed
PER_ROW = 10  # relatives at most: they are less like real rows than real rows are
MOST_SPARE = 20_000  # relatives of a class that has enough rows, at most one of each
FROM_OTHER = 0.3  # the chance that a column comes from the other of the two rows
TRIED = 2  # for every relative that is wanted, since some are put in another class


def with_relatives(
    directions: Directions, rows: pd.DataFrame, classifier: Classifier, seed: int
) -> tuple[Directions, pd.DataFrame]:
    """The directions with relatives beside their rows, and these relatives, which come after all rows.

    Rare classes learn from them as from their rows. Of others they are spare: a flow that misses a few rows would learn
    these by heart if there were no more of the kind. Only rows that are learned from have relatives, and only those
    count that the classifier puts in the same class.
    """
    learned = {way.predicted: way.learned for way in directions if len(way.learned) > 1}
    if not learned:
        return directions, rows.iloc[:0]
    tried = [_mixed(rows, own, numpy_generator(seed, "relatives", number)) for number, own in learned.items()]
    meant = np.repeat(list(learned), [len(part) for part in tried])
    together = pd.concat(tried, ignore_index=True)
    alike = classifier.probabilities(together).argmax(axis=1) == meant
    kept = [np.flatnonzero(alike & (meant == number))[: _wanted(len(own))] for number, own in learned.items()]
    ends = len(rows) + np.cumsum([len(part) for part in kept])
    more = {number: end - 1 - np.arange(len(part))[::-1] for number, part, end in zip(learned, kept, ends, strict=True)}
    rare = {number: part for number, part in more.items() if len(learned[number]) < ENOUGH}
    spare = {number: part for number, part in more.items() if number not in rare}
    return directions.joined_by(rare).spared(spare), together.take(np.concatenate(kept)).reset_index(drop=True)


def _wanted(count: int) -> int:
    return min(PER_ROW * count, ENOUGH - count) if count < ENOUGH else min(count, MOST_SPARE)


def _mixed(rows: pd.DataFrame, learned: Int[ndarray, " row"], draw: np.random.Generator) -> pd.DataFrame:
    """Each row of the first half of pairs, with some columns of the second."""
    one, other = draw.choice(learned, size=(2, TRIED * _wanted(len(learned))))
    columns = [
        rows.iloc[:, place].take(np.where(draw.random(len(one)) < FROM_OTHER, other, one)).reset_index(drop=True)
        for place in range(rows.shape[1])
    ]
    return pd.concat(columns, axis=1)

"""How economical answers are: how much they change, whether all of it is needed, whether they are new.

All three are taken over valid answers, all instances together: an invalid row explains nothing. NaN says that there was
none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from jaxtyping import Bool
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet_bench.metrics.places import check_changes, check_places, mean_of_known


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ChangeEvaluation:
    """Which cells of each answer were changed, which of these changes alone could be undone, which rows are old.

    ``superfluous`` flags a change without which the answer would still be valid; ``in_training`` an answer that equals
    a training row.
    """

    changed: Bool[ndarray, "row place feature"]
    superfluous: Bool[ndarray, "row place feature"]
    in_training: Bool[ndarray, "row place"]
    present: Bool[ndarray, "row place"]
    valid: Bool[ndarray, "row place"]

    def __post_init__(self) -> None:
        check_places(self.present, self.valid)
        check_changes(self.present, self.changed)
        if (self.superfluous & ~self.changed & self.valid[..., None]).any():
            raise InvalidInputError("only a changed cell can be superfluous.")


def minimality(e: ChangeEvaluation) -> float:
    """Share of irreducible answers: undoing any single change makes them invalid."""
    return mean_of_known(1.0 - np.asarray(e.superfluous.any(axis=2))[e.valid])


def training_rows(e: ChangeEvaluation) -> float:
    """Share of answers that equal an existing training row in every feature."""
    return mean_of_known(e.in_training[e.valid].astype(np.float64))


def changes(e: ChangeEvaluation) -> float:
    """Mean number of features that an answer changes."""
    return mean_of_known(e.changed.sum(axis=2)[e.valid].astype(np.float64))


CHANGE_METRICS: Mapping[str, Callable[[ChangeEvaluation], float]] = MappingProxyType(
    {"minimality": minimality, "training_rows": training_rows, "changes": changes}
)

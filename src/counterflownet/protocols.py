"""What the parts of the library ask of each other, and nothing more."""

from typing import Any, Protocol, runtime_checkable

import numpy as np
import pandas as pd
from numpy.typing import NDArray


@runtime_checkable
class Classifier(Protocol):
    """The black box to explain: raw columns in, one probability per class out."""

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, in the order of the columns of ``probabilities``."""
        ...

    def probabilities(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """Probabilities of shape (row, class); each row sums to one."""
        ...

"""How a classifier is recognised: by what it says of rows that were made up from the codes of the columns."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._states import States
from counterflownet.protocols import Classifier
from counterflownet.reward.ranks import Ranks
from counterflownet.seeds import numpy_generator
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.schema import Schema

ROWS = 256
KEPT = 16


@dataclass(frozen=True, slots=True, eq=False)
class Probe:
    """Rows of random codes, drawn without a look at any training row, and what a classifier said of them."""

    codes: Int[ndarray, "row feature"]
    probabilities: Float[ndarray, "row class"]

    @classmethod
    def of(cls, classifier: Classifier, schema: Schema, columns: pd.DataFrame) -> "Probe":
        """What the classifier says now; ``columns`` is a table of the right types, with or without rows."""
        codes = numpy_generator(0, "probe").integers(0, schema.space.code_counts, size=(ROWS, len(schema)))
        return cls(codes, classifier.probabilities(rows_of_codes(codes, schema, columns)))

    def some(self) -> "Probe":
        """A few of the rows, from the least certain, on which small changes show, to the most certain."""
        by_certainty = np.argsort(self.probabilities.max(axis=1), kind="stable")
        kept = by_certainty[np.linspace(0, ROWS - 1, KEPT).round().astype(int)]
        return Probe(self.codes[kept], self.probabilities[kept])

    def comparable(self, ranks: Ranks | None) -> Float[ndarray, "row output"]:
        """What was said on a scale on which a thousandth is little: probabilities, or predictions in deviations."""
        return self.probabilities if ranks is None else self.probabilities / ranks.deviation

    def rows(self, schema: Schema, columns: pd.DataFrame) -> pd.DataFrame:
        """The rows themselves."""
        return rows_of_codes(self.codes, schema, columns)


def rows_of_codes(codes: Int[ndarray, "row feature"], schema: Schema, columns: pd.DataFrame) -> pd.DataFrame:
    """The rows that have these codes, in the types of the training table."""
    nothing_kept = np.ones(codes.shape, dtype=bool)
    states = States.of_arrays(np.zeros(len(codes), dtype=np.int64), codes, nothing_kept)
    return Codec(schema, columns.iloc[:0]).decode(states)

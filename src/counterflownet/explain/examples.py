"""Training rows as examples: what rows of the wanted class look like, for factuals that nothing else could help."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet._space import Allowed
from counterflownet._states import States
from counterflownet.explain.probe import rows_of_codes
from counterflownet.protocols import Classifier
from counterflownet.reward.goals import Goals
from counterflownet.reward.outlier import LocalOutlierFactor
from counterflownet.seeds import numpy_generator
from counterflownet.tabular.binning import code_of
from counterflownet.tabular.factuals import Factuals, directions
from counterflownet.tabular.feature import Feature
from counterflownet.tabular.schema import Schema

MOST = 4_000  # rows that are kept in mind


@dataclass(frozen=True, eq=False)
class Examples:
    """The rows that plausibility is measured against, as codes; none if there are none, or all lack a value."""

    schema: Schema
    columns: pd.DataFrame
    classifier: Classifier
    outlier: LocalOutlierFactor | None

    @cached_property
    def codes(self) -> Int[ndarray, "example feature"]:
        if self.outlier is None:
            return np.zeros((0, len(self.schema)), dtype=np.int64)
        vectors = self.outlier.reference
        chosen = np.sort(numpy_generator(0, "examples").permutation(len(vectors))[:MOST])
        widths = [1 if feature.numeric else directions(feature.code_count).shape[1] for feature in self.schema]
        blocks = np.split(vectors[chosen], np.cumsum(widths)[:-1], axis=1)
        codes = np.stack([_codes(feature, block) for feature, block in zip(self.schema, blocks, strict=True)], axis=1)
        return codes[(codes < self.schema.space.code_counts).all(axis=1)]

    @cached_property
    def outputs(self) -> Float[ndarray, "example output"]:
        """What the model says of them."""
        return self.classifier.probabilities(rows_of_codes(self.codes, self.schema, self.columns))

    @property
    def classes(self) -> Int[ndarray, " example"]:
        """Which class the classifier puts them in."""
        return self.outputs.argmax(axis=1)

    def states(self, table: Factuals, allowed: Allowed, row: int, target: int | Goals, count: int) -> States:
        """A row made as like as is allowed to each of the ``count`` nearest examples of what is wanted."""
        suited = self.classes == target if isinstance(target, int) else target.suits(self.outputs)
        codes, own = self.codes[suited], table.codec.codes[row]
        codes = codes[np.argsort(_distances(codes, own, self.schema), kind="stable")[:count]]
        starts = np.array(self.schema.space.starts[:-1])
        edited = allowed.codes[row].numpy()[starts + codes]
        places = np.where(edited, codes, own)
        states = States.of_arrays(np.full(len(codes), row), places, edited)
        return states[states.change_counts > 0]


def _codes(feature: Feature, block: Float[ndarray, "example dimension"]) -> Int[ndarray, " example"]:
    """The codes that vectors came from; that of a missing value where a category left no trace."""
    if feature.numeric:
        numbers = block[:, 0].astype(np.float64) * feature.deviation + feature.mean
        return code_of(_nearest(feature.steps.number, numbers), np.asarray(feature.edges))
    likeness = block @ directions(feature.code_count)[: feature.code_count].T
    return np.where(likeness.max(axis=1) > 0, likeness.argmax(axis=1), feature.missing_code)


def _nearest(rising: Float[ndarray, " step"], numbers: Float[ndarray, " example"]) -> Float[ndarray, " example"]:
    """The step nearest to each number: what vectors keep of a number is not enough for bins of a single value."""
    above = np.clip(np.searchsorted(rising, numbers), 1, max(len(rising) - 1, 1))
    low, high = rising[above - 1], rising[np.minimum(above, len(rising) - 1)]
    return np.where(numbers - low <= high - numbers, low, high)


def _distances(
    codes: Int[ndarray, "example feature"], own: Int[ndarray, " feature"], schema: Schema
) -> Float[ndarray, " example"]:
    """How many columns differ, ordered ones in part."""
    counts, ordered = np.array(schema.space.code_counts), np.array(schema.space.ordered_flags)
    apart = np.abs(codes - own) / np.maximum(counts - 1, 1)
    return np.where(ordered & (own < counts), apart, codes != own).sum(axis=1)

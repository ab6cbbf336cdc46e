"""The columns of a data set as vectors, for methods that search there."""

from typing import Literal

import numpy as np
import pandas as pd

from counterflownet_bench.datasets import DatasetCard
from counterflownet_bench.vectors import CategoryBlock, NumberBlock, VectorSpace

Scaling = Literal["range", "deviation"]


def vector_space(card: DatasetCard, train: pd.DataFrame, scaling: Scaling) -> VectorSpace:
    """Numbers run from 0 to 1 over the training rows (``"range"``) or are standardised (``"deviation"``).

    Nothing is decoded to what lies beyond the training rows, or to a category that they do not have.
    """
    return VectorSpace(
        tuple(
            _number(train[name], scaling) if name in card.continuous else _category(card, train[name])
            for name in card.features
        )
    )


def _number(column: pd.Series, scaling: Scaling) -> NumberBlock:
    low, high = float(column.min()), float(column.max())
    shift, scale = (low, high - low) if scaling == "range" else (float(column.mean()), float(column.std(ddof=0)))
    return NumberBlock(name=str(column.name), shift=shift, scale=scale or 1.0, low=low, high=high, dtype=column.dtype)


def _category(card: DatasetCard, column: pd.Series) -> CategoryBlock:
    values = card.category(str(column.name)).values
    seen = np.isin(np.array(values), column.unique())
    return CategoryBlock(name=str(column.name), values=values, decodable=seen, dtype=column.dtype)

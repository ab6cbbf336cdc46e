"""Rows as vectors of scaled numbers and one-hot categories, for methods that search there, and back again."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float
from numpy import ndarray

from counterflownet.errors import InvalidInputError
from counterflownet_bench.datasets import DatasetCard

Scaling = Literal["range", "deviation"]


@dataclass(frozen=True, slots=True, eq=False)
class NumberBlock:
    """A number in one coordinate: ``(value - shift) / scale``, never decoded beyond the training rows."""

    name: str
    start: int
    shift: float
    scale: float
    low: float
    high: float
    dtype: Any

    width = 1

    def encoded(self, column: pd.Series) -> Float[ndarray, "row 1"]:
        return ((column.to_numpy(dtype=np.float64) - self.shift) / self.scale)[:, None]

    def decoded(self, vectors: Float[ndarray, "row 1"]) -> pd.Series:
        values = (vectors[:, 0].astype(np.float64) * self.scale + self.shift).clip(self.low, self.high)
        whole = np.issubdtype(self.dtype, np.integer)
        return pd.Series(values.round() if whole else values, name=self.name).astype(self.dtype)


@dataclass(frozen=True, slots=True, eq=False)
class CategoryBlock:
    """A category in one coordinate for each value; decoded to the largest of those that training rows have."""

    name: str
    start: int
    values: tuple[Any, ...]
    seen: Bool[ndarray, " value"]
    dtype: Any

    @property
    def width(self) -> int:
        return len(self.values)

    def encoded(self, column: pd.Series) -> Float[ndarray, "row value"]:
        place = pd.Index(list(self.values)).get_indexer(pd.Index(column))
        if (place < 0).any():
            raise InvalidInputError(f"column {self.name!r} holds {column.iloc[int(place.argmin())]!r}, unknown so far.")
        return np.eye(len(self.values))[place]

    def decoded(self, vectors: Float[ndarray, "row value"]) -> pd.Series:
        place = np.where(self.seen, vectors, -np.inf).argmax(axis=1)
        return pd.Series(list(self.values), name=self.name, dtype=self.dtype).take(place).reset_index(drop=True)


Block = NumberBlock | CategoryBlock


@dataclass(frozen=True, slots=True, eq=False)
class VectorSpace:
    """All columns of a table side by side, in the table's order."""

    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, card: DatasetCard, train: pd.DataFrame, scaling: Scaling) -> "VectorSpace":
        """Numbers run from 0 to 1 over the training rows (``"range"``) or are standardised (``"deviation"``)."""
        blocks: list[Block] = []
        start = 0
        for name in card.features:
            column = train[name]
            if name in card.continuous:
                low, high = float(column.min()), float(column.max())
                shift, scale = (low, high - low) if scaling == "range" else (column.mean(), column.std(ddof=0))
                block: Block = NumberBlock(name, start, float(shift), float(scale) or 1.0, low, high, column.dtype)
            else:
                values = card.category(name).values
                block = CategoryBlock(name, start, values, np.isin(np.array(values), column.unique()), column.dtype)
            blocks.append(block)
            start += block.width
        return cls(tuple(blocks))

    @property
    def width(self) -> int:
        return sum(block.width for block in self.blocks)

    def span(self, block: Block) -> slice:
        return slice(block.start, block.start + block.width)

    def encode(self, rows: pd.DataFrame) -> Float[ndarray, "row dimension"]:
        return np.concatenate([block.encoded(rows[block.name]) for block in self.blocks], axis=1)

    def decode(self, vectors: Float[ndarray, "row dimension"]) -> pd.DataFrame:
        """The nearest rows that can exist: numbers within their range, one value for each category."""
        return pd.concat([block.decoded(vectors[:, self.span(block)]) for block in self.blocks], axis=1)

    def of_columns(self, names: Any) -> Bool[ndarray, " dimension"]:
        """Which coordinates belong to these columns."""
        chosen = set(names)
        return np.concatenate([np.full(block.width, block.name in chosen) for block in self.blocks])

"""Rows that can be edited and judged: their codes, and how far apart edited ones are."""

from dataclasses import dataclass

import pandas as pd

from counterflownet.tabular.codec import Codec
from counterflownet.tabular.geometry import Geometry
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Factuals:
    """Some rows of a table, coded once."""

    codec: Codec
    geometry: Geometry

    @classmethod
    def coded(cls, schema: Schema, rows: pd.DataFrame) -> "Factuals":
        """The rows, whose columns must be the schema's in its order."""
        codec = Codec(schema, rows)
        return cls(codec, Geometry(codec))

    def __len__(self) -> int:
        return len(self.codec)

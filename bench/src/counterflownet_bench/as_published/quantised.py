"""Rows whose numbers are replaced by what their bins stand for."""

import numpy as np
import pandas as pd

from counterflownet import Schema
from counterflownet.tabular import Codec, States


def quantised(schema: Schema, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with the value of its bin in place of every number; columns in the order they had."""
    codec = Codec(schema, rows[list(schema.names)].reset_index(drop=True))
    numeric = np.array([feature.numeric for feature in schema])
    edited = np.broadcast_to(numeric, codec.codes.shape).copy()
    found = codec.decode(States.of_arrays(np.arange(len(rows)), codec.codes, edited))
    return found[list(rows.columns)].set_index(rows.index)

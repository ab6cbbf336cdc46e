"""Ids that occur more than once, in whichever pieces: only the first row of each is explained."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet.batch.pieces import Piece

Refused = dict[int, dict[int, str]]
"""For some pieces, by number: the places of rows that are not explained, each with its reason."""


def repeated_ids(pieces: Sequence[Piece], ids_of: Callable[[Piece], pd.Series]) -> Refused:
    """The rows whose id stands in a row before, which eight bytes for each row are enough to find."""
    doubtful = _hashes_met_twice(_hashes(ids_of(piece)) for piece in pieces)
    refused: Refused = defaultdict(dict)
    if len(doubtful) == 0:
        return refused
    first: dict[Any, str] = {}
    for piece in pieces:  # two ids may share a hash by chance, so the ids themselves are compared
        ids = ids_of(piece)
        for place in np.flatnonzero(np.isin(_hashes(ids), doubtful) & ids.notna().to_numpy()).tolist():
            where = f"row {piece.start + place + 1:,} of {piece.source}"
            if ids.iloc[place] in first:
                refused[piece.number][place] = f"the id {ids.iloc[place]!r} stands in {first[ids.iloc[place]]} as well"
            else:
                first[ids.iloc[place]] = where
    return refused


def _hashes(ids: pd.Series) -> NDArray[np.uint64]:
    return pd.util.hash_array(ids.to_numpy(dtype=object), categorize=False)


def _hashes_met_twice(parts: Iterable[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    rising = np.sort(np.concatenate([np.zeros(0, dtype=np.uint64), *parts]))
    return np.unique(rising[1:][rising[1:] == rising[:-1]])

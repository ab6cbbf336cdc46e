"""What identifies rows: of one type in all files, and only the first row of each id is explained, wherever it is."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from counterflownet.batch.pieces import PARQUET, Piece
from counterflownet.errors import InvalidInputError, unknown_name

Refused = dict[int, dict[int, str]]
"""For some pieces, by number: the places of rows that are not explained, each with its reason."""

PLAIN = {pa.large_string(): pa.string(), pa.string_view(): pa.string(), pa.large_binary(): pa.binary()}


def ids_of(table: Any, name: str) -> pa.ChunkedArray:
    """The ids of a pyarrow table or a frame. A missing one makes no floating-point numbers of the others."""
    arrow = isinstance(table, pa.Table)
    names = table.column_names if arrow else list(table.columns)
    if name not in names:
        raise unknown_name("id column", name, names)
    column = table[name] if arrow else pa.chunked_array([pa.array(table[name], from_pandas=True)])
    return column.cast(_plain(column.type, name))


def check_one_type(files: Sequence[Path], name: str) -> None:
    """An error if files have ids of different types: their answers could not stand in one data set."""
    kinds = {_id_type(file, name): file for file in files}
    if len(kinds) > 1:
        (one, first), (other, second) = list(kinds.items())[:2]
        raise InvalidInputError(
            f"the ids in {name!r} are of type {one} in {str(first)!r} and of type {other} in {str(second)!r}. "
            "Give all files the same type."
        )


def repeated_ids(pieces: Sequence[Piece], ids: Callable[[Piece], pa.ChunkedArray]) -> Refused:
    """The rows whose id stands in a row before, which eight bytes for each row are enough to find."""
    doubtful = _hashes_met_twice(pieces, ids)
    refused: Refused = defaultdict(dict)
    if len(doubtful) == 0:
        return refused
    first: dict[Any, str] = {}
    for piece in pieces:  # two ids may share a hash by chance, so the ids themselves are compared
        known = ids(piece)
        for place in np.flatnonzero(np.isin(_hashes(known), doubtful)).tolist():
            label = known[place].as_py()
            if label in first:
                refused[piece.number][place] = f"the id {label!r} stands in {first[label]} as well"
            elif label is not None:
                first[label] = f"row {piece.start + place + 1:,} of {piece.source}"
    return refused


def _plain(kind: pa.DataType, name: str) -> pa.DataType:
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_nested(kind):
        raise InvalidInputError(f"the ids in {name!r} are of type {kind}; ids must be numbers, words, dates or bytes.")
    return PLAIN.get(kind, kind)


def _id_type(file: Path, name: str) -> pa.DataType:
    if file.suffix.lower() not in PARQUET:
        return pa.string()
    schema = pq.read_schema(file)
    if name not in schema.names:
        raise unknown_name("id column", name, schema.names)
    return _plain(schema.field(name).type, name)


def _hashes(ids: pa.ChunkedArray) -> NDArray[np.uint64]:
    if pa.types.is_integer(ids.type):
        return pd.util.hash_array(ids.fill_null(0).to_numpy())
    return pd.util.hash_array(ids.to_pandas().to_numpy(dtype=object), categorize=False)


def _hashes_met_twice(pieces: Sequence[Piece], ids: Callable[[Piece], pa.ChunkedArray]) -> NDArray[np.uint64]:
    rising = np.empty(sum(piece.count for piece in pieces), dtype=np.uint64)
    end = 0
    for piece in pieces:
        rising[end : end + piece.count] = _hashes(ids(piece))
        end += piece.count
    rising.sort()
    return np.unique(rising[1:][rising[1:] == rising[:-1]])

"""Pieces of files: read one by one, they are the whole file."""

from functools import partial

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from counterflownet.batch.ids import repeated_ids
from counterflownet.batch.pieces import files_of, pieces_of
from counterflownet.cli.csv_table import csv_frame
from counterflownet.errors import InvalidInputError

FEW = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def together(pieces) -> pd.DataFrame:
    read = partial(csv_frame, missing=())
    return pd.concat([piece.read(read) for piece in pieces], ignore_index=True)


@FEW
@given(count=some.integers(1, 40), group=some.integers(1, 15), rows=some.integers(1, 15))
def test_pieces_of_parquet_are_the_whole(tmp_path, count, group, rows) -> None:
    frame = pd.DataFrame({"number": range(count), "half": [number / 2 for number in range(count)]})
    pq.write_table(pa.Table.from_pandas(frame), tmp_path / "table.parquet", row_group_size=group)
    pieces = pieces_of([tmp_path / "table.parquet"], rows)
    pd.testing.assert_frame_equal(together(pieces), frame)
    assert [piece.start for piece in pieces] == list(range(0, count, rows))
    assert max(piece.count for piece in pieces) <= rows


@FEW
@given(cells=some.lists(some.text(alphabet='a",\n; é', max_size=6), min_size=1, max_size=12), rows=some.integers(1, 5))
def test_pieces_of_csv_are_the_whole_whatever_is_quoted(tmp_path, cells, rows) -> None:
    frame = pd.DataFrame({"number": [str(number) for number in range(len(cells))], "text": [f"x{c}" for c in cells]})
    frame.to_csv(tmp_path / "table.csv", index=False, quoting=1)
    pieces = pieces_of([tmp_path / "table.csv"], rows)
    assert together(pieces).to_numpy().tolist() == frame.to_numpy().tolist()
    assert sum(piece.count for piece in pieces) == len(cells)


def test_a_folder_is_all_its_tables_by_name(tmp_path) -> None:
    for name in ("b.parquet", "a.parquet"):
        pd.DataFrame({"name": [name]}).to_parquet(tmp_path / name)
    (tmp_path / "_SUCCESS").touch()
    pieces = pieces_of(files_of(tmp_path), 10)
    assert together(pieces)["name"].tolist() == ["a.parquet", "b.parquet"]
    assert [piece.number for piece in pieces] == [0, 1]


@pytest.mark.parametrize("name", ["nothing", "empty", "notes.md"])
def test_what_is_no_table_is_an_error(tmp_path, name) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.md").touch()
    with pytest.raises(InvalidInputError, match=r"there is no table at .*give a \.parquet or \.csv file"):
        files_of(tmp_path / name)


def test_an_id_is_explained_where_it_stands_first(tmp_path) -> None:
    frame = pd.DataFrame({"id": ["a", "b", "a", None, "c", "b", None]})
    frame.to_parquet(tmp_path / "table.parquet")
    pieces = pieces_of([tmp_path / "table.parquet"], 3)
    refused = repeated_ids(pieces, lambda piece: piece.read(csv_frame, ["id"])["id"])
    assert {number: sorted(places) for number, places in refused.items()} == {0: [2], 1: [2]}
    assert "the id 'a' stands in row 1 of" in refused[0][2]

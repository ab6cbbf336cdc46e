"""Pieces of files: read one by one, they are the whole file."""

from functools import partial

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from counterflownet.batch.ids import check_one_type, ids_of, repeated_ids
from counterflownet.batch.pieces import files_of, pieces_of, spread_rows
from counterflownet.batch.table_answers import as_numbered_frame
from counterflownet.cli.csv_table import csv_frame
from counterflownet.errors import InvalidInputError

FEW = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def together(pieces) -> pd.DataFrame:
    read = partial(csv_frame, missing=())
    return pd.concat([as_numbered_frame(piece.read(read)) for piece in pieces], ignore_index=True)


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
    refused = repeated_ids(pieces, lambda piece: ids_of(piece.read(csv_frame), "id"))
    assert {number: sorted(places) for number, places in refused.items()} == {0: [2], 1: [2]}
    assert "the id 'a' stands in row 1 of" in refused[0][2]


def test_ids_are_compared_as_they_are_in_the_file(tmp_path) -> None:
    """Two large numbers that are one floating-point number, in pieces with and without a missing one."""
    ids = pa.array([2**53, None, 2**53 + 1, 2**53])
    pq.write_table(pa.table({"id": ids}), tmp_path / "table.parquet")
    pieces = pieces_of([tmp_path / "table.parquet"], 2)
    refused = repeated_ids(pieces, lambda piece: ids_of(piece.read(csv_frame), "id"))
    assert {number: sorted(places) for number, places in refused.items()} == {1: [1]}


def test_ids_of_two_types_are_an_error_at_the_start(tmp_path) -> None:
    pd.DataFrame({"id": [1]}).to_parquet(tmp_path / "a.parquet")
    pd.DataFrame({"id": ["1"]}).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(InvalidInputError, match=r"of type int64 in '.*a.parquet' and of type string in '.*b.parquet'"):
        check_one_type(files_of(tmp_path), "id")
    (tmp_path / "a.parquet").unlink()
    (tmp_path / "c.csv").write_text("id\n1\n")
    check_one_type(files_of(tmp_path), "id")


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b'a,b\n1,5" pipe\n2,x\n3,6" pipe\n', "3 by its quotes"),
        (b'a,b\n1,x\n2,"y\n3,z\n', "unexpected end of data"),
        (b"a,b\n1,x\n\n2,y\n", "is blank"),
        (b"a,b\r1,x\r2,y\r", "end with a carriage return alone"),
        (b"a,b\n1,x\n2\n", r"from its row 2 on\) cannot be read as CSV: line 2 has 1 fields"),
    ],
    ids=["quotes inside", "a quote left open", "a blank line", "carriage returns", "too few fields"],
)
def test_no_row_of_csv_is_lost_in_silence(tmp_path, content, fault) -> None:
    (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(InvalidInputError, match=fault):
        together(pieces_of([tmp_path / "table.csv"], 1 if b"2\n" in content[-4:] else 10))


def test_blank_lines_at_the_end_of_csv_are_no_rows(tmp_path) -> None:
    (tmp_path / "table.csv").write_bytes(b"a,b\r\n1,x\r\n2,y\r\n\r\n\r\n")
    assert [piece.count for piece in pieces_of([tmp_path / "table.csv"], 1)] == [1, 1]


def test_rows_are_spread_over_all_pieces(tmp_path) -> None:
    pd.DataFrame({"id": range(10)}).to_parquet(tmp_path / "table.parquet")
    pieces = pieces_of([tmp_path / "table.parquet"], 4)
    found = [(piece.number, place) for piece, place in spread_rows(pieces, 5)]
    assert found == [
        (0, 0),
        (0, 2),
        (1, 0),
        (1, 2),
        (2, 0),
    ]
    assert len(list(spread_rows(pieces, 99))) == 10
    assert list(spread_rows([], 5)) == []

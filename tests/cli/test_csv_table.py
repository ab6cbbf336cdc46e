"""CSV is read as it was meant, or not at all."""

import csv

import numpy as np
import pandas as pd
import pytest

from counterflownet.cli.csv_table import CHUNK, csv_frame
from counterflownet.errors import InvalidInputError


def read(text: str, *missing: str) -> pd.DataFrame:
    return csv_frame(text.encode(), "the file", missing or ("NA",))


def cells(frame: pd.DataFrame) -> list[list[str | None]]:
    return frame.astype(object).where(frame.notna(), None).to_numpy().tolist()


@pytest.mark.parametrize(
    "text", ["a,b\n1,x\n2,y\n", "a;b\r\n1;x\r\n2;y", "a\tb\r1\tx\r2\ty\r", '\ufeffa, b\n1, "x"\n2,y\n\n\n']
)
def test_separators_line_ends_and_a_byte_order_mark_are_recognised(text):
    frame = read(text)
    assert list(frame.columns) == ["a", "b"]
    assert cells(frame) == [["1", "x"], ["2", "y"]]


@pytest.mark.parametrize(
    ("text", "names", "row"),
    [
        ('"a, b";"c, d"\n"1, 2";"3, 4"\n', ["a, b", "c, d"], ["1, 2", "3, 4"]),
        ('"a\n;b;c",d\n1,2\n', ["a\n;b;c", "d"], ["1", "2"]),
        ('"a ""x"", y";b\n1;2\n', ['a "x", y', "b"], ["1", "2"]),
        ("size, cm;name\n1,5;bob\n2;eve\n", ["size, cm", "name"], ["1,5", "bob"]),
        ("a|b\n1|2\n", ["a|b"], ["1|2"]),
    ],
)
def test_a_separator_in_quotes_or_in_a_name_separates_nothing(text, names, row):
    frame = read(text)
    assert list(frame.columns) == names
    assert cells(frame)[0] == row


def test_only_empty_cells_and_na_are_missing():
    words = ["None", "null", "n/a", "nan", "NaN", "N/A", "NULL", "#N/A", "-", "na", "<NA>", "inf"]
    frame = read("word,number\n" + "".join(f"{word},1\n" for word in words) + 'NA,2\n,3\n"",4\n')
    assert frame["word"].dropna().tolist() == words
    assert frame["word"].isna().sum() == 3


def test_other_words_for_missing_values_are_an_option():
    assert cells(read("a,b\nnull,NA\nn/a,1\n", "null", "n/a")) == [[None, "NA"], [None, "1"]]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a,b\n1,2,3\n4,5,6\n", "line 2 has 3 fields, but the first line names 2 columns"),
        ("a,b\n1,2\n3,4,\n", "line 3 has 3 fields"),
        ("a,b,c\n1,2,3\n4,5\n", "line 3 has 2 fields"),
        ("a,b\n1,2\n\n3,4\n", "line 3 is blank"),
        ("a\n1\n\n2\n", "line 3 is blank"),
        ("\na,b\n1,2\n", "has no name for column"),
        ("a,b,a\n1,2,3\n", "several columns named 'a'"),
        ("a,b,\n1,2,\n", "no name for column 3"),
        (",a\n0,1\n", "to_csv(index=False)"),
        ('a,b\n1,"2\n', "unexpected end of data in line 2"),
        ('a,b\n1,"2"x\n', "expected after '\"' in line 2"),
        ("a,b\n1,x\0y\n", "NUL character in line 2"),
        ("\ufeff\ufeffa,b\n1,2\n", "byte order mark"),
        ("price, EUR;name\n1,5;bob\n", "could be separated by ',', ';'"),
        ("a,b;c\n1\n", "line 2 has 1 fields"),
        (" \n", "is empty"),
        ("a,b\n1," + "x" * 200_000 + "\n", "field larger than field limit"),
    ],
)
def test_what_could_be_misread_is_an_error(text, part):
    with pytest.raises(InvalidInputError) as error:
        read(text)
    assert part in str(error.value)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_other_encodings_are_refused(encoding):
    with pytest.raises(InvalidInputError, match="Save it as CSV in UTF-8"):
        csv_frame("größe,b\n1,2\n".encode(encoding), "the file")


def test_many_rows_are_read_in_their_order():
    numbers = np.arange(CHUNK + 3).astype(str).tolist()
    assert read("a,b\n" + "".join(f"{number},x\n" for number in numbers))["a"].tolist() == numbers


def test_a_header_alone_is_a_table_without_rows():
    assert read("a,b\n").shape == (0, 2)


def test_a_limit_that_others_have_raised_is_not_ours() -> None:
    before = csv.field_size_limit(10_000_000)
    try:
        with pytest.raises(InvalidInputError, match="field larger than field limit"):
            csv_frame(b"a,b\n1," + b"x" * 200_000 + b"\n", "'table.csv'")
    finally:
        csv.field_size_limit(before)

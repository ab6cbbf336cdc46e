"""A date is the same date in every form, in training, in a query and in a constraint."""

from datetime import date, datetime, timezone

import numpy as np
import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import NotOneOf, OneOf, Range
from counterflownet.tabular.schema import Schema
from made_states import states

DAYS = [date(2020, 1, day) for day in (1, 2, 3)]
FORMS = {
    "date": lambda day: day,
    "datetime": lambda day: datetime(day.year, day.month, day.day),  # noqa: DTZ001
    "Timestamp": pd.Timestamp,
    "datetime64": lambda day: np.datetime64(day, "ns"),
}
every_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def table(form, dtype=object) -> pd.DataFrame:
    return pd.DataFrame({"d": pd.Series([form(day) for day in DAYS], dtype=dtype)})


def compiled(schema, rows, constraint):
    return CheckedConstraints.of(schema, [constraint]).compiled(Codec(schema, rows))


@every_form
@pytest.mark.parametrize("trained", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("kind", ["date", "categorical"])
@pytest.mark.parametrize("named", FORMS.values(), ids=FORMS)
def test_listed_dates_hold_of_every_form(form, trained, kind, named):
    schema = Schema.infer(table(trained), kinds={"d": kind})
    excluded = compiled(schema, table(form), NotOneOf("d", [named(DAYS[1])]))
    wanted = compiled(schema, table(form), OneOf("d", [named(DAYS[1])]))
    assert excluded.allowed.required[:, 0].tolist() == [False, True, False]
    assert wanted.allowed.required[:, 0].tolist() == [True, False, True]
    assert not excluded.contradictions
    assert not wanted.contradictions


@every_form
def test_a_column_gets_new_dates_in_its_own_form(form):
    codec = Codec(Schema.infer(table(pd.Timestamp, "datetime64[us]")), table(form))
    found = codec.decode(states([0, 1], [[2], [1]], [[True], [False]]))["d"]
    same = [date, date] if form is FORMS["date"] else [pd.Timestamp, type(form(DAYS[1]))]
    assert [type(value) for value in found] == same
    assert [pd.Timestamp(value).date() for value in found] == [DAYS[2], DAYS[1]]


@pytest.mark.parametrize("dtype", ["date32[day][pyarrow]", "timestamp[us][pyarrow]", "datetime64[s]"])
@every_form
def test_a_type_of_dates_is_kept_whatever_the_form_in_training(form, dtype):
    pytest.importorskip("pyarrow")
    rows = table(FORMS["Timestamp"]).astype("datetime64[us]").astype(dtype)
    rows.loc[1, "d"] = None
    found = Codec(Schema.infer(table(form)), rows).decode(states([0, 1], [[2], [1]], [[True], [False]]))["d"]
    assert found.dtype == rows["d"].dtype
    assert pd.Timestamp(found[0]).date() == DAYS[2]
    assert pd.isna(found[1])


def test_a_time_zone_inside_an_arrow_type_is_seen():
    pytest.importorskip("pyarrow")
    rows = table(pd.Timestamp).astype("datetime64[us, UTC]").astype("timestamp[us, tz=UTC][pyarrow]")
    schema = Schema.infer(rows)
    assert str(schema["d"].zone) == "UTC"
    found = Codec(schema, rows).decode(states([0], [[2]], [[True]]))["d"]
    assert found.dtype == rows["d"].dtype


def test_a_column_of_missing_dates_gets_the_form_of_training():
    rows = pd.DataFrame({"d": pd.Series([None], dtype=object)})
    found = Codec(Schema.infer(table(FORMS["date"])), rows).decode(states([0], [[2]], [[True]]))["d"]
    assert found.tolist() == [DAYS[2]]
    assert type(found[0]) is date


@every_form
def test_the_form_of_dates_is_saved_with_the_schema(form):
    schema = Schema.infer(table(form))
    again = Schema.from_json(schema.to_json())
    assert [repr(value) for value in again["d"].values] == [repr(value) for value in schema["d"].values]


def test_dates_among_words_are_one_category_in_every_form():
    words = pd.DataFrame({"d": pd.Series([DAYS[0], pd.Timestamp(DAYS[0]), "never"], dtype=object)})
    schema = Schema.infer(words)
    assert schema["d"].values == (DAYS[0], "never")
    assert Codec(schema, words).codes.ravel().tolist() == [0, 0, 1]


def test_objects_with_a_time_zone_are_not_compared_with_those_that_have_none():
    aware = pd.DataFrame({"d": pd.Series([datetime(2020, 1, 1, tzinfo=timezone.utc)], dtype=object)})  # noqa: UP017
    with pytest.raises(InvalidInputError, match="'d' have a time zone, unlike those in training"):
        Codec(Schema.infer(table(FORMS["date"])), aware)


def test_text_with_offsets_is_no_date_and_the_error_says_how_to_convert_it():
    text = pd.DataFrame({"d": ["2020-01-01T00:00:00+01:00", "2020-01-02T00:00:00+02:00"]})
    with pytest.raises(InvalidInputError, match=r"pd\.to_datetime \(utc=True if the offsets from UTC differ\)"):
        Schema.infer(text, kinds={"d": "date"})


def test_plain_dates_have_an_order():
    allowance = compiled(Schema.infer(table(FORMS["date"])), table(FORMS["date"]), Range("d", DAYS[1], None))
    assert allowance.allowed.required[:, 0].tolist() == [True, False, False]

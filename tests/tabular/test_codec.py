import numpy as np
import pandas as pd
import pytest
from column_strategies import DTYPES, EPOCH, columns, frames, frames_of_any_types, identical
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.feature import FEW_CELLS
from counterflownet.tabular.schema import Schema
from made_states import states

OF_ONE_KIND = [dtype for dtype in DTYPES if dtype != "object"]  # a column of numbers refuses text
FEW_BINS = st.fixed_dictionaries(
    {
        "count": st.integers(1, 4),
        "strategy": st.sampled_from(["uniform", "quantile"]),
        "decode": st.sampled_from(["nearest", "centre"]),
        "distinct": st.booleans(),
    }
)


def unedited(codec: Codec, row: np.ndarray) -> pd.DataFrame:
    codes = codec.codes[row]
    return codec.decode(states(row, codes, np.zeros(codes.shape, dtype=bool)))


def edited_everywhere(codec: Codec, row: np.ndarray, codes: np.ndarray) -> pd.DataFrame:
    return codec.decode(states(row, codes, np.ones(codes.shape, dtype=bool)))


def random_codes(data: st.DataObject, schema: Schema, size: int) -> np.ndarray:
    one_row = st.tuples(*[st.integers(0, count - 1) for count in schema.space.code_counts])
    return np.array(data.draw(st.lists(one_row, min_size=size, max_size=size)), dtype=np.int64)


@settings(deadline=None, max_examples=60)
@given(frames_of_any_types(), st.data())
def test_cells_that_were_not_edited_come_back_bit_for_bit(X, data):
    row = np.array(data.draw(st.lists(st.integers(0, len(X) - 1), max_size=6)), dtype=np.int64)
    found = unedited(Codec(Schema.infer(X), X), row)
    expected = X.iloc[row].reset_index(drop=True)
    assert list(found.columns) == list(X.columns)
    assert all(identical(found[name], expected[name]) for name in X.columns)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(OF_ONE_KIND), min_size=1, max_size=3), st.data())
def test_rows_with_values_never_seen_in_training_come_back_bit_for_bit(dtypes, data):
    X, query = data.draw(frames(dtypes, 4)), data.draw(frames(dtypes, 3))
    found = unedited(Codec(Schema.infer(X, bins=Bins(**data.draw(FEW_BINS))), query), np.arange(3))
    assert all(identical(found[name], query[name]) for name in X.columns)


@settings(deadline=None, max_examples=60)
@given(frames_of_any_types(), FEW_BINS, st.data())
def test_an_edited_cell_holds_the_value_of_its_code(X, bins, data):
    schema = Schema.infer(X, bins=Bins(**bins))
    codes = random_codes(data, schema, len(X))
    found = edited_everywhere(Codec(schema, X), np.arange(len(X)), codes)
    for d, feature in enumerate(schema):
        assert found[feature.name].tolist() == [feature.values[code] for code in codes[:, d]]
        assert found[feature.name].dtype == X[feature.name].dtype


@settings(deadline=None, max_examples=60)
@given(frames_of_any_types(), FEW_BINS, st.data())
def test_an_edited_cell_encodes_to_its_code_again(X, bins, data):
    schema = Schema.infer(X, bins=Bins(**bins))
    codes = random_codes(data, schema, len(X))
    found = edited_everywhere(Codec(schema, X), np.arange(len(X)), codes)
    assert (Codec(schema, found).codes == codes).all()


@settings(deadline=None, max_examples=60)
@given(frames_of_any_types(), FEW_BINS, st.data())
def test_only_the_edited_cells_change(X, bins, data):
    schema = Schema.infer(X, bins=Bins(**bins))
    row = np.arange(len(X))
    codes = random_codes(data, schema, len(X))
    edited = np.array(data.draw(st.lists(st.booleans(), min_size=codes.size, max_size=codes.size))).reshape(codes.shape)
    found = Codec(schema, X).decode(states(row, codes, edited))
    for d, name in enumerate(X.columns):
        assert identical(found[name][~edited[:, d]], X[name][~edited[:, d]])
        assert found[name][edited[:, d]].notna().all()


@settings(deadline=None, max_examples=50)
@given(frames_of_any_types(), FEW_BINS, st.randoms())
def test_codes_do_not_depend_on_the_order_of_rows(X, bins, random):
    order = random.sample(range(len(X)), len(X))
    shuffled = X.iloc[order]
    here = Codec(Schema.infer(X, bins=Bins(**bins)), X).codes
    there = Codec(Schema.infer(shuffled, bins=Bins(**bins)), shuffled).codes
    assert (here[order] == there).all()


@settings(deadline=None)
@given(columns("Int64", 5) | columns("float32", 5) | columns("object", 5))
def test_missing_values_have_a_code_of_their_own(column):
    (feature,) = schema = Schema.infer(column.to_frame("x"))
    codes = Codec(schema, column.to_frame("x")).codes[:, 0]
    assert ((codes == feature.missing_code) == column.isna()).all()


def test_a_category_never_seen_has_a_code_of_its_own():
    (feature,) = schema = Schema.infer(pd.DataFrame({"x": ["a", "b"]}))
    assert Codec(schema, pd.DataFrame({"x": ["c", "b"]})).codes.tolist() == [[feature.unseen_code], [1]]


def test_numbers_out_of_range_belong_to_the_outermost_bins():
    schema = Schema.infer(pd.DataFrame({"x": [0.0, 1.0, 2.5]}))
    assert Codec(schema, pd.DataFrame({"x": [-99.0, 99.0]})).codes.tolist() == [[0], [2]]


@pytest.mark.parametrize("value", ["a", 1, 1.5, True, EPOCH, pd.Timestamp("2020-01-01", tz="UTC")], ids=repr)
@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT], ids=repr)
def test_a_column_of_objects_stays_one_whatever_it_holds(value, missing):
    X = pd.DataFrame({"x": pd.Series([value, missing], dtype=object)})
    assert identical(unedited(Codec(Schema.infer(X), X), np.arange(2))["x"], X["x"])


def test_columns_may_be_called_by_numbers():
    X = pd.DataFrame([[1, "a"], [2, "b"]])
    found = unedited(Codec(Schema.infer(X), X), np.array([1, 0]))
    assert found.columns.tolist() == [0, 1]
    assert found.to_numpy().tolist() == [[2, "b"], [1, "a"]]


def test_a_narrower_type_of_the_rows_is_widened_rather_than_given_another_value():
    schema = Schema.infer(pd.DataFrame({"x": [1, 300]}))
    rows = pd.DataFrame({"x": pd.Series([1], dtype="int8")})
    found = edited_everywhere(Codec(schema, rows), np.array([0]), np.array([[1]]))
    assert found["x"].tolist() == [300]


def test_a_fraction_is_not_cut_off_to_fit_rows_of_whole_numbers():
    rows = pd.DataFrame({"x": [1, 2]})
    codec = Codec(Schema.infer(pd.DataFrame({"x": [0.5, 1.5]})), rows)
    assert edited_everywhere(codec, np.arange(2), np.array([[0], [1]]))["x"].tolist() == [0.5, 1.5]


def test_whole_numbers_that_floats_cannot_tell_apart_are_refused_in_rows_too():
    schema = Schema.infer(pd.DataFrame({"x": [0.5, 1.5]}))
    with pytest.raises(InvalidInputError, match=r"'x' holds 1152921504606846977: whole numbers from 2\*\*53 on"):
        Codec(schema, pd.DataFrame({"x": [2**60 + 1]}))


def test_large_whole_numbers_stay_exact_beside_categories_that_are_fractions():
    schema = Schema.infer(pd.DataFrame({"x": [0.5, 1.5]}), kinds={"x": "categorical"})
    rows = pd.DataFrame({"x": [2**60 + 1]})
    assert unedited(Codec(schema, rows), np.array([0]))["x"].tolist() == [2**60 + 1]


def test_a_column_of_whole_numbers_stays_one_though_it_is_treated_as_continuous():
    X = pd.DataFrame({"x": [1, 5, 9, 100, 1000]})
    bins = Bins(count=3, strategy="uniform", decode="centre", distinct=False)
    schema = Schema.infer(X, kinds={"x": "continuous"}, bins=bins)
    found = Codec(schema, X).decode(states([0, 1], [[2], [2]], [[True], [False]]))["x"]
    assert found.dtype == X["x"].dtype
    assert found.tolist() == [834, 5]


def test_rows_with_fewer_ordered_categories_get_the_others_in_order():
    X = pd.DataFrame({"x": pd.Categorical(["low", "mid", "high"], ["low", "mid", "high"], ordered=True)})
    rows = pd.DataFrame({"x": pd.Categorical(["high"], ["low", "high"], ordered=True)})
    found = edited_everywhere(Codec(Schema.infer(X), rows), np.array([0]), np.array([[1]]))
    assert found["x"].dtype == X["x"].dtype
    assert found["x"].tolist() == ["mid"]


def test_a_category_the_schema_does_not_know_keeps_its_place_in_the_type():
    rows = pd.DataFrame({"x": pd.Categorical(["new"], ["new", "a"])})
    schema = Schema.infer(pd.DataFrame({"x": pd.Categorical(["a", "b"])}))
    found = unedited(Codec(schema, rows), np.array([0]))
    assert found["x"].tolist() == ["new"]
    assert found["x"].cat.categories.tolist() == ["new", "a", "b"]


def test_five_thousand_categories_are_told_apart():
    X = pd.DataFrame({"x": pd.Categorical([f"c{number}" for number in range(5_000)])})
    codec = Codec(Schema.infer(X, kinds={"x": "categorical"}), X)
    assert len(np.unique(codec.codes)) == 5_000
    assert identical(unedited(codec, np.arange(5_000))["x"], X["x"])


def test_no_state_decodes_to_no_row():
    X = pd.DataFrame({"x": [1, 2], "y": ["a", "b"]})
    found = unedited(Codec(Schema.infer(X), X), np.array([], dtype=np.int64))
    assert found.shape == (0, 2)
    assert (found.dtypes == X.dtypes).all()


def test_no_rows_have_no_codes():
    X = pd.DataFrame({"x": [1, 2], "y": ["a", "b"]})
    assert Codec(Schema.infer(X), X.iloc[:0]).codes.shape == (0, 2)


def test_factuals_are_repeated_as_they_were_given():
    X = pd.DataFrame({"x": [1, 2]}, index=["p", "q"])
    assert unedited(Codec(Schema.infer(X), X), np.array([1, 1, 0]))["x"].tolist() == [2, 2, 1]


def test_text_in_a_column_of_numbers_is_named():
    schema = Schema.infer(pd.DataFrame({"age": [1, 2]}))
    with pytest.raises(InvalidInputError, match=r"'age' must hold finite numbers; got 'x'.*pd\.to_numeric"):
        Codec(schema, pd.DataFrame({"age": [1, "x"]}))


@pytest.mark.parametrize("given", [1, "2020-01-02"])
def test_numbers_and_text_in_a_column_of_dates_are_refused(given):
    schema = Schema.infer(pd.DataFrame({"day": pd.to_datetime(["2020-01-01"])}))
    with pytest.raises(InvalidInputError, match=rf"'day' must hold dates; got {given!r}.*pd\.to_datetime"):
        Codec(schema, pd.DataFrame({"day": [given]}))


@pytest.mark.parametrize(("here", "there"), [(None, "UTC"), ("Europe/Berlin", None)])
def test_dates_with_and_without_a_time_zone_are_not_compared(here, there):
    train, rows = (pd.DataFrame({"day": pd.date_range("2020-01-01", periods=2, tz=zone)}) for zone in (here, there))
    with pytest.raises(
        InvalidInputError, match=r"'day' (have|lack) a time zone, unlike those in training.*tz_localize"
    ):
        Codec(Schema.infer(train), rows)


def test_dates_of_another_time_zone_are_the_same_moments():
    train = pd.DataFrame({"day": pd.date_range("2020-01-01", periods=2, tz="Europe/Berlin")})
    rows = train.assign(day=train["day"].dt.tz_convert("Asia/Tokyo"))
    codec = Codec(Schema.infer(train), rows)
    assert codec.codes.tolist() == [[0], [1]]
    assert identical(unedited(codec, np.arange(2))["day"], rows["day"])


def test_lists_in_a_column_of_categories_are_refused():
    schema = Schema.infer(pd.DataFrame({"x": ["a", "b"]}))
    with pytest.raises(InvalidInputError, match="'x' must hold single values"):
        Codec(schema, pd.DataFrame({"x": [["a"]]}))


def test_offsets_say_where_in_its_bin_a_number_lies() -> None:
    table = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "word": list("abcab")})
    schema = Schema.infer(table, bins=Bins(count=2, strategy="uniform", distinct=False))
    rows = pd.DataFrame({"x": [0.0, 1.0, 1.5, 4.0, 9.0, np.nan], "word": list("abcabz")})
    offsets = Codec(schema, rows).offsets
    assert offsets[:, 0].tolist() == [-1.0, 0.0, 0.5, 1.0, 1.0, 0.0]
    assert (offsets[:, 1] == 0).all()


@pytest.mark.parametrize("dtype", [object, "str", "category"])
def test_few_cells_are_looked_up_as_many_are(dtype):
    given = pd.Series(["b", None, "never seen", "a"], name="x").astype(dtype)
    (feature,) = Schema.infer(pd.DataFrame({"x": ["a", "b", "c"] * 4}))
    many = pd.concat([given] * FEW_CELLS, ignore_index=True)
    assert feature.encode(given).tolist() == [1, feature.missing_code, feature.unseen_code, 0]
    assert feature.encode(many).tolist() == feature.encode(given).tolist() * FEW_CELLS

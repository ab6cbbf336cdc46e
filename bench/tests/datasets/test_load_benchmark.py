import json
from hashlib import sha256

import pytest
from pandas.testing import assert_frame_equal

from counterflownet.errors import InvalidInputError
from counterflownet_bench.datasets import CARDS, MissingDataError, load_benchmark
from counterflownet_bench.datasets.folder import DATA_VARIABLE

MISSING = [name for name, card in CARDS.items() if not card.bundled]
pytestmark = pytest.mark.usefixtures("without_data_folder")

ADMISSION = "GRE Score,TOEFL Score,University Rating,SOP,LOR,CGPA,Research,Chance of Admit\n"
ROWS = "311,111,2,4.5,2.5,9.15,1,1\n299,99,4,4.0,4.5,8.05,1,0\n"


@pytest.fixture
def data(tmp_path):
    """A folder of a user's with two rows of admission in each part."""
    folder = tmp_path / "graduate_admission"
    folder.mkdir()
    for part in ("train.csv", "test.csv"):
        (folder / part).write_text(ADMISSION + ROWS, encoding="utf-8")
    return tmp_path


def describe(data, part: str, digest: str) -> None:
    text = json.dumps({"files": {part: {"sha256": digest}}})
    (data / "graduate_admission" / "dataset.json").write_text(text, encoding="utf-8")


def test_features_and_target_come_apart():
    data = load_benchmark("german_credit")
    assert list(data.X_train.columns) == list(data.X_test.columns) == list(data.card.features)
    assert data.y_train.name == data.y_test.name == "target"
    assert (len(data.X_train), len(data.y_test)) == (800, 200)


def test_its_repr_does_not_print_rows():
    text = repr(load_benchmark("german_credit"))
    assert text.startswith("BenchmarkData(card=DatasetCard(name='german_credit'")
    assert text.endswith("origin='bundled')")
    assert len(text) < 1000


def test_an_unknown_name_is_an_error_with_a_guess():
    with pytest.raises(InvalidInputError, match=r"unknown data set 'german'.*'german_credit'.*lending_club"):
        load_benchmark("german")


@pytest.mark.parametrize("name", MISSING)
def test_what_is_not_bundled_is_an_error_that_says_where_to_get_it_and_what_to_do(name):
    with pytest.raises(MissingDataError) as error:
        load_benchmark(name)
    text, card = str(error.value), CARDS[name]
    assert f"{name} does not come with the library (licence: {card.licence})" in text
    assert f"{card.published.train_address} as DATA/{name}/train.csv" in text
    assert f"{card.published.test_address} as DATA/{name}/test.csv" in text
    assert card.source in text
    assert f"pass DATA as data, or set {DATA_VARIABLE}=DATA" in text


def test_the_error_for_admission_names_the_rows_that_are_bundled():
    with pytest.raises(MissingDataError, match="To try without it: graduate_admission_400"):
        load_benchmark("graduate_admission")


def test_the_error_says_where_it_was_looked_for(tmp_path):
    with pytest.raises(MissingDataError) as error:
        load_benchmark("lending_club", data=tmp_path)
    assert f"no folder lending_club in {tmp_path}" in str(error.value)


def test_a_folder_is_read_before_the_bundle(data):
    found = load_benchmark("graduate_admission", data=data)
    assert found.origin == str(data / "graduate_admission")
    assert found.X_train["GRE Score"].tolist() == [311, 299]
    assert found.y_test.tolist() == [1, 0]
    assert not found.as_published()


def test_the_environment_names_a_folder_too(data, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, str(data))
    assert len(load_benchmark("graduate_admission").train) == 2


def test_the_folder_given_comes_before_that_of_the_environment(data, tmp_path_factory, monkeypatch):
    other = tmp_path_factory.mktemp("other")
    (other / "graduate_admission").mkdir()
    monkeypatch.setenv(DATA_VARIABLE, str(other))
    assert load_benchmark("graduate_admission", data=str(data)).origin.startswith(str(data))


def test_a_folder_without_the_data_set_leaves_the_bundle(data):
    assert load_benchmark("student_performance", data=data).origin == "bundled"


@pytest.mark.parametrize("origin", ["data", DATA_VARIABLE])
def test_a_folder_that_does_not_exist_is_an_error(origin, tmp_path, monkeypatch):
    nowhere = tmp_path / "nowhere"
    if origin == DATA_VARIABLE:
        monkeypatch.setenv(DATA_VARIABLE, str(nowhere))
    with pytest.raises(InvalidInputError, match=rf"^{origin} must name a folder.*nowhere"):
        load_benchmark("german_credit", data=nowhere if origin == "data" else None)


def test_a_missing_part_is_an_error(data):
    (data / "graduate_admission" / "test.csv").unlink()
    with pytest.raises(InvalidInputError, match=r"must hold train\.csv, test\.csv; test\.csv is not there"):
        load_benchmark("graduate_admission", data=data)


def test_a_file_with_the_described_digest_is_read(data):
    describe(data, "train.csv", sha256((ADMISSION + ROWS).encode()).hexdigest())
    assert len(load_benchmark("graduate_admission", data=data).train) == 2


@pytest.mark.parametrize("part", ["train.csv", "test.csv"])
def test_a_file_with_another_digest_than_described_is_an_error(data, part):
    describe(data, part, "0" * 64)
    with pytest.raises(InvalidInputError, match=rf"{part}' is not the file that dataset\.json beside it describes"):
        load_benchmark("graduate_admission", data=data)


@pytest.mark.parametrize("text", ["no json", "[]", '{"files": 3}', '{"files": {"train.csv": 3}}'])
def test_a_description_that_is_none_is_an_error(data, text):
    (data / "graduate_admission" / "dataset.json").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is no description of files"):
        load_benchmark("graduate_admission", data=data)


def test_blanks_around_names_do_not_matter(data):
    expected = load_benchmark("graduate_admission", data=data)
    text = (ADMISSION + ROWS).replace("LOR", "LOR ")
    (data / "graduate_admission" / "train.csv").write_text(text, encoding="utf-8")
    assert_frame_equal(load_benchmark("graduate_admission", data=data).train, expected.train)


def test_blanks_before_values_do_not_matter(tmp_path):
    (tmp_path / "lending_club").mkdir()
    header = ",".join([*CARDS["lending_club"].features, "loan_status"])
    for part in ("train.csv", "test.csv"):
        text = f"{header}\n9, 36 months,18.9,391,E, 2 years,RENT,42,31,0,760,764,Fully Paid\n"
        (tmp_path / "lending_club" / part).write_text(text, encoding="utf-8")
    row = load_benchmark("lending_club", data=tmp_path).train.iloc[0]
    assert (row["term"], row["emp_length"]) == ("36 months", "2 years")


def test_other_columns_are_an_error_that_names_them(data):
    (data / "graduate_admission" / "train.csv").write_text((ADMISSION + ROWS).replace("CGPA", "GPA"), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"Missing: CGPA; not expected: GPA\."):
        load_benchmark("graduate_admission", data=data)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("9.15,1,1", "9.15,1,2", r"'Chance of Admit' of .* holds 2; graduate_admission has 0, 1"),
        ("311,111,2,4.5", "311,111,2,4.7", r"'SOP' of .* holds 4\.7; graduate_admission has 1\.0, 1\.5"),
        ("8.05", "", r"'CGPA' of .* must hold numbers only, and none may be missing"),
        ("8.05", "high", r"'CGPA' of .* must hold numbers only"),
    ],
)
def test_strange_values_are_an_error(data, old, new, message):
    (data / "graduate_admission" / "test.csv").write_text(ADMISSION + ROWS.replace(old, new), encoding="utf-8")
    with pytest.raises(InvalidInputError, match=message):
        load_benchmark("graduate_admission", data=data)


@pytest.mark.parametrize("name", MISSING)
def test_the_published_files_of_what_is_not_bundled_are_read_as_they_are(name, published_folder):
    data = load_benchmark(name, data=published_folder)
    assert data.as_published()
    assert data.origin == str(published_folder / name)

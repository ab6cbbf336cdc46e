import sys
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from zipfile import ZipFile

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_datasets.py"


@pytest.fixture(scope="module")
def script():
    spec = spec_from_file_location("build_datasets", SCRIPT)
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SCRIPT.parent))
        patch.setitem(sys.modules, "build_datasets", module)  # dataclasses look their own module up
        spec.loader.exec_module(module)
    return module


def test_committed_files_are_what_the_script_says_it_builds(script):
    for table in script.TABLES:
        text = script.unpacked(table.path)
        assert sha256(text.encode("ascii")).hexdigest() == table.sha256


def test_there_is_no_bundled_table_that_the_script_does_not_build(script):
    folders = (script.LIBRARY_FILES, script.BENCH_FILES)
    assert {path for folder in folders for path in folder.glob("*.csv*")} == {table.path for table in script.TABLES}


def test_all_bundled_files_together_are_small(script):
    assert sum(table.path.stat().st_size for table in script.TABLES) < 2_000_000


def test_adult_loses_blanks_dots_and_two_columns(script):
    data = "39, State-gov, 77516, Bachelors, 13, Never-married, ?, Wife, White, Male, 2174, 0, 40, Cuba, <=50K\n\n"
    test = "|1x3 Cross validator\n25, Private, 1, 11th, 7, Divorced, Sales, Wife, Black, Male, 0, 0, 4, ?, >50K.\n\n"
    header, *rows = script.csv_text(script.adult(data, test)).splitlines()
    assert header.startswith("age,workclass,education,marital-status,occupation")
    assert rows == [
        "39,State-gov,Bachelors,Never-married,?,Wife,White,Male,2174,0,40,Cuba,<=50K",
        "25,Private,11th,Divorced,Sales,Wife,Black,Male,0,0,4,?,>50K",
    ]


def test_bank_loses_divorced_people(script):
    text = '"age";"marital";"y"\n58;"married";"no"\n44;"divorced";"yes"\n33;"single";"yes"\n'
    assert script.csv_text(script.bank(text)) == "age,marital,y\n58,married,no\n33,single,yes\n"


def test_default_loses_its_row_numbers_and_writes_whole_amounts(script):
    text = "ID,LIMIT_BAL,default.payment.next.month\n1,20000.0,1\n2,-50.0,0\n"
    assert script.csv_text(script.default(text)) == "LIMIT_BAL,default payment next month\n20000,1\n-50,0\n"


def test_an_amount_that_is_not_whole_is_an_error(script):
    with pytest.raises(ValueError, match="invalid literal"):
        list(script.default("ID,LIMIT_BAL\n1,20000.5\n"))


def test_admission_loses_its_row_numbers_and_blanks_in_names(script):
    text = "Serial No.,LOR ,Chance of Admit \n1,4.5,0.92\n"
    assert script.csv_text(script.admission(text)) == "LOR,Chance of Admit\n4.5,0.92\n"


def test_columns_are_selected_in_the_order_asked_for(script):
    rows = sys.modules[script.german_credit.__module__]
    assert rows.selected([["a", "b", "c"], ["1", "2", "3"]], ["c", "a"]) == [["c", "a"], ["3", "1"]]


def test_a_code_of_german_credit_without_a_meaning_is_an_error(script):
    line = "A11 6 A34 A43 1169 A65 A75 4 A93 A101 4 A121 67 A143 A152 2 A173 1 A192 A201 1"
    assert script.csv_text(script.german_credit(line)).splitlines()[1].startswith("< 0 DM,6,critical")
    with pytest.raises(KeyError, match="A99"):
        list(script.german_credit(line.replace("A93", "A99")))


def test_packing_gives_the_same_bytes_each_time_and_unpacks_to_the_text(script, tmp_path):
    packed = script.packed("table.csv.xz", "a,b\n1,2\n")
    assert packed == script.packed("table.csv.xz", "a,b\n1,2\n")
    (tmp_path / "table.csv.xz").write_bytes(packed)
    assert script.unpacked(tmp_path / "table.csv.xz") == "a,b\n1,2\n"


@pytest.fixture
def table(script, tmp_path):
    """A small table whose wheel lies where the script would have downloaded it."""
    (tmp_path / "pack==1").mkdir()
    with ZipFile(tmp_path / "pack==1" / "pack-1.whl", "w") as wheel:
        wheel.writestr("pack/data.csv", "No,a\n1,5\n")
    source = script.Source("pack==1", "pack/data.csv", sha256(b"No,a\n1,5\n").hexdigest())
    return script.Table("small.csv.xz", (source,), script.admission, sha256(b"a\n5\n").hexdigest(), tmp_path / "files")


def test_checking_fails_on_what_is_not_there_and_passes_after_writing(script, table, tmp_path):
    with pytest.raises(SystemExit, match=r"differs from what its source gives"):
        script.settle(table, tmp_path, check=True)
    script.settle(table, tmp_path, check=False)
    script.settle(table, tmp_path, check=True)
    assert script.unpacked(tmp_path / "files" / "small.csv.xz") == "a\n5\n"


def test_another_source_than_expected_stops_the_script(script, table, tmp_path):
    other = script.Source("pack==1", "pack/data.csv", "0" * 64)
    with pytest.raises(SystemExit, match=r"data\.csv of pack==1 is not the file that this script was written for"):
        script.build(script.Table(table.file, (other,), table.rows, table.sha256), tmp_path)


def test_another_result_than_expected_stops_the_script(script, table, tmp_path):
    with pytest.raises(SystemExit, match=r"small\.csv\.xz came out otherwise than expected"):
        script.build(script.Table(table.file, table.sources, table.rows, "0" * 64), tmp_path)

import json
from importlib.resources import files

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from counterflownet_bench.datasets import CARDS, load_benchmark
from counterflownet_bench.datasets.splits import SPLITS, bundled_split

PUBLISHED = [name for name in SPLITS if not CARDS[name].stand_in_for]


def test_there_is_a_split_for_every_bundled_data_set_and_for_no_other():
    assert set(SPLITS) == {name for name, card in CARDS.items() if card.bundled}


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.usefixtures("without_data_folder")
def test_the_bundle_gives_the_published_rows_to_the_last_digit(name):
    data = load_benchmark(name)
    assert data.origin == "bundled"
    assert data.as_published()


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_bundle_gives_the_published_files_row_for_row(name, published_folder):
    for built, part in zip(bundled_split(CARDS[name]), ("train", "test"), strict=True):
        assert_frame_equal(built, pd.read_csv(published_folder / name / f"{part}.csv"), check_exact=True)


def test_the_bundled_admission_rows_are_the_published_training_rows(published_folder):
    parts = bundled_split(CARDS["graduate_admission_400"])
    built = pd.concat(parts, ignore_index=True)
    assert_frame_equal(built, pd.read_csv(published_folder / "graduate_admission" / "train.csv"), check_exact=True)


@pytest.mark.parametrize("name", PUBLISHED)
def test_class_counts_are_the_published_ones(name, published_folder):
    facts = json.loads((published_folder / name / "dataset.json").read_text(encoding="utf-8"))["files"]
    for built, part in zip(bundled_split(CARDS[name]), ("train.csv", "test.csv"), strict=True):
        counts = built[CARDS[name].target].value_counts().to_dict()
        assert {str(value): count for value, count in counts.items()} == facts[part]["class_counts"]


@pytest.mark.usefixtures("without_data_folder")
def test_drawing_a_split_twice_gives_the_same_rows_and_tables_of_their_own():
    first, second = load_benchmark("student_performance"), load_benchmark("student_performance")
    assert_frame_equal(first.train, second.train)
    first.train.loc[0, "age"] = 0.0
    assert second.train.loc[0, "age"] == 18.0


@pytest.mark.parametrize(("package", "count"), [("counterflownet.datasets", 1), ("counterflownet_bench.datasets", 5)])
def test_every_bundled_file_is_attributed(package, count):
    folder = files(package) / "files"
    attribution = (folder / "ATTRIBUTION.md").read_text(encoding="utf-8")
    tables = [path.name for path in folder.iterdir() if ".csv" in path.name]
    assert len(tables) == count
    assert all(f"## {table}\n" in attribution for table in tables)

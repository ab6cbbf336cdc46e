import pytest

from counterflownet_bench.datasets import CARDS, available

pytestmark = pytest.mark.usefixtures("without_data_folder")


def test_every_card_has_a_line_with_its_size_and_licence():
    lines = available()
    assert [line.name for line in lines] == list(CARDS)
    (german,) = (line for line in lines if line.name == "german_credit")
    assert (german.protocol, german.rows, german.columns, german.licence) == ("a", 1000, 20, "CC BY 4.0")


def test_without_a_folder_only_the_bundle_is_there_and_the_rest_has_an_address():
    for line in available():
        assert line.available == CARDS[line.name].bundled
        assert line.where == ("bundled" if line.available else CARDS[line.name].source)


def test_a_folder_makes_its_data_sets_available(tmp_path):
    (tmp_path / "lending_club").mkdir()
    for part in ("train.csv", "test.csv"):
        (tmp_path / "lending_club" / part).touch()
    lines = {line.name: line for line in available(data=tmp_path)}
    assert lines["lending_club"].available
    assert lines["lending_club"].where == str(tmp_path / "lending_club")
    assert not lines["give_me_some_credit"].available
    assert lines["german_credit"].where == "bundled"


def test_a_folder_that_lacks_a_part_makes_nothing_available(tmp_path):
    (tmp_path / "lending_club").mkdir()
    (line,) = (line for line in available(data=tmp_path) if line.name == "lending_club")
    assert not line.available

"""``counterflownet datasets``, mostly in this process."""

from counterflownet.cli import main
from counterflownet_bench.datasets import CARDS


def test_data_sets_are_listed_with_sizes_and_licences(capsys):
    assert main(["datasets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + len(CARDS)
    assert lines[1].split() == ["german_credit", "a", "1,000", "20", "yes", "CC", "BY", "4.0", "bundled"]
    assert any("lending_club" in line and " no " in line and "not redistributable" in line for line in lines)


def test_a_folder_of_data_that_is_not_there_is_one_line(tmp_path, error_line):
    assert main(["datasets", "--data", str(tmp_path / "nowhere")]) == 2
    assert "there is no folder" in error_line()

"""What is said of other methods is said of all that were written anew, and in the same words everywhere."""

import re
from pathlib import Path

from counterflownet_bench.benchmark.differences import difference_blocks, differences
from counterflownet_bench.benchmark.methods import METHODS, OURS

PAGE = Path(__file__).parents[3] / "docs" / "baselines.md"
SIMPLE = {"nearest-unlike", "random-search"}  # which nobody published


def test_every_method_that_was_published_has_its_differences_told() -> None:
    told = frozenset().union(*(one.methods for one in differences()))
    assert told == METHODS.keys() - {OURS} - SIMPLE


def test_the_page_says_the_same() -> None:
    section = PAGE.read_text(encoding="utf-8").split("## Where they differ from what was published")[1]
    told = [
        " ".join(item.split()) for item in re.findall(r"^- (.*?)(?=\n- |\n\n|\Z)", section, re.MULTILINE | re.DOTALL)
    ]
    joined = [re.sub(r", (?=[^,]*$)", " and ", ", ".join(f"**{name}**" for name in one.of)) for one in differences()]
    assert told == [f"{names} {one.text}" for names, one in zip(joined, differences(), strict=True)]


def test_a_report_tells_what_concerns_its_methods() -> None:
    heading, table = difference_blocks({"wachter", OURS})
    assert heading.text.startswith("Where other methods differ")
    assert [row[0] for row in table.rows] == ["wachter, revise, ppcef", "wachter"]
    assert difference_blocks({OURS, "random-search"}) == []

"""The page of all studies, and the one in the repository, which must tell its lines as they are."""

import re
from pathlib import Path
from shutil import copy

import pytest
from made_up_others import write_others

from counterflownet.cli import main
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.benchmark.provenance import code_digests
from counterflownet_bench.studies.report import all_told, report

BENCH = Path(__file__).parents[2]
COMMITTED = BENCH / "studies"
PAGE = BENCH / "STUDIES.md"


def test_a_report_tells_of_every_study_that_folders_hold(tmp_path, capsys) -> None:
    first, second = tmp_path / "results" / "first", tmp_path / "second"
    file = write_others(tmp_path / "results.jsonl", {("counterflownet", "selected"): {"age": 1}})
    assert main(["study", "utilisation", str(file), "--out", str(first)]) == 0
    second.mkdir()
    copy(COMMITTED / "proportionality.jsonl", second)
    out = tmp_path / "results" / "STUDIES.md"
    assert main(["study", "report", str(first), str(second), "--out", str(out)]) == 0
    assert str(second / "proportionality.md") in capsys.readouterr().out
    page = out.read_text(encoding="utf-8")
    assert page.index("## Which columns are changed?") < page.index("## Are samples proportional to the reward?")
    assert "## How many bins?" not in page
    assert page.count("**The paper:** ") == page.count("**Here:** ") == 2
    for target in ("first/utilisation.md", "../second/proportionality_over_time.svg", "../second/proportionality.md"):
        assert f"]({target})" in page
        assert (out.parent / target).is_file()


def test_a_report_says_how_many_results_are_of_the_code_as_it_is(tmp_path) -> None:
    lines = JsonLines(tmp_path / "proportionality.jsonl")
    known = JsonLines(COMMITTED / "proportionality.jsonl").read().lines[:3]
    for line, code in zip(known, (dict(code_digests()), {"library": "older"}, None), strict=True):
        lines.append(line | ({} if code is None else {"code": code}))
    page = report(all_told([tmp_path]), tmp_path).markdown()
    assert f"Code (library {code_digests()['library']}, " in page
    assert "of 3 results, 1 were made by the code that decides them as it was when" in page
    assert "; 1 were made by other code, so that" in page
    assert "; 1 do not say by which code" in page
    changed = report(all_told([tmp_path]), tmp_path, code=dict(code_digests()) | {"library": "newer"}).markdown()
    assert "of 3 results, 2 were made by other code" in changed


def test_without_results_there_is_no_report(tmp_path, capsys) -> None:
    assert main(["study", "report", str(tmp_path), "--out", str(tmp_path / "STUDIES.md")]) == 2
    assert "no study has results" in capsys.readouterr().err


@pytest.mark.skipif(not list(COMMITTED.glob("*.jsonl")), reason="no study was committed")
def test_the_committed_pages_are_those_of_the_committed_lines() -> None:
    told, page = all_told([COMMITTED]), PAGE.read_text(encoding="utf-8")
    (digests,) = re.findall(r"Code \(([^)]*)\)", page)  # those of the code when it was written
    code = dict(part.split() for part in digests.split(", "))
    assert page == report(told, PAGE.parent, code=code).markdown()
    for one in told:
        document = one.chapter.page()
        page = (one.folder / f"{one.name}.md").read_text(encoding="utf-8")
        assert page == document.markdown(picture_prefix=f"{one.name}_")
        for picture in document.pictures:
            assert (one.folder / f"{one.name}_{picture.name}.svg").is_file()

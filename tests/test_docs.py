"""The documentation is true as far as a machine can tell: examples run, commands exist, the site can be built."""

import re
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import counterflownet
from counterflownet.cli import parsed
from markdown_examples import PAGES, ROOT, blocks, commands, run

WITH_EXAMPLES = [page for page in PAGES if blocks(page, "python")]
SCRIPTS = ROOT / "scripts" / "docs"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT / "docs").as_posix()


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name_of)
def test_the_python_of_every_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "explainer" in run(page)


def test_examples_are_found_on_the_pages_that_have_some() -> None:
    pages = {name_of(page) for page in WITH_EXAMPLES}
    commands_alone = {"command-line", "page"}
    how_to = {name_of(page) for page in PAGES if page.parent.name == "how-to" and page.stem not in commands_alone}
    assert pages >= {"index.md", "tutorial.md", "sampling.md"} | how_to


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_command_lines_of_every_page_can_be_given(page) -> None:
    for arguments in commands(page, "counterflownet"):
        parsed(arguments)
    makefile = (ROOT / "Makefile").read_text()
    assert all(f"\n{target}:" in makefile for (target,) in commands(page, "make"))


def test_every_public_name_is_in_the_reference() -> None:
    text = "\n".join(page.read_text() for page in (ROOT / "docs" / "reference").glob("*.md"))
    described = set(re.findall(r"^::: counterflownet\.(\w+)$", text, re.MULTILINE))
    assert described == set(counterflownet.__all__) - {"__version__"}


HOMES = ("batch", "errors", "datasets", "tabular", "reward", "classifier", "seeds", "files")
BENCH_HOMES = ("datasets", "metrics", "benchmark")


def public_names(home: str) -> set[str]:
    module = import_module(home)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == home]
    return {name for name in getattr(module, "__all__", own) if not name.startswith("_")}


def test_one_page_lists_every_public_name_and_no_other() -> None:
    homes = [f"counterflownet.{home}" for home in HOMES] + [f"counterflownet_bench.{home}" for home in BENCH_HOMES]
    public = set.union(public_names("counterflownet"), *map(public_names, homes))
    rows = [line for line in (ROOT / "docs/reference/index.md").read_text().splitlines() if line.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(public)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own pages
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_has_a_page_for_every_file_and_for_those_outside_the_folder(site) -> None:
    for page in [*map(name_of, PAGES), "CHANGELOG.md", "bench/REPORT.md"]:
        assert (site / page).with_suffix(".html").exists(), page
    assert (site / "bench" / "REPORT_protocol_a.svg").exists()


def test_links_that_leave_the_folder_lead_to_pages_of_the_site(site) -> None:
    assert 'href="docs/baselines.md"' not in (site / "CHANGELOG.html").read_text()
    assert 'href="baselines.html"' in (site / "CHANGELOG.html").read_text()


def test_equations_are_mathml_and_none_is_left_as_text(site) -> None:
    theory = (site / "theory.html").read_text()
    assert theory.count("<math") > 20
    assert "arithmatex" not in theory
    assert "merror" not in theory


def test_the_reference_shows_signatures_and_what_they_mean(site) -> None:
    explainer = (site / "reference" / "explainer.html").read_text()
    assert 'id="counterflownet.CounterFlowNet.explain"' in explainer
    assert "reward to trade for answers that differ" in explainer


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("page.html", '<script async src="https://elsewhere.org/code.js"></script>'),
        ("page.html", '<link rel="stylesheet" href="//elsewhere.org/style.css">'),
        ("style.css", "@font-face { src: url(https://elsewhere.org/font.woff2) }"),
        ("picture.svg", '<style>@font-face { src: url("https://elsewhere.org/font.woff2") }</style>'),
    ],
)
def test_a_site_that_asks_another_host_is_refused(tmp_path, name, text) -> None:
    pytest.importorskip("mkdocs")
    foreign_requests = runpy.run_path(str(SCRIPTS / "offline.py"))["foreign_requests"]
    (tmp_path / "fine.html").write_text('<a href="https://elsewhere.org">there</a><script src="own.js"></script>')
    assert foreign_requests(tmp_path) == []
    (tmp_path / name).write_text(text)
    assert len(foreign_requests(tmp_path)) == 1

"""Every code block of the README runs, one after the other, as a reader would."""

import re

from counterflownet.cli import parsed
from markdown_examples import ROOT, blocks, commands, run

README = ROOT / "README.md"


def test_every_python_block_of_the_readme_runs(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    run(README)
    assert len(blocks(README, "python")) == 3
    assert "wanted 'good'" in capsys.readouterr().out
    assert (tmp_path / "why.html").read_text().startswith("<!DOCTYPE html>")


def test_the_readmes_commands_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = [target for (target,) in commands(README, "make")]
    assert targets == ["demo", "test"]
    assert all(f"\n{target}:" in makefile for target in targets)


def test_the_readmes_command_lines_can_be_given() -> None:
    given = commands(README, "counterflownet")
    assert len(given) >= 3
    for arguments in given:
        parsed(arguments)


def test_every_picture_and_page_the_readme_links_to_exists() -> None:
    for link in re.findall(r"\]\(((?!http)[^)]+)\)", README.read_text()):
        assert (README.parent / link).exists(), link

"""Every code block of the README runs, one after the other, as a reader would."""

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_every_python_block_of_the_readme_runs(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, str(README), "exec"), names)  # noqa: S102
    assert len(BLOCKS) == 2
    assert "wanted 'good'" in capsys.readouterr().out
    assert (tmp_path / "why.html").read_text().startswith("<!DOCTYPE html>")


def test_the_readmes_commands_are_targets_of_the_makefile() -> None:
    makefile = (README.parent / "Makefile").read_text()
    commands = re.findall(r"^make (\w+)", README.read_text(), re.MULTILINE)
    assert commands == ["demo", "test"]
    assert all(f"\n{command}:" in makefile for command in commands)


def test_every_picture_and_page_the_readme_links_to_exists() -> None:
    for link in re.findall(r"\]\(((?!http)[^)]+)\)", README.read_text()):
        assert (README.parent / link).exists(), link

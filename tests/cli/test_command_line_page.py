"""The commands of the page about the command line, one after the other, as a reader would type them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from counterflownet.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "command-line.md"
BLOCKS = re.findall(r"```bash\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines()]
QUICKLY = {"fit": ["--steps", "1"], "explain": ["--samples", "10", "--rounds", "1"], "rules": []}


def in_a_shell(line: str) -> None:
    """The line in a shell, where our command and Python are those of this process."""
    ours = f"counterflownet() {{ '{sys.executable}' -m counterflownet.cli \"$@\"; }}"
    python = f"python() {{ '{sys.executable}' \"$@\"; }}"
    shell = ["/bin/bash", "-c", f"set -eo pipefail\n{ours}\n{python}\n{line}"]
    subprocess.run(shell, check=True)  # noqa: S603


def test_every_command_of_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for line in LINES:
        program, *words = shlex.split(line)
        if program == "counterflownet":
            assert main([*words, *QUICKLY[words[0]]]) == 0
        else:
            in_a_shell(line)
    made = {"loans.csv", "some.csv", "loans.cfn", "loans.skops", "piped.csv", "rules.toml"}
    assert made | {f"answers.{kind}" for kind in ("html", "csv", "json", "parquet", "txt")} == {
        path.name for path in tmp_path.iterdir()
    }
    assert Path("piped.csv").read_text().startswith("factual,rank,changed,checking_account,")
    assert "accuracy " in capsys.readouterr().out


def test_every_option_of_the_page_is_an_option(capsys):
    for command in ("fit", "explain", "rules"):
        try:
            main([command, "--help"])
        except SystemExit:
            continue
    told = capsys.readouterr().out
    assert all(option in told for option in re.findall(r"--[a-z][a-z-]+", PAGE.read_text(encoding="utf-8")))

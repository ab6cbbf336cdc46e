"""Which commands there are, and where each is found: by name, and imported only when it is called.

A package adds a command with an entry point in the group ``counterflownet.commands`` that names a module. The module is
a `CommandModule`; see ``bench/pyproject.toml`` for three of them.
"""

import argparse
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol

from counterflownet.errors import MissingExtraError, unknown_name

GROUP = "counterflownet.commands"
BENCH = "counterflownet-bench"
OWN = {
    "fit": "fit an explainer to your table and save it to a file",
    "explain": "show what would have to be different in each row for the classifier to decide otherwise",
    "rules": "suggest rules that all rows of your table obey, for answers to keep",
    "serve": "open a page, and a service for applications, that explain rows live",
}
# Known by name even where the bench is not installed, so that its commands can be found.
OF_THE_BENCH = {
    "datasets": "list the data sets of both protocols: size, licence, and whether they are available here",
    "benchmark": "run the paper's two protocols and report the results",
    "study": "study the method itself, and write the findings as a page with plots",
}
EPILOG = """\
Start with your own table: `fit` learns from it, `explain` answers. `counterflownet fit --help` says more.

examples:
  counterflownet fit loans.csv --target risk --out loans.cfn
  counterflownet explain loans.cfn rejected.csv --target good --immutable sex --increasing age --out answers.html
"""
BENCH_EXAMPLES = """\
  counterflownet datasets
  counterflownet benchmark run --protocol a --dataset german_credit --seed 0 --preset paper --out results.jsonl
  counterflownet benchmark report results.jsonl --out REPORT.md --html REPORT.html
  counterflownet study bins --out studies
"""


class CommandModule(Protocol):
    """What the module of a command offers."""

    EPILOG: str
    """Shown below the options by ``--help``: details and examples."""

    def add_options(self, command: argparse.ArgumentParser, /) -> None:
        """Add the options, and set the default ``command``: a function of the options that returns the exit code."""
        ...


def installed() -> dict[str, EntryPoint]:
    """The commands that can be called, by name: our own, then those that installed packages add."""
    own = [EntryPoint(name, f"counterflownet.cli.{name}", GROUP) for name in OWN]
    added = [entry for entry in entry_points(group=GROUP) if entry.name not in OWN]
    return {entry.name: entry for entry in [*own, *added]}


def summary_of(name: str) -> str:
    """What a command does, in a line."""
    return (OWN | OF_THE_BENCH).get(name) or f"added by {installed()[name].module}"


def module_of(name: str) -> CommandModule:
    """The module of a command, imported now."""
    commands = installed()
    if name in commands:
        return commands[name].load()
    if name in OF_THE_BENCH:
        raise MissingExtraError(
            f"`counterflownet {name}` is part of {BENCH}, which is not installed. In a clone of the repository, "
            "run: pip install ./bench (or make setup)"
        )
    raise unknown_name("command", name, commands, "See: counterflownet --help")


def front_help() -> tuple[str, str]:
    """The commands, with the way to get those that need a package; and how to begin, with examples that would run."""
    commands = installed()
    missing = [name for name in OF_THE_BENCH if name not in commands]
    text = "commands:\n" + _lines(commands)
    if missing:
        return f"{text}\n\ncommands that need {BENCH} (pip install ./bench, in a clone):\n{_lines(missing)}", EPILOG
    return text, EPILOG + BENCH_EXAMPLES


def _lines(names: Iterable[str]) -> str:
    return "\n".join(f"  {name:<12}{summary_of(name)}" for name in names)

"""Which commands there are, and where each is found: by name, and imported only when it is called.

A package adds a command with an entry point in the group ``counterflownet.commands`` that names a module. The module is
a `CommandModule`; see ``bench/pyproject.toml`` for three of them.
"""

import argparse
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Protocol, cast

from counterflownet.errors import MissingExtraError, unknown_name

GROUP = "counterflownet.commands"
BENCH = "counterflownet-bench"

OWN: Mapping[str, str] = MappingProxyType(
    {
        "fit": "fit an explainer to your table and save it to a file",
        "explain": "show what would have to be different in each row for the classifier to decide otherwise",
    }
)
# Known by name even where the bench is not installed, so that its commands can be found.
OF_THE_BENCH: Mapping[str, str] = MappingProxyType(
    {
        "datasets": "list the data sets of both protocols: size, licence, and whether they are available here",
        "benchmark": "run the paper's two protocols and report the results",
        "study": "study the method itself, and write the findings as a page with plots",
    }
)


class CommandModule(Protocol):
    """What the module of a command offers."""

    EPILOG: str
    """Shown below the options by ``--help``: details and examples."""

    def add_options(self, command: argparse.ArgumentParser, /) -> None:
        """Add the options, and set the default ``command``: a function of the options that returns the exit code."""
        ...


def added() -> dict[str, EntryPoint]:
    """The commands that installed packages add, by name."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in OWN}


def summary_of(name: str) -> str:
    """What a command does, in a line."""
    known = {**OWN, **OF_THE_BENCH}
    return known[name] if name in known else f"added by {added()[name].module}"


def module_of(name: str) -> CommandModule:
    """The module of a command, imported now."""
    if name in OWN:
        return cast("CommandModule", import_module(f"counterflownet.cli.{name}"))
    others = added()
    if name in others:
        return cast("CommandModule", others[name].load())
    if name in OF_THE_BENCH:
        raise MissingExtraError(
            f"`counterflownet {name}` is part of {BENCH}, which is not installed. Run: pip install {BENCH} "
            "(or, in a clone of the repository, make setup)"
        )
    raise unknown_name("command", name, [*OWN, *others], "See: counterflownet --help")

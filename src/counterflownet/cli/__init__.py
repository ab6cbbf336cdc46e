"""The command ``counterflownet``: parses, calls one function of the library, prints."""

from counterflownet.cli.command import command_parser, main, parsed
from counterflownet.cli.notes import tell

__all__ = ["command_parser", "main", "parsed", "tell"]

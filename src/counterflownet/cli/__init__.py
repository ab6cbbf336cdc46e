"""The command ``counterflownet``: parses, calls one function of the library, prints."""

from counterflownet.cli.command import main

__all__ = ["main"]

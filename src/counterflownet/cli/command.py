"""The door of the command line: one line for a user's mistake, a traceback only for ours."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from counterflownet._version import VERSION
from counterflownet.cli.catalogue import front_help, module_of, summary_of
from counterflownet.cli.notes import one_line
from counterflownet.errors import CounterFlowNetError

PURPOSE = "Counterfactual explanations for tabular classifiers: what would have to be different?"


class _Parser(argparse.ArgumentParser):
    """One whose errors, which repeat what was typed, or what a shell found in a folder, are shown safely."""

    def error(self, message: str) -> NoReturn:
        super().error(one_line(message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: 0 if all went well, 1 if something in it failed, 2 if it could not be started."""
    when_stopped = "stopped."
    try:
        options = parsed(sys.argv[1:] if argv is None else argv)
        when_stopped = options.when_stopped
        return int(options.command(options))
    except CounterFlowNetError as error:
        return _told(str(error), 2)
    except BrokenPipeError:  # whoever read the answers had enough of them
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _told(f"{error.strerror or error}: {error.filename}" if error.filename else str(error), 2)
    except KeyboardInterrupt:
        return _told(when_stopped, 130)


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options of a whole command line; only the command that it names is imported."""
    name = _front_parser().parse_args(words[:1]).command_name
    return command_parser(name).parse_args(words[1:])


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    module, summary = module_of(name), summary_of(name)
    command = _Parser(
        prog=f"counterflownet {name}",
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=module.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(when_stopped="stopped.")
    module.add_options(command)
    return command


def _front_parser() -> argparse.ArgumentParser:
    commands, how_to_begin = front_help()
    front = _Parser(
        prog="counterflownet",
        usage="counterflownet [-h] [--version] COMMAND ...",
        description=f"{PURPOSE}\n\n{commands}",
        epilog=how_to_begin,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    front.add_argument("-h", "--help", action="help", help="show this help; for a command: COMMAND --help")
    front.add_argument("--version", action="version", version=f"counterflownet {VERSION}", help="show the version")
    front.add_argument("command_name", metavar="COMMAND", help=argparse.SUPPRESS)
    return front


def _told(message: str, code: int) -> int:
    print(f"counterflownet: {one_line(message)}", file=sys.stderr)  # noqa: T201
    return code

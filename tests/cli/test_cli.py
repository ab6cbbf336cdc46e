"""The front door of the command line: which commands there are, and what it says when one cannot be run."""

import argparse
import json
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest
from loan_commands import error_line

from counterflownet import __version__
from counterflownet.cli import catalogue, main

WITHOUT_HEAVY = """
import json, sys
from counterflownet.cli import main
try:
    main(json.loads(sys.argv[1]))
except SystemExit:
    pass
heavy = {"torch", "pandas", "numpy", "sklearn", "faiss", "rich", "matplotlib", "counterflownet_bench"}
print(sorted(heavy & sys.modules.keys()), file=sys.stderr)
"""
EPILOG = "Nothing more to say."


def add_options(command: argparse.ArgumentParser) -> None:
    """This file is the module of a command, for the tests below."""
    command.add_argument("--loud", action="store_true")
    command.set_defaults(command=lambda options: 7 if options.loud else interrupted(), when_stopped="call again.")


def interrupted() -> int:
    raise KeyboardInterrupt


@pytest.fixture
def bench_missing(monkeypatch) -> None:
    monkeypatch.setattr(catalogue, "entry_points", lambda group: ())


@pytest.fixture
def stranger(monkeypatch) -> None:
    """A package of somebody else adds the command ``greet``, and one that would take the place of ours."""
    found = [EntryPoint(name, __name__, catalogue.GROUP) for name in ("greet", "fit")]
    monkeypatch.setattr(catalogue, "entry_points", lambda group: found)


def front_help(capsys) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--version"], [], ["fitt"]], ids=repr)
def test_the_front_door_imports_nothing_heavy(words):
    command = [sys.executable, "-c", WITHOUT_HEAVY, json.dumps(words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own text
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", ["datasets", "benchmark", "study"])
def test_a_command_of_the_bench_says_how_to_get_it(bench_missing, name, capsys):
    assert main([name, "run", "--whatever"]) == 2
    told = error_line(capsys)
    assert f"`counterflownet {name}` is part of counterflownet-bench" in told
    assert "pip install ./bench" in told
    assert "make setup" in told


def test_help_lists_what_needs_the_bench_apart_and_shows_no_example_that_would_fail(bench_missing, capsys):
    ours, _, needing = front_help(capsys).partition("need counterflownet-bench (pip install ./bench, in a clone)")
    assert all(f"\n  {name} " in ours for name in ("fit", "explain"))
    assert all(f"\n  {name} " in needing for name in ("datasets", "benchmark", "study"))
    assert "counterflownet explain loans.cfn" in needing
    assert "counterflownet benchmark run" not in needing


def test_help_shows_the_commands_that_are_installed(stranger, capsys):
    assert f"\n  greet       added by {__name__}\n" in front_help(capsys)


def test_a_package_can_add_a_command(stranger):
    assert main(["greet", "--loud"]) == 7


def test_a_package_cannot_take_the_place_of_our_own_command(stranger):
    assert catalogue.module_of("fit").__name__ == "counterflownet.cli.fit"


def test_a_command_that_is_stopped_says_how_to_go_on(stranger, capsys):
    assert main(["greet"]) == 130
    assert error_line(capsys) == "counterflownet: call again.\n"


def test_an_unknown_command_is_one_line_with_a_guess(capsys):
    assert main(["explian", "loans.cfn"]) == 2
    assert "unknown command 'explian'. Did you mean 'explain'?" in error_line(capsys)


@pytest.mark.parametrize("words", [[], ["--loud"], ["fit"], ["explain", "loans.cfn"]], ids=repr)
def test_a_command_that_is_not_whole_is_refused_with_its_usage(words, capsys):
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert "usage: counterflownet" in capsys.readouterr().err


def test_as_users_run_it():
    command = [sys.executable, "-m", "counterflownet.cli", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    assert (done.returncode, done.stdout, done.stderr) == (0, f"counterflownet {__version__}\n", "")

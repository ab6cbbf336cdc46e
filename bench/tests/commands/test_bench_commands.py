"""The commands of this package, found by the library's command through their entry points."""

import shlex
import subprocess
import sys
from importlib import import_module
from importlib.metadata import entry_points

import pytest

from counterflownet.cli import command_parser, main, parsed

NAMES = ["benchmark", "datasets", "study"]
INNER = {
    "benchmark": ["run", "report"],
    "study": [
        *("bins", "constraints", "weights", "preferences", "utilisation", "examples", "proportionality", "answers"),
        "report",
    ],
}


def help_of(capsys, *words: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main([*words, "--help"])
    assert stop.value.code == 0
    return capsys.readouterr().out


def test_every_command_is_found_by_its_name():
    found = {entry.name: entry.value for entry in entry_points(group="counterflownet.commands")}
    assert {name: f"counterflownet_bench.commands.{name}" for name in NAMES}.items() <= found.items()


@pytest.mark.parametrize("name", NAMES)
def test_every_module_offers_what_the_front_door_needs(name):
    module = import_module(f"counterflownet_bench.commands.{name}")
    assert module.EPILOG
    assert command_parser(name).prog == f"counterflownet {name}"


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["datasets"], ["example:", "COUNTERFLOWNET_DATA"]),
        (["benchmark"], ["run", "report"]),
        (["benchmark", "run"], ["examples:", "--retry-failed", "Exit code"]),
        (["benchmark", "report"], ["example:", "--html"]),
        (["study"], INNER["study"]),
    ],
    ids=" ".join,
)
def test_help_teaches_by_example(words, parts, capsys):
    told = help_of(capsys, *words)
    assert all(part in told for part in parts)


@pytest.mark.parametrize(
    "words", [["datasets"], *([name, inner] for name, inners in INNER.items() for inner in inners)], ids=" ".join
)
def test_every_example_of_the_help_is_a_command(words, capsys):
    told = help_of(capsys, *words).replace("\\\n", " ")
    examples = [line for line in told.splitlines() if line.startswith("  counterflownet ")]
    assert examples
    for example in examples:
        assert callable(parsed(shlex.split(example)[1:]).command)


def test_the_front_help_shows_them_as_commands_like_any_other(capsys):
    told = help_of(capsys)
    assert "need counterflownet-bench" not in told
    examples = [line for line in told.splitlines() if line.startswith("  counterflownet ")]
    assert {shlex.split(example)[1] for example in examples} == {"fit", "explain", *NAMES}
    for example in examples:
        parsed(shlex.split(example)[1:])


@pytest.mark.parametrize(
    "words",
    [
        ["benchmark"],
        ["benchmark", "run"],
        ["benchmark", "run", "--protocol", "a", "--dataset", "x", "--instances", "few"],
        ["study"],
    ],
    ids=" ".join,
)
def test_a_command_that_is_not_whole_is_refused_with_its_usage(words, capsys):
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert f"usage: counterflownet {words[0]}" in capsys.readouterr().err


def test_as_users_run_it():
    words = ["benchmark", "run", "--protocol", "a", "--dataset", "german", "--out", "results.jsonl"]
    command = [sys.executable, "-m", "counterflownet.cli", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("counterflownet: unknown data set 'german'.")

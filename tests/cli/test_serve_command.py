"""``counterflownet serve``: the demo at once, your own explainer, and nobody else let in by mistake."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from urllib.request import Request, urlopen

import pytest
from threadpoolctl import threadpool_info

from counterflownet import AtMost, Between
from counterflownet.cli import main
from counterflownet.cli import serve as command
from counterflownet.cli.command import parsed
from counterflownet.cli.serving import _bound
from counterflownet.errors import InvalidInputError, MissingExtraError

TOKEN = "a-token-of-sixteen-or-more"  # noqa: S105 - of these tests alone


@pytest.fixture
def demo_process() -> Iterator[subprocess.Popen]:
    """The command as a process of its own, with a token in the environment."""
    run = [sys.executable, "-m", "counterflownet.cli", "serve", "--port", "0"]
    given = {**os.environ, command.VARIABLE: TOKEN}
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given) as process:  # noqa: S603
        yield process
        process.kill()


def test_the_address_that_is_printed_opens_the_demo_and_ctrl_c_stops_it_without_a_word(demo_process) -> None:
    told = demo_process.stdout.readline()
    address, token = re.search(r"(http://127\.0\.0\.1:\d+)/#token=(\S+)", told).groups()
    asked = Request(f"{address}/v1/rows", headers={"authorization": f"Bearer {token}"})  # noqa: S310
    with urlopen(asked, timeout=60) as answer:  # noqa: S310 - our own address
        assert json.load(answer)["rows"]
    demo_process.send_signal(signal.SIGINT)
    assert demo_process.communicate(timeout=60) == ("", "")
    assert demo_process.returncode == 0


def settings(*words: str):
    return command._settings(parsed(["serve", *words]))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.7", "example.org"])  # noqa: S104 - that is what is refused
def test_another_host_needs_a_token_or_a_word(monkeypatch, host, capsys) -> None:
    monkeypatch.delenv(command.VARIABLE, raising=False)
    assert main(["serve", "--host", host]) == 2
    assert "a token is needed" in capsys.readouterr().err
    assert settings("--host", host, "--insecure").hosts is None
    assert "everybody who can reach" in capsys.readouterr().err
    monkeypatch.setenv(command.VARIABLE, TOKEN)
    assert settings("--host", host).token == TOKEN


def test_a_token_may_stand_on_the_command_line_or_in_a_file_but_not_in_both(tmp_path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    assert settings("--token", TOKEN).token == settings("--token-file", str(file)).token == TOKEN
    with pytest.raises(InvalidInputError, match="give one of them"):
        settings("--token", TOKEN, "--token-file", str(file))


@pytest.mark.parametrize(
    ("words", "classes", "target"),
    [
        ([], ("bad", "good"), None),
        (["--target", "good"], ("bad", "good"), "good"),
        (["--at-most", "5"], (), AtMost(5)),
        (["--between", "1:2"], (), Between(1, 2)),
    ],
)
def test_it_says_what_the_page_asks_for_first(words, classes, target) -> None:
    assert command._target(parsed(["serve", *words]), SimpleNamespace(classes=classes)) == target


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_this_machine_needs_none_and_answers_to_its_own_names_alone(monkeypatch, host) -> None:
    monkeypatch.delenv(command.VARIABLE, raising=False)
    assert settings("--host", host).hosts == ("127.0.0.1", "localhost", "::1")


def test_a_token_comes_from_a_file_as_well(tmp_path) -> None:
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n")
    assert settings("--token-file", str(path)).token == TOKEN


def test_without_the_extra_one_line_names_it(monkeypatch, capsys) -> None:
    def missing(*_: object, **__: object) -> None:
        raise MissingExtraError("serving an explainer needs ... pip install 'counterflownet[serve]'")

    monkeypatch.setattr(command, "require", missing)
    assert main(["serve"]) == 2
    assert "pip install 'counterflownet[serve]'" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with _bound("127.0.0.1", 0) as taken, pytest.raises(InvalidInputError, match="cannot listen on"):
        _bound("127.0.0.1", taken.getsockname()[1])


def test_what_is_sent_does_not_wait_for_a_receipt() -> None:
    with _bound("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        here, _ = listening.accept()
        with here:
            assert here.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert here.proto == socket.IPPROTO_TCP  # by which asyncio decides the same


def test_your_own_explainer_is_served_with_its_rows_and_constraints(folder, monkeypatch) -> None:
    served: dict = {}
    monkeypatch.setattr(command, "run_server", lambda app, *_: served.update(app=app) or 0)
    monkeypatch.setattr(command, "create_app", lambda explainer, **given: {"explainer": explainer, **given})
    file, rows = str(folder / "loans.cfn"), str(folder / "rejected.csv")
    assert main(["serve", file, "--rows", rows, "--id", "customer", "--immutable", "sex", "--max-changes", "3"]) == 0
    app = served["app"]
    assert list(app["rows"].columns) == list(app["explainer"].schema.names)
    assert str(app["rows"].index[0]).startswith("c")
    assert repr(app["constraints"]) == "[Immutable('sex'), MaxChanges(3)]"


def test_no_core_is_kept_busy_by_threads_of_blas_that_wait(monkeypatch) -> None:
    used: list[int] = []
    monkeypatch.setattr(command, "run_server", lambda *_: used.extend(_blas_threads()) or 0)
    before = _blas_threads()
    assert main(["serve"]) == 0
    assert set(used) == {1}
    assert _blas_threads() == before


def _blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

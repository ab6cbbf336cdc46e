"""Where dice-ml's environment lies, and when it is made."""

from pathlib import Path

import pytest

from counterflownet.errors import CounterFlowNetError, InvalidInputError
from counterflownet_bench.baselines import dice_environment
from counterflownet_bench.baselines.dice_environment import dice_python, environment_folder, is_ready


@pytest.fixture
def commands(monkeypatch, tmp_path) -> list[list[str]]:
    """What would be run to make the environment that the variable names; nothing is installed."""
    run: list[list[str]] = []

    def pretend(command: list[str]) -> None:
        run.append(command)
        if "venv" in command:
            Path(command[-1]).mkdir()

    monkeypatch.setenv("COUNTERFLOWNET_DICE_VENV", str(tmp_path / "named"))
    monkeypatch.setattr(dice_environment, "_run", pretend)
    return run


def test_the_folder_is_the_named_one_or_the_projects_or_in_the_cache(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("COUNTERFLOWNET_DICE_VENV", raising=False)
    assert environment_folder() == tmp_path / "cache" / ".venv-dice"
    (tmp_path / "pyproject.toml").touch()
    assert environment_folder() == tmp_path / ".venv-dice"
    monkeypatch.setenv("COUNTERFLOWNET_DICE_VENV", "elsewhere")
    assert environment_folder() == tmp_path / "elsewhere"


def test_the_environment_is_made_once(commands, tmp_path) -> None:
    assert dice_python() == tmp_path / "named" / "bin" / "python"
    assert is_ready(tmp_path / "named")
    assert len(commands) == 3
    assert commands[-1][-3:] == ["--no-deps", "dice-ml==0.12", "raiutils==0.4.2"]
    dice_python()
    assert len(commands) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["named"]


def test_an_environment_with_other_versions_is_replaced(commands, tmp_path) -> None:
    (tmp_path / "named").mkdir()
    (tmp_path / "named" / "wanted.txt").write_text("numpy==1.0", encoding="utf-8")
    (tmp_path / "named" / "left over").touch()
    dice_python()
    assert is_ready(tmp_path / "named")
    assert not (tmp_path / "named" / "left over").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["named"]


def test_a_folder_of_somebody_else_is_not_touched(commands, tmp_path) -> None:
    (tmp_path / "named").mkdir()
    (tmp_path / "named" / "thesis.txt").touch()
    with pytest.raises(InvalidInputError, match="no environment made for dice-ml"):
        dice_python()
    assert (tmp_path / "named" / "thesis.txt").exists()
    assert not commands


def test_what_cannot_be_installed_is_an_error_and_leaves_nothing(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("COUNTERFLOWNET_DICE_VENV", str(tmp_path / "named"))
    monkeypatch.setattr(dice_environment.sys, "executable", str(tmp_path / "no python"))
    with pytest.raises(CounterFlowNetError, match="no environment for dice-ml could be made"):
        dice_python()
    assert not list(tmp_path.iterdir())

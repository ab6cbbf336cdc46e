"""The environment that dice-ml runs in: a folder of its own, because its dependencies would overwrite files of ours."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

from counterflownet.errors import CounterFlowNetError, InvalidInputError
from counterflownet_bench.references.cache import default_cache_directory

VARIABLE = "COUNTERFLOWNET_DICE_VENV"
NAME = ".venv-dice"
STAMP = "wanted.txt"
SHARED = ("joblib", "numpy", "pandas", "scikit-learn", "scipy")  # as here, so that the same numbers come out
NEEDED = ("jsonschema", "requests", "tqdm")
BARE = ("dice-ml==0.12", "raiutils==0.4.2")  # without dependencies: its methods never import the boosting libraries


def environment_folder() -> Path:
    """``$COUNTERFLOWNET_DICE_VENV``, or ``.venv-dice`` in a project's folder, or a folder of ours in the cache."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given).absolute()
    here = Path.cwd()
    return here / NAME if (here / "pyproject.toml").exists() else default_cache_directory().absolute() / NAME


def is_ready(folder: Path) -> bool:
    """Whether dice-ml is there with the versions that we have ourselves now."""
    stamp = folder / STAMP
    return stamp.exists() and stamp.read_text(encoding="utf-8") == "\n".join([*_pinned(), *BARE])


def dice_python() -> Path:
    """The interpreter of dice-ml's environment, which is made at first and whenever our own versions have changed."""
    folder = environment_folder()
    if not is_ready(folder):
        _check_replaceable(folder)
        _put_in_place(_made_beside(folder), folder)
    return folder / "bin" / "python"


def _pinned() -> list[str]:
    return [*(f"{package}=={version(package)}" for package in SHARED), *NEEDED]


def _check_replaceable(folder: Path) -> None:
    """What somebody else put there is not ours to delete."""
    if folder.exists() and not (folder / STAMP).exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InvalidInputError(
            f"{str(folder)!r} is there already and is no environment made for dice-ml. "
            f"Set {VARIABLE} to a folder that does not exist yet, or delete this one."
        )


def _made_beside(folder: Path) -> Path:
    """A whole new environment under a name of its own, so that nobody ever meets a half-made one."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = folder.with_name(f"{folder.name}.{uuid4().hex}")
    install = [str(draft / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    try:
        _run([sys.executable, "-m", "venv", str(draft)])
        _run([*install, *_pinned()])
        _run([*install, "--no-deps", *BARE])
        (draft / STAMP).write_text("\n".join([*_pinned(), *BARE]), encoding="utf-8")
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    return draft


def _put_in_place(draft: Path, folder: Path) -> None:
    """An environment can be moved as long as only its interpreter is called: that one finds the rest beside it."""
    if folder.exists():
        old = folder.with_name(f"{folder.name}.{uuid4().hex}")
        folder.rename(old)
        shutil.rmtree(old)
    try:
        draft.rename(folder)
    except OSError:
        shutil.rmtree(draft)
        if not is_ready(folder):  # else another process was quicker, and its environment is as good
            raise


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - all of it is written here
    except (OSError, subprocess.CalledProcessError) as error:
        told = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        raise CounterFlowNetError(
            f"no environment for dice-ml could be made: {' '.join(command[:4])} ended with {told[-1][:300]!r}. "
            f"It needs pip and, once, a network; or set {VARIABLE} to the folder of one made elsewhere."
        ) from error

"""Where results go: checked before the work begins, so that nothing is overwritten by mistake and nothing is lost."""

import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from uuid import uuid4

from counterflownet.errors import InvalidInputError
from counterflownet.files import write_atomically

PIPE = "-"
DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2}
OPEN_FILE = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")  # what a shell makes of >(command)


def check_place(option: str, place: str | Path, inputs: Iterable[str | Path | None]) -> None:
    """An error unless it can be written to, and is none of the ``inputs``; its folder is made."""
    path = Path(place)
    if path.is_dir():
        raise InvalidInputError(f"{option} {str(place)!r} is a folder; give the path of a file instead.")
    if path.exists() and not os.access(path, os.W_OK):
        raise InvalidInputError(f"{option} {str(place)!r} is write-protected. Choose another name.")
    if is_stream(place):
        return
    for given in inputs:
        if given is not None and _same(path, Path(given)):
            raise InvalidInputError(
                f"{option} {str(place)!r} is the same file as {str(given)!r}, which would be overwritten. "
                "Choose another name."
            )
    _try_to_write(option, followed(path))


def is_stream(place: str | Path) -> bool:
    """Whether it is a pipe or a device, which is written into and never replaced."""
    if str(place) == PIPE or _descriptor(place) is not None:
        return True
    path = Path(place)
    return path.exists() and not path.is_dir() and not path.is_file()


def followed(path: Path) -> Path:
    """The file itself where the path is a link to it: the link stays."""
    return path.resolve() if path.is_symlink() else path


def put(content: str | bytes, place: str) -> None:
    """Write to a file in one step, or into a pipe, a device or standard output."""
    if place == PIPE:
        _print(content)
    elif is_stream(place):
        _pour(content.encode() if isinstance(content, str) else content, place)
    else:
        write_atomically(followed(Path(place)), content)


def _print(content: str | bytes) -> None:
    if isinstance(content, bytes):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content if content.endswith("\n") else f"{content}\n")
    sys.stdout.flush()  # so that a reader who has left is noticed here


def _pour(content: bytes, place: str) -> None:
    sys.stdout.flush()
    descriptor = _descriptor(place)
    opened = os.open(place, os.O_WRONLY) if descriptor is None else os.dup(descriptor)
    with os.fdopen(opened, "wb") as stream:
        stream.write(content)


def _descriptor(place: str | Path) -> int | None:
    """The number of the open file that a path such as /dev/stdout means: opened anew, it would begin at its start."""
    numbered = OPEN_FILE.fullmatch(str(place))
    return int(numbered[1]) if numbered else DESCRIPTORS.get(str(place))


def _same(path: Path, given: Path) -> bool:
    """Whether both are one file, also by a link or under another name."""
    return path.resolve() == given.resolve() or (path.is_file() and given.is_file() and path.samefile(given))


def _try_to_write(option: str, path: Path) -> None:
    draft = path.with_name(f".{path.name}.{uuid4().hex}")  # named as a file that is about to take its place
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch(exist_ok=False)
        draft.unlink()
    except OSError as error:
        reason = error.strerror or error
        raise InvalidInputError(f"{option} {str(path)!r} cannot be written: {reason}. Choose another place.") from error

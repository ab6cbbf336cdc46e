"""Files that are either written whole or not at all."""

import os
from pathlib import Path
from uuid import uuid4

from counterflownet.errors import InvalidInputError


def write_atomically(path: str | Path, content: bytes | str) -> Path:
    """The path, after its content was replaced in one step; a failure leaves what was there before."""
    path = Path(path)
    if path.is_dir():
        raise InvalidInputError(f"{str(path)!r} is a folder; give the path of a file.")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with draft.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return path

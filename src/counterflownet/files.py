"""Files that are either written whole or not at all."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def write_atomically(path: str | Path, content: bytes | str) -> Path:
    """The path, after its content was replaced in one step; a failure leaves what was there before."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as draft:
        try:
            draft.write(data)
            draft.flush()
            os.fsync(draft.fileno())
            draft.close()
            Path(draft.name).chmod(0o666 & ~_umask())  # a temporary file begins readable by its owner alone
            Path(draft.name).replace(path)
        except BaseException:
            Path(draft.name).unlink(missing_ok=True)
            raise
    return path


def _umask() -> int:
    mask = os.umask(0)  # can only be read by setting it
    os.umask(mask)
    return mask

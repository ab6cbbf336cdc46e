"""Files that are either written whole or not at all: any content, or tensors with a JSON header (safetensors).

Reading one never runs code, and a checksum over the whole file turns every damaged bit into an error. It is no
signature: whoever can write the file can compute it too.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE
from typing import Any
from uuid import uuid4

import torch
from safetensors.torch import load, save

from counterflownet.errors import InvalidInputError, SavedFileError, listed

KEY = "counterflownet"
OWNER_ONLY = 0o600
BLANK = "0" * 64  # stands where the checksum goes while it is computed


def write_atomically(path: str | Path, content: bytes | str, *, mode: int = 0o666) -> Path:
    """The path, after its content was replaced in one step; a failure leaves what was there before.

    A new file gets ``mode``, less what the process's umask forbids; a file that is replaced keeps its own.
    """
    path = Path(path)
    if path.is_dir():
        raise InvalidInputError(f"{str(path)!r} is a folder; give the path of a file.")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        _write(draft, content.encode() if isinstance(content, str) else content, path, mode)
        draft.replace(path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno is not None:  # a full disk does not say what it was full for
            error.filename = str(path)
        raise
    return path


def write_tensors(path: str | Path, header: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> Path:
    """The path, after header and tensors were written to it in one step; a new file is for its owner alone."""
    plain = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    # In front of all that could hold as many zeros.
    content = save(plain, metadata={KEY: json.dumps({"checksum": BLANK, **header})})
    sealed = content.replace(BLANK.encode(), sha256(content).hexdigest().encode(), 1)
    return write_atomically(path, sealed, mode=OWNER_ONLY)


def read_tensors(
    path: str | Path, *, kind: str, version: int, older: Collection[int] = ()
) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """Header and tensors of a file that says it is of this kind and of a version we know, undamaged and finite."""
    path = Path(path)
    if not path.is_file():
        raise SavedFileError(f"there is no file {str(path)!r}; give the path that was saved to.")
    with faults_of(path, "cannot be read"):
        content = path.read_bytes()
    with faults_of(path, "is damaged, or was not written by this library"):
        tensors = load(content)
        header = _header(content)
        _check_kind(path, header, kind, (*older, version))
        _check_undamaged(content, header.pop("checksum", None))
        _check_finite(tensors)
    return header, tensors


@contextmanager
def faults_of(path: str | Path, fault: str = "lacks a part or holds a wrong one") -> Iterator[None]:
    """Whatever fails inside is the fault of the file, and told as such."""
    try:
        yield
    except SavedFileError:
        raise
    except Exception as error:  # a file made on purpose can raise anything
        reason = " ".join(str(error).split()).rstrip(". ") or type(error).__name__
        remedy = "Use another copy, or delete it and make it again."
        raise SavedFileError(f"{str(path)!r} {fault}: {reason}. {remedy}") from error


def _write(draft: Path, content: bytes, path: Path, mode: int) -> None:
    """Write the draft of a path, at no moment readable by more people than the path itself."""
    draft.touch(OWNER_ONLY if path.exists() else mode, exist_ok=False)
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        draft.chmod(S_IMODE(path.stat().st_mode))


def _header(content: bytes) -> Any:
    size = int.from_bytes(content[:8], "little")
    return json.loads(json.loads(content[8 : 8 + size])["__metadata__"][KEY])


def _check_kind(path: Path, header: Any, kind: str, versions: Collection[int]) -> None:
    held = header.get("kind") if isinstance(header, dict) else header
    if held != kind:
        raise SavedFileError(f"{str(path)!r} holds a {held!r}, not a {kind!r}.")
    if header.get("version") not in versions:
        raise SavedFileError(
            f"{str(path)!r} is of format version {header.get('version')!r}; this release reads version "
            f"{listed(versions)}. Fit and save again, or use the release that wrote it."
        )


def _check_undamaged(content: bytes, checksum: Any) -> None:
    blank = content.replace(str(checksum).encode(), BLANK.encode(), 1)
    if checksum != sha256(blank).hexdigest():
        raise ValueError("its content does not fit its checksum")


def _check_finite(tensors: Mapping[str, torch.Tensor]) -> None:
    odd = [name for name, tensor in tensors.items() if not tensor.isfinite().all()]
    if odd:
        raise ValueError(f"{odd[0]!r} holds numbers that are not finite")

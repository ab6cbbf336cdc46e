"""Files that are either written whole or not at all: any content, or tensors with a JSON header (safetensors).

Reading one never runs code.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from counterflownet.errors import InvalidInputError, SavedFileError

KEY = "counterflownet"


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


def write_tensors(path: str | Path, header: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> Path:
    """The path, after header and tensors were written to it in one step."""
    plain = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    return write_atomically(path, save(plain, metadata={KEY: json.dumps(header)}))


def read_tensors(path: str | Path, *, kind: str, version: int) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """Header and tensors of a file that says it is of this kind and of a version we know."""
    path = Path(path)
    if not path.is_file():
        raise SavedFileError(f"there is no file {str(path)!r}; give the path that was saved to.")
    try:
        with safe_open(path, framework="pt") as file:
            header = json.loads((file.metadata() or {})[KEY])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping, has only keys()
    except (SafetensorError, KeyError, ValueError, OSError, RecursionError) as error:
        raise SavedFileError(f"{str(path)!r} is damaged, or was not written by this library: {error}") from error
    if not isinstance(header, dict) or header.get("kind") != kind:
        held = header.get("kind") if isinstance(header, dict) else header
        raise SavedFileError(f"{str(path)!r} holds a {held!r}, not a {kind!r}.")
    if header.get("version") != version:
        raise SavedFileError(
            f"{str(path)!r} is of format version {header.get('version')!r}; this release reads version {version}. "
            "Fit and save again, or use the release that wrote it."
        )
    return header, tensors

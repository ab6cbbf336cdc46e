"""Models in skops files, which are data: a type that could do harm is refused unless it is trusted by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from counterflownet._optional import require
from counterflownet.cli.tree_check import CHECKED, tree_fault
from counterflownet.errors import InvalidInputError, SavedFileError, listed
from counterflownet.files import write_atomically


def load_skops(path: Path, trusted: Sequence[str] = ()) -> Any:
    """The model; gradient boosting's own types need no trust, because its trees are checked before they are used."""
    skops = require("skops.io", extra="models", purpose=f"reading {str(path)!r}")
    try:
        unknown = sorted(set(skops.get_untrusted_types(file=path)) - {*trusted, *CHECKED})
        model = None if unknown else skops.load(path, trusted=[*trusted, *CHECKED])
    except (BadZipFile, KeyError, ValueError, TypeError, AttributeError, ImportError, OSError) as error:
        raise SavedFileError(
            f"{str(path)!r} cannot be read as a skops file: {type(error).__name__}: {error}"
        ) from error
    if unknown:
        raise InvalidInputError(
            f"{str(path)!r} contains types that are not known to be safe: {listed(unknown)}. If you trust where the "
            f"file comes from: --trust {','.join(unknown)}"
        )
    fault = None if set(CHECKED) <= set(trusted) else tree_fault(model)
    if fault:
        raise SavedFileError(f"{str(path)!r} contains damaged or malicious trees: {fault}.")
    return model


def save_skops(model: Any, path: Path) -> Path:
    """The path, after the model was written to it in one step."""
    skops = require("skops.io", extra="models", purpose="saving the trained model")
    return write_atomically(path, skops.dumps(model))

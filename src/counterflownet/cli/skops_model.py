"""Models in skops files, which are data: what could do harm is refused unless it is trusted by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from counterflownet._optional import require
from counterflownet.cli.model_check import checked_model
from counterflownet.cli.model_types import CHECKED, unknown_types
from counterflownet.cli.skops_archive import SkopsArchive
from counterflownet.cli.tree_nodes import check_trees
from counterflownet.errors import InvalidInputError, SavedFileError, listed


def load_skops(path: Path, trusted: Sequence[str] = ()) -> Any:
    """The model, checked; whatever is wrong with the file is an error of ours."""
    skops = require("skops.io", extra="models", purpose=f"reading {str(path)!r}")
    try:
        archive = SkopsArchive(path)
        content = archive.checked_content()
        foreign = set(skops.get_untrusted_types(data=content)) - {*trusted, *CHECKED}
        unknown = sorted({*foreign, *unknown_types(archive.nodes, trusted)})
        if not unknown:
            check_trees(archive)
            return checked_model(skops.loads(content, trusted=[*trusted, *CHECKED]))
    except Exception as error:  # a damaged file can fail in any way
        reason = str(error) if isinstance(error, SavedFileError) else f"{type(error).__name__}: {error}"
        raise SavedFileError(f"{str(path)!r} cannot be read as a skops file: {reason.rstrip('.')}.") from error
    raise InvalidInputError(
        f"{str(path)!r} contains types that are not known to be safe: {listed(unknown)}. If you trust where the file "
        f"comes from: --trust {','.join(unknown)}. Otherwise ask for the model as an .onnx file."
    )


def skops_bytes(model: Any) -> bytes:
    """What the file of a model contains."""
    skops = require("skops.io", extra="models", purpose="saving the trained model")
    return bytes(skops.dumps(model))

"""Trained reference classifiers on disk, found by the content that they follow from."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn
import torch

from counterflownet import __version__
from counterflownet.errors import SavedFileError
from counterflownet.files import read_tensors, write_tensors
from counterflownet_bench.references.encoding import ColumnRoles, RowEncoder
from counterflownet_bench.references.model import Layer, ReferenceClassifier
from counterflownet_bench.references.settings import Settings

KIND = "reference classifier"
FORMAT = 2


def default_cache_directory() -> Path:
    """``$COUNTERFLOWNET_CACHE``, or a folder of ours where this system's programs keep what they can make again."""
    given = os.environ.get("COUNTERFLOWNET_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "counterflownet"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "counterflownet"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "counterflownet"


def content_key(settings: Settings, roles: ColumnRoles, seed: int, tables: Mapping[str, pd.DataFrame]) -> str:
    """A name that is another one as soon as data, settings, roles, seed or a library's version is."""
    versions = {"counterflownet": __version__, "numpy": np.__version__, "torch": torch.__version__}
    described = {
        "settings": {"kind": type(settings).__name__, **asdict(settings)},
        "roles": _roles_to_json(roles),
        "seed": seed,
        "versions": versions | {"scikit-learn": sklearn.__version__},
        "tables": {name: _digest(table) for name, table in tables.items()},
    }
    return blake2b(json.dumps(described, sort_keys=True).encode(), digest_size=16).hexdigest()


def stored_classifier(path: Path) -> tuple[ReferenceClassifier, dict[str, Any]] | None:
    """The classifier of that file and what is noted about it; None if there is none that can be read."""
    try:
        header, tensors = read_tensors(path, kind=KIND, version=FORMAT)
    except SavedFileError:
        return None  # it can be made again
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    layers = [Layer(arrays[f"weight {i}"], arrays[f"bias {i}"]) for i in range(header["layers"])]
    encoder = RowEncoder(_roles_from_json(header["roles"]), arrays["mean"], arrays["deviation"])
    return ReferenceClassifier(encoder, tuple(layers), tuple(header["classes"])), header["notes"]


def store_classifier(path: Path, classifier: ReferenceClassifier, notes: Mapping[str, Any]) -> None:
    """Writes the classifier, whole or not at all."""
    encoder = classifier.encoder
    arrays = {"mean": encoder.mean, "deviation": encoder.deviation}
    for i, layer in enumerate(classifier.layers):
        arrays |= {f"weight {i}": layer.weight, f"bias {i}": layer.bias}
    header = {
        "kind": KIND,
        "version": FORMAT,
        "classes": list(classifier.classes),
        "layers": len(classifier.layers),
        "roles": _roles_to_json(encoder.roles),
        "notes": dict(notes),
    }
    write_tensors(path, header, {name: torch.tensor(array) for name, array in arrays.items()})


def _digest(table: pd.DataFrame) -> list[Any]:
    rows = pd.util.hash_pandas_object(table, index=False).to_numpy()
    return [list(map(str, table.dtypes)), blake2b(rows.tobytes(), digest_size=16).hexdigest()]


def _roles_to_json(roles: ColumnRoles) -> dict[str, Any]:
    """Pairs, not mappings: a column may be called 0, which JSON would turn into "0"."""
    return {
        "continuous": list(roles.continuous),
        "categorical": [[name, list(values)] for name, values in roles.categorical.items()],
    }


def _roles_from_json(data: Mapping[str, Any]) -> ColumnRoles:
    return ColumnRoles(
        continuous=tuple(data["continuous"]),
        categorical={name: tuple(values) for name, values in data["categorical"]},
    )

"""What a user has at hand when something goes wrong, and what every error owes them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from safetensors.torch import load_file
from sklearn.pipeline import Pipeline

from counterflownet import (
    CounterFlowNet,
    CounterFlowNetError,
)
from counterflownet.files import write_tensors

ONE_STEP = {"steps": 1, "window": 1, "batch_rows": 8, "width": 8}


def probability(frame: pd.DataFrame) -> np.ndarray:
    """Of "yes", on the table of two columns."""
    return np.clip(frame["a"].to_numpy(float), 0.0, 1.0)


@dataclass(frozen=True)
class Given:
    """What a user has at hand when something goes wrong."""

    explainer: CounterFlowNet
    three_way: CounterFlowNet
    pipeline: Pipeline
    people: pd.DataFrame
    plain: pd.DataFrame
    folder: Path

    def explain(self, **options: Any) -> object:
        return self.explainer.explain(self.people.head(3), **options)

    def make(self, model: Any = probability, **options: Any) -> CounterFlowNet:
        return CounterFlowNet(model, **{"classes": ["no", "yes"], "training": ONE_STEP, **options})

    def fit(self, model: Any = probability, X: Any = None, **options: Any) -> object:
        return self.make(model, **options).fit(self.plain if X is None else X)

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def saved(self) -> Path:
        return self.explainer.save(self.folder / "saved.cfn")

    def resaved(self, **header: Any) -> Path:
        """The saved explainer with entries of its header replaced."""
        path = self.saved()
        old = saved_header(path)
        del old["checksum"]
        return write_tensors(path, old | header, load_file(path))


def saved_header(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    return json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["counterflownet"])


Misuse = Callable[[Given], object]
Cases = dict[str, tuple[Misuse, type[CounterFlowNetError], str]]


def assert_told_in_words(given: Given, misuse: Misuse, kind: type[CounterFlowNetError], message: str) -> None:
    with pytest.raises(CounterFlowNetError, match=f"(?s){message}") as caught:
        misuse(given)
    assert type(caught.value) is kind
    left = {path.name for path in given.folder.rglob("*")}
    assert not {name for name in left if name.startswith(".") or name == "new.cfn"}

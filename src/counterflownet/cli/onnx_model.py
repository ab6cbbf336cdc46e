"""Models in ONNX files: one table of numbers in, or one input for each column; probabilities out."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet._optional import require
from counterflownet.cli.onnx_check import check_onnx
from counterflownet.errors import ClassifierError, SavedFileError, listed

TYPES = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
    "tensor(string)": np.object_,
}
SILENT = 4


class OnnxModel:
    """A function from a frame to probabilities, computed by onnxruntime."""

    def __init__(self, path: Path) -> None:
        runtime = require("onnxruntime", extra="models", purpose=f"reading {str(path)!r}")
        self.name = path.name
        options = runtime.SessionOptions()
        options.log_severity_level = SILENT  # its log would bring names from the file into the terminal
        try:
            check_onnx(path.read_bytes())
            self._session = runtime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has an exception of its own for every fault
            reason = str(error) if isinstance(error, SavedFileError) else f"{type(error).__name__}: {error}"
            raise SavedFileError(f"{str(path)!r} cannot be read as an ONNX model: {reason}") from error
        self._inputs = self._session.get_inputs()

    @property
    def feature_names_in_(self) -> list[str] | None:
        """The columns, if there is an input for each."""
        return [entry.name for entry in self._inputs] if len(self._inputs) > 1 else None

    def __call__(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        return _numbers(self._probabilities(self._run(rows)))

    def labels(self, rows: pd.DataFrame | None) -> list[Any]:
        """The labels of the probabilities: named by them, or told from which label goes with the highest of them."""
        if rows is None:
            raise self._unknown_labels("")
        outputs = self._run(rows)
        probabilities = self._probabilities(outputs)
        if isinstance(probabilities, list):
            return list(probabilities[0])
        highest = _numbers(probabilities).argmax(axis=1) if np.ndim(probabilities) == 2 else np.empty(0)
        named = [value for value in outputs if isinstance(value, np.ndarray) and value.shape == highest.shape]
        pairs = set(zip(highest.tolist(), named[0].tolist(), strict=True)) if named else set()
        count = np.shape(probabilities)[-1]
        if len(pairs) != count or len({column for column, _ in pairs}) != count:
            raise self._unknown_labels(f"{count} ")
        return [label for _, label in sorted(pairs, key=lambda pair: int(pair[0]))]

    def _run(self, rows: pd.DataFrame) -> list[Any]:
        return self._session.run(None, self._fed(rows))

    def _fed(self, rows: pd.DataFrame) -> dict[str, NDArray[Any]]:
        missing = [entry.name for entry in self._inputs if entry.name not in rows.columns]
        if missing and len(self._inputs) == 1:
            return {missing[0]: _values(rows, self._inputs[0].type)}
        if missing:
            raise ClassifierError(f"{self.name} has inputs that are not columns of the table: {listed(missing)}.")
        return {entry.name: _values(rows[[entry.name]], entry.type) for entry in self._inputs}

    def _probabilities(self, outputs: list[Any]) -> Any:
        for output in reversed(outputs):  # the label comes first
            if isinstance(output, list) and output and isinstance(output[0], dict):
                return output
            if isinstance(output, np.ndarray) and output.dtype.kind == "f":
                return output
        raise ClassifierError(f"{self.name} does not output probabilities; export it with them.")

    def _unknown_labels(self, count: str) -> ClassifierError:
        return ClassifierError(f"{self.name} does not name its {count}classes. List them in order: --classes bad,good")


def _numbers(probabilities: Any) -> NDArray[np.float64]:
    if isinstance(probabilities, list):
        return np.array([list(row.values()) for row in probabilities], dtype=np.float64)
    return np.asarray(probabilities, dtype=np.float64)


def _values(rows: pd.DataFrame, kind: str) -> NDArray[Any]:
    if kind not in TYPES:
        raise ClassifierError(f"inputs of type {kind} are not supported. Allowed: {listed(TYPES)}.")
    if TYPES[kind] is np.object_:
        return rows.astype(object).where(rows.notna(), "").map(str).to_numpy(dtype=object)
    words = [name for name in rows.columns if not pd.api.types.is_numeric_dtype(rows[name].dtype)]
    if words:
        raise ClassifierError(f"the model takes only numbers, but {listed(words)} are not numeric; use --drop.")
    return rows.to_numpy(dtype=np.float64).astype(TYPES[kind])

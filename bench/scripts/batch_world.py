"""The rows, the explainer and the classifier of the benchmark of many rows, as files that any process can load."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from batch_measures import Notes
from numpy.typing import NDArray

from counterflownet import CounterFlowNet
from counterflownet.batch import Work
from counterflownet_bench.benchmark.roles import reference_of
from counterflownet_bench.datasets import load_benchmark

COUNT = 5
ID = "id"
BLOCK = 100_000  # rows that are drawn at a time


def prepared(folder: Path, minutes: float) -> pd.DataFrame:
    """Explainer and classifier as files in the folder, and the rows to draw from."""
    folder.mkdir(parents=True, exist_ok=True)
    data = load_benchmark("adult_protocol_b")
    if not (folder / "adult.cfn").exists():
        model = reference_of(data, seed=0).classifier
        joblib.dump(model, folder / "adult.joblib")
        explainer_of(model).fit(data.X_train, minutes=minutes).save(folder / "adult.cfn")
    return pd.concat([data.X_test, data.X_train], ignore_index=True)


def explainer_of(model: Any) -> CounterFlowNet:
    return CounterFlowNet(model.probabilities, classes=list(model.classes), seed=0)


def loaded(folder: Path) -> CounterFlowNet:
    model = joblib.load(folder / "adult.joblib")
    return CounterFlowNet.load(folder / "adult.cfn", model.probabilities, classes=list(model.classes))


def loaded_and_noted(folder: Path, notes: Path, session: str) -> CounterFlowNet:
    """The same in a process that notes where its time goes."""
    own = Notes(notes / f"{session}_{time.time_ns()}.json")
    explainer = loaded(folder)
    own.ready()
    return explainer


def asked(_: CounterFlowNet, target: Any = None) -> dict[str, Any]:
    return {"count": COUNT, "target": target}


def known(explainer: CounterFlowNet, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[list(explainer.schema.names)]


def no_csv(content: bytes, what: str) -> pd.DataFrame:
    raise ValueError(f"{what} is no CSV ({len(content)} bytes)")


def work_in(folder: Path, out: Path, notes: Path | None = None, target: Any = None) -> Work:
    """A run to ``out``, whose processes note what they use if there is a place for that."""
    load = partial(loaded, folder) if notes is None else partial(loaded_and_noted, folder, notes, f"{time.time():.3f}")
    return Work(load, partial(asked, target=target), known, no_csv, ID, out)


def usual_class(folder: Path, table: pd.DataFrame) -> tuple[Any, NDArray[np.bool_]]:
    """The class that most rows are in, and which are not."""
    model = joblib.load(folder / "adult.joblib")
    found = model.predicted(table)
    usual = int(np.bincount(found).argmax())
    return model.classes[usual], found != usual


def drawn(table: pd.DataFrame, count: int, file: Path, weights: NDArray[np.float64] | None = None) -> Path:
    """So many numbered rows with replacement, in row groups of 10,000; the file, if it is not there yet."""
    if file.exists():
        return file
    chosen = np.random.default_rng(count).choice(len(table), count, p=weights)
    draft = file.with_suffix(".draft")
    schema = pa.Schema.from_pandas(table.head(1).assign(**{ID: 0}), preserve_index=False)
    with pq.ParquetWriter(draft, schema) as writer:
        for start in range(0, count, BLOCK):
            stop = min(start + BLOCK, count)
            rows = table.take(chosen[start:stop]).assign(**{ID: np.arange(start, stop)})
            writer.write_table(pa.Table.from_pandas(rows, schema, preserve_index=False), row_group_size=10_000)
    return draft.rename(file)


def sorted_answers(out: Path, name: str = "answers", of: Any = None) -> pa.Table:
    """All that a run has told, by id."""
    keys = [("factual", "ascending"), *([("rank", "ascending")] if name == "answers" else [])]
    chosen = None if of is None else ds.field("factual").isin(of)
    return ds.dataset(out / name).to_table(filter=chosen).sort_by(keys).combine_chunks()

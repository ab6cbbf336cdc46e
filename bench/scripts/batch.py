"""Many rows from Parquet to Parquet: rows a second, where the time goes, memory, and whether answers are the same.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python bench/scripts/batch.py --rows 1000000 --workers 2

Rows of Adult are drawn with replacement and numbered. The explainer is fitted at its defaults (--minutes at most); each
size appends one line to bench/results/batch.jsonl. Peak memory is that of the largest process. Some rows are explained
in one call beside it, in memory: they must have the same answers, and say what a row costs without files.
"""

import argparse
import resource
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pyarrow.dataset as ds
import torch
from common import classifier, keep, machine

from counterflownet import CounterFlowNet
from counterflownet.batch import Work, answer_table, explain_files
from counterflownet_bench.datasets import load_benchmark

NAME = "batch"
COUNT = 5
SAMPLE = 2_000


def loaded(folder: Path) -> CounterFlowNet:
    """The explainer with its classifier, in whichever process."""
    return CounterFlowNet.load(folder / "adult.cfn", joblib.load(folder / "adult.joblib"))


def asked(_: CounterFlowNet) -> dict[str, Any]:
    return {"count": COUNT}


def known(explainer: CounterFlowNet, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[list(explainer.schema.names)]


def no_csv(content: bytes, what: str) -> pd.DataFrame:
    raise ValueError(f"{what} is no CSV ({len(content)} bytes)")


def prepared(folder: Path, minutes: float) -> pd.DataFrame:
    """Explainer and classifier as files, and the rows to draw from."""
    data = load_benchmark("adult_protocol_b")
    if not (folder / "adult.cfn").exists():
        model = classifier(data)
        joblib.dump(model, folder / "adult.joblib")
        CounterFlowNet(model, seed=0).fit(data.X_train, minutes=minutes).save(folder / "adult.cfn")
    return pd.concat([data.X_test, data.X_train], ignore_index=True)


def drawn(table: pd.DataFrame, count: int, file: Path) -> None:
    """So many numbered rows, in row groups of 10,000."""
    chosen = np.random.default_rng(count).integers(0, len(table), count)
    rows = table.take(chosen).assign(id=np.arange(count))
    rows.to_parquet(file, index=False, row_group_size=10_000)


def peak() -> float:
    """Megabytes of the largest process so far."""
    used = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return max(used) / 1024


def measured(folder: Path, table: pd.DataFrame, count: int, workers: int) -> dict[str, Any]:
    """One run from file to file, and the same rows in memory."""
    file, out = folder / f"rows_{count}.parquet", folder / f"answers_{count}_{workers}"
    drawn(table, count, file)
    work = Work(partial(loaded, folder), asked, known, no_csv, "id", out)
    circumstance, begun = machine(), time.perf_counter()
    done = explain_files(work, file, {"question": "five answers"}, workers=workers)
    seconds = time.perf_counter() - begun
    memory = peak()
    explainer = loaded(folder)
    torch.set_num_threads(1)
    some = pd.read_parquet(file).head(SAMPLE)
    begun = time.process_time()
    alone = answer_table(explainer, some, id_column="id", count=COUNT).answers
    in_memory = (time.process_time() - begun) / len(some)
    told = ds.dataset(out / "answers").to_table(filter=ds.field("factual") < SAMPLE)
    return {
        "benchmark": NAME,
        "rows": count,
        "workers": workers,
        "explained": done.rows,
        "answers": done.answers,
        "errors": done.errors,
        "seconds": seconds,
        "rows_per_second": count / seconds,
        "peak_megabytes": memory,
        "in_memory_cpu_ms_per_row": 1_000 * in_memory,
        "compared": alone.num_rows,
        "same": _same(told.to_pandas(), alone.to_pandas()),
        **circumstance,
    }


def _same(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """The share of answers that are the same in every cell of the table."""
    keys = ["factual", "rank"]
    left, right = (frame.drop(columns="changed").set_index(keys).sort_index().astype(str) for frame in (one, other))
    return float((left.agg("|".join, axis=1) == right.agg("|".join, axis=1).reindex(left.index)).mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5.0, help="of the fit")
    parser.add_argument("--folder", type=Path, help="to go on in after a run was ended")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    table = prepared(folder, options.minutes)
    for count in options.rows:
        result = measured(folder, table, count, options.workers)
        keep(result, NAME)
        print(result)


if __name__ == "__main__":
    main()

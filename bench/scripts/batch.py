"""Many rows from Parquet to Parquet: rows a second, where the time goes, memory, and whether answers are the same.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python bench/scripts/batch.py run --rows 1000000 --folder FOLDER

Rows of Adult are drawn with replacement and numbered; the explainer has its defaults and fits for at most --minutes;
the classifier is that of Protocol B. Every command appends lines to bench/results/batch.jsonl:

run       all rows by several processes. A run that was ended goes on if the same command is given again.
overhead  files against one call in memory, in turns in one process, by the time of the processor.
ray       the same rows by Ray Data and by the plain runner, in turns.
kills     five times kill -9 at random, the run itself or one of its processes; then what is there is compared.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from statistics import median
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import torch
from batch_kills import QUESTION, killed
from batch_measures import end_notes, own_cpu, peak_mb, summed, tree_cpu
from batch_world import COUNT, ID, drawn, loaded, no_csv, prepared, sorted_answers, usual_class, work_in
from common import keep, machine

from counterflownet.batch import answer_table, explain_files
from counterflownet.batch.ids import ids_of, repeated_ids
from counterflownet.batch.pieces import pieces_of

NAME = "batch"
SAMPLE = 1_000  # as many as a batch has
TURNS = 3


def measured(folder: Path, table: pd.DataFrame, options: argparse.Namespace) -> dict[str, Any]:
    """One run from file to file, whatever it took, and some of its rows explained in one call."""
    count, declined = options.rows, options.declined
    name = f"{count}" if declined is None else f"{count}_{declined}"
    target, weights = None, None
    if declined is not None:
        target, others = usual_class(folder, table)
        weights = np.where(others, declined / others.sum(), (1.0 - declined) / (~others).sum())
    file = drawn(table, count, folder / f"rows_{name}.parquet", weights)
    out, notes = folder / f"out_{name}", folder / f"notes_{name}"
    circumstance = machine()
    if not options.so_far:
        work = work_in(folder, out, notes, target)
        explain_files(work, file, QUESTION, workers=options.workers, piece_rows=options.piece_rows)
    end_notes()
    driver, done, spent = peak_mb(), told_by(out), summed(notes)
    return {
        "kind": "run",
        "rows": count,
        "declined": declined,
        "workers": options.workers,
        **done,
        "rows_per_second": done["explained"] / spent["seconds"],
        "cpu_ms_per_row": 1_000 * (spent["cpu_seconds"] - spent["start_cpu_seconds"]) / done["explained"],
        **spent,
        "driver_peak_mb": None if options.so_far else driver,
        "ids_ms_per_row": ids_cost(file),
        "bytes_read": file.stat().st_size,
        "bytes_written": sum(part.stat().st_size for part in out.glob("*/*.parquet")),
        **compared(folder, file, out, target, options.piece_rows),
        **circumstance,
    }


def told_by(out: Path) -> dict[str, int]:
    """How much came of all pieces that are kept."""
    kept = [json.loads(file.read_text()) for file in out.glob("done/*.json")]
    return {
        "explained": sum(one["rows"] for one in kept),
        "answers": sum(one["answers"] for one in kept),
        "errors": sum(one["errors"] for one in kept),
    }


def ids_cost(file: Path) -> float:
    """Milliseconds of the processor for each row, to look for ids that are there twice before anything begins."""
    pieces = pieces_of([file], 10_000)
    begun = time.process_time()
    repeated_ids(pieces, lambda piece: ids_of(piece.read(no_csv, [ID]), ID))
    return 1_000 * (time.process_time() - begun) / sum(piece.count for piece in pieces)


def compared(folder: Path, file: Path, out: Path, target: Any, piece_rows: int) -> dict[str, Any]:
    """Rows explained in one call of one process: a batch as it was, and a sample from all over what is done."""
    torch.set_num_threads(1)
    ids, explainer = sorted_answers(out, "rows")["factual"].to_numpy(), loaded(folder)
    one = np.random.default_rng(0).choice(ids)
    alike = (ids // piece_rows == one // piece_rows) & (ids % piece_rows // SAMPLE == one % piece_rows // SAMPLE)
    chosen = {
        "batch": ids[alike],
        "sample": np.sort(np.random.default_rng(0).choice(ids, min(SAMPLE, len(ids)), replace=False)),
    }
    told: dict[str, Any] = {"ids_once": len(np.unique(ids)) == len(ids)}
    for name, some in chosen.items():
        rows = ds.dataset(file).to_table(filter=ds.field(ID).isin(some)).to_pandas()
        alone = answer_table(explainer, rows, id_column=ID, count=COUNT, target=target).answers
        told |= {f"{name}_answers": alone.num_rows}
        told |= {f"same_{name}": _same(sorted_answers(out, of=pa.array(some)), alone)}
    return told


def _same(one: pa.Table, other: pa.Table) -> float:
    """The share of answers that are there in both, with the same values in every column of the explainer."""
    columns = one.column_names[: one.column_names.index("reward") - 2]
    left, right = (set(map(str, table.select(columns).to_pylist())) for table in (one, other))
    return len(left & right) / max(1, len(left | right))


def overhead(folder: Path, table: pd.DataFrame, options: argparse.Namespace) -> dict[str, Any]:
    """The same rows from file to file in one process and in one call in memory, in turns; neither has to load."""
    count, out = options.rows, folder / "out_overhead"
    file = drawn(table, count, folder / f"rows_{count}.parquet")
    rows, explainer = pd.read_parquet(file), loaded(folder)
    circumstance = machine()
    torch.set_num_threads(1)
    explainer.explain(rows.head(500).drop(columns=ID), count=COUNT, progress=False)
    times: dict[str, list[float]] = {"files": [], "memory": []}
    for _ in range(TURNS):
        begun = time.process_time()
        explainer.explain(rows.drop(columns=ID), count=COUNT, progress=False)
        times["memory"].append(time.process_time() - begun)
        rmtree(out, ignore_errors=True)
        begun = time.process_time()
        explain_files(replace(work_in(folder, out), load=lambda: explainer), file, QUESTION)
        times["files"].append(time.process_time() - begun)
    return {
        "kind": "overhead",
        "rows": count,
        "turns": TURNS,
        **{f"{name}_cpu_ms_per_row": 1_000 * median(found) / count for name, found in times.items()},
        "ratio": median(files / memory for files, memory in zip(times["files"], times["memory"], strict=True)),
        **circumstance,
    }


def by_ray(folder: Path, table: pd.DataFrame, options: argparse.Namespace) -> dict[str, Any]:
    """The same rows by one actor of Ray and by one process of the plain runner, in turns."""
    import ray  # noqa: PLC0415 - heavy, and only for this
    from batch_ray import answered_by_ray  # noqa: PLC0415

    count = options.rows
    file = drawn(table, count, folder / f"rows_{count}.parquet")
    circumstance = machine()
    answered_by_ray(folder, file, folder / "out_ray")  # starts the cluster, and imports everything once
    times: dict[str, list[tuple[float, float]]] = {"ray": [], "plain": []}
    for _ in range(TURNS):
        for name, found in times.items():
            out = folder / f"out_{name}"
            rmtree(out, ignore_errors=True)
            # A process of Ray's that ends meanwhile takes its time with it: the plain runner is told by its own.
            spent = tree_cpu if name == "ray" else own_cpu
            before = time.perf_counter(), spent()
            if name == "ray":
                answered_by_ray(folder, file, out)
            else:
                explain_files(work_in(folder, out), file, QUESTION)
            found.append((time.perf_counter() - before[0], spent() - before[1]))
    ray.shutdown()
    told = pd.read_parquet(folder / "out_ray")
    known = sorted_answers(folder / "out_plain", "rows").to_pandas()
    return {
        "kind": "ray",
        "rows": count,
        "turns": TURNS,
        "ray_version": ray.__version__,
        **{f"{name}_ms_per_row": 1_000 * median(wall for wall, _ in found) / count for name, found in times.items()},
        **{f"{name}_cpu_ms_per_row": 1_000 * median(cpu for _, cpu in found) / count for name, found in times.items()},
        "same_outcomes": bool((told.sort_values(ID)["answers"].to_numpy() == known["answers"].to_numpy()).all()),
        **circumstance,
    }


def by_kills(folder: Path, table: pd.DataFrame, options: argparse.Namespace) -> dict[str, Any]:
    """A run that is killed again and again."""
    circumstance = machine()
    file = drawn(table, options.rows, folder / f"rows_{options.rows}.parquet")
    return {"kind": "kills", "rows": options.rows, **killed(folder, file), **circumstance}


COMMANDS = {"run": measured, "overhead": overhead, "ray": by_ray, "kills": by_kills}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--piece-rows", type=int, default=10_000)
    parser.add_argument("--declined", type=float, metavar="SHARE", help="of rows that need an answer (default: all)")
    parser.add_argument("--so-far", action="store_true", help="only tell of what a run has done that was ended")
    parser.add_argument("--minutes", type=float, default=5.0, help="of the fit")
    parser.add_argument("--folder", type=Path, required=True, help="for all files, and to go on in")
    options = parser.parse_args()
    table = prepared(options.folder, options.minutes)
    result = {"benchmark": NAME, **COMMANDS[options.command](options.folder, table, options)}
    keep(result, NAME)
    print(result)


if __name__ == "__main__":
    main()

"""How long rows of Adult take to explain, ten answers each: this library against dice-ml on the same classifier.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python bench/scripts/speed.py
Appends one JSON line to bench/results/speed.jsonl and prints a table. dice-ml runs in an environment of its own
(see counterflownet_bench.baselines.dice_environment; made by the first run): its dependency xgboost would overwrite the
files of our xgboost-cpu.
"""

import argparse
import os
import time
from collections import Counter
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import joblib
import numpy as np
import pandas as pd
from batch_world import no_csv
from common import classifier, keep, machine, table, verdict

from counterflownet import CounterFlowNet, Explanation, Schema
from counterflownet.batch import Work, explain_files
from counterflownet.errors import CounterFlowNetError
from counterflownet_bench.baselines.dice_environment import dice_python
from counterflownet_bench.baselines.dice_process import DiceKind, DiceQuestion, DiceReply
from counterflownet_bench.datasets import BenchmarkData, load_benchmark

COUNT = 10
WARM_UP = 5
PIECE_ROWS = 2_000  # of a bulk run that one process takes at a time
CHUNK_ROWS = 200  # rows that are sampled twice, at once and a few at a time
SEED = 0


def fitted(model: Any, data: BenchmarkData, minutes: float) -> CounterFlowNet:
    """The explainer as a user gets it who only says which columns are continuous and how long it may train."""
    schema = Schema.infer(data.X_train, kinds=dict.fromkeys(data.card.continuous, "continuous"))
    return CounterFlowNet(model, schema=schema, seed=SEED).fit(data.X_train, minutes=minutes)


def timed(explainer: CounterFlowNet, rows: pd.DataFrame) -> tuple[Explanation, float]:
    """The answers, and the seconds until they were a frame."""
    begun = time.perf_counter()
    explanation = explainer.explain(rows, count=COUNT)
    explanation.to_frame()
    return explanation, time.perf_counter() - begun


def summary(seconds: list[float]) -> dict[str, float]:
    """The mean is what many rows cost; median and 90th percentile are what somebody waits who asks for one."""
    return {
        "seconds_per_row": float(np.mean(seconds)),
        "median_seconds": float(np.median(seconds)),
        "p90_seconds": float(np.quantile(seconds, 0.9)),
    }


def alone(explainer: CounterFlowNet, rows: pd.DataFrame) -> list[float]:
    """The seconds of one row at a time, after some that are not counted."""
    return [timed(explainer, rows.iloc[[number]])[1] for number in range(len(rows))][WARM_UP:]


def together(explainer: CounterFlowNet, model: Any, rows: pd.DataFrame) -> dict[str, Any]:
    """All rows in one call; validity is asked of the classifier again, not taken from the explanation."""
    explanation, seconds = timed(explainer, rows)
    wanted = np.array(explanation.targets, dtype=object)[explanation.row]
    return {
        "rows": len(rows),
        "seconds_per_row": seconds / len(rows),
        "answers": len(explanation.row),
        "valid": int((model.predict(explanation.counterfactuals) == wanted).sum()),
        "complete_rows": int((np.bincount(explanation.row, minlength=len(rows)) == COUNT).sum()),
    }


def loaded(folder: Path) -> CounterFlowNet:
    """The explainer as a process of a bulk run loads it."""
    return CounterFlowNet.load(folder / "explainer.cfn", joblib.load(folder / "model.joblib"))


def asked(_: CounterFlowNet) -> dict[str, Any]:
    return {"count": COUNT}


def known(explainer: CounterFlowNet, rows: pd.DataFrame) -> pd.DataFrame:
    return rows[list(explainer.schema.names)]


def in_bulk(explainer: CounterFlowNet, model: Any, rows: pd.DataFrame, count: int) -> dict[str, Any]:
    """So many rows, drawn from these, from a file into a folder, by a process for every core, start included."""
    workers = os.cpu_count() or 1
    with TemporaryDirectory() as name:
        folder = Path(name)
        explainer.save(folder / "explainer.cfn")
        joblib.dump(model, folder / "model.joblib")
        drawn = rows.sample(count, replace=True, random_state=SEED).assign(id=np.arange(count))
        drawn.to_parquet(folder / "rows.parquet", index=False, row_group_size=PIECE_ROWS)
        work = Work(partial(loaded, folder), asked, known, no_csv, "id", folder / "answers")
        begun = time.perf_counter()
        told = explain_files(work, folder / "rows.parquet", {"count": COUNT}, workers=workers, piece_rows=PIECE_ROWS)
        seconds = time.perf_counter() - begun
    return {"rows": count, "workers": workers, "seconds_per_row": seconds / count, "answers": told.answers}


def chunk_differences(explainer: CounterFlowNet, rows: pd.DataFrame) -> float:
    """The share of raw samples that come out otherwise when rows are worked 7 at a time instead of all at once.

    The random numbers are the same; only the rounding of matrix products depends on how many rows they have.
    """
    drawn = [explainer.sample(rows, samples=20, chunk_rows=size).to_frame() for size in (len(rows), 7)]
    columns = ["factual", "rank", *rows.columns]
    once, many = (frame[columns].set_index(["factual", "rank"]).astype(str).agg("|".join, axis=1) for frame in drawn)
    return float((once != many.reindex(once.index)).mean())


def dice(model: Any, data: BenchmarkData, rows: pd.DataFrame, limit: float) -> dict[str, dict[str, Any]]:
    """Each method of dice-ml on these rows, one after the other, each in a process of its own."""
    python, results = dice_python(), {}
    for method in get_args(DiceKind):
        print(f"dice-ml {method}: {len(rows)} rows, at most {limit / 60:g} minutes", flush=True)
        question = DiceQuestion(
            kind=method,
            card=data.card,
            train=data.X_train,
            rows=rows,
            targets=(1 - model.predict_proba(rows).argmax(axis=1)).tolist(),
            seeds=[SEED + number for number in range(len(rows))],
            count=COUNT,
            ranges=[{}] * len(rows),
            seconds_per_row=limit,
            seconds=limit,
            warm_up=True,
        )
        try:
            results[method] = told(question.reply(model, python), model, rows)
        except CounterFlowNetError as error:
            results[method] = {"rows": 0, "failed": str(error)}
    return results


def told(reply: DiceReply, model: Any, rows: pd.DataFrame) -> dict[str, Any]:
    """What is kept of a method's reply; a row without an answer counts with its time."""
    errors = Counter(reason for reason in reply.reasons if reason is not None)
    counts = np.bincount(reply.row, minlength=len(reply.reasons))
    valid = model.predict(reply.answers) != model.predict(rows)[reply.row] if len(reply.row) else np.zeros(0)
    return {
        "rows": len(reply.reasons),
        "seconds": list(reply.seconds),
        "answers": len(reply.row),
        "valid": int(valid.sum()),
        "complete_rows": int((counts == COUNT).sum()),
        "errors": dict(errors),
        "cut_off": len(reply.reasons) < len(rows) or "timed_out" in errors,
        "failed": None if len(reply.row) else next(iter(errors), "no row was answered in time"),
        **reply.process,
        **(summary(list(reply.seconds)) if reply.seconds else {}),
    }


def ratios(ours: dict[str, Any], theirs: dict[str, dict[str, Any]]) -> dict[str, dict[str, float | None]]:
    """How many times as long dice-ml takes: per row of many (means), and for one row alone (medians)."""
    return {
        method: {
            "per_row": None if result["failed"] else result["seconds_per_row"] / ours["seconds_per_row"],
            "bulk": None if result["failed"] else result["seconds_per_row"] / ours["bulk"]["seconds_per_row"],
            "alone": None if result["failed"] else result["median_seconds"] / ours["alone"]["median_seconds"],
        }
        for method, result in theirs.items()
    }


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Everything of one run."""
    circumstance = machine()
    data = load_benchmark("adult_protocol_b")
    model = classifier(data)
    begun = time.perf_counter()
    explainer = fitted(model, data, options.minutes)
    fit_seconds = time.perf_counter() - begun
    few = data.X_test.head(WARM_UP + options.alone_rows)
    # They take seconds, and a shared machine has slow minutes: so at three times of the run. The first warms up, too.
    passes = [alone(explainer, few)]
    ours = together(explainer, model, data.X_test.head(options.rows))
    ours["bulk"] = in_bulk(explainer, model, data.X_test, options.bulk_rows)
    passes.append(alone(explainer, few))
    differences = chunk_differences(explainer, data.X_test.head(CHUNK_ROWS))
    theirs = dice(model, data, data.X_test.head(options.dice_rows), 60 * options.dice_minutes)
    passes.append(alone(explainer, few))
    seconds = [second for each in passes for second in each]
    medians = {"medians": [float(np.median(each)) for each in passes]}
    ours["alone"] = {"rows": len(seconds)} | summary(seconds) | medians
    return {
        "benchmark": "speed",
        **circumstance,
        "minutes": options.minutes,
        "asked": COUNT,
        "classifier_accuracy": float(model.score(data.X_test, data.y_test)),
        "fit_seconds": fit_seconds,
        "steps": explainer.history.moments[-1].step,
        "ours": ours,
        "dice": theirs,
        "dice_minutes": options.dice_minutes,
        "ratios": ratios(ours, theirs),
        "chunk_differences": differences,
        "load_after": os.getloadavg()[0],
        "settings": explainer.settings.to_json(),
    }


def own_lines(result: dict[str, Any]) -> list[list[str]]:
    """What was measured of ours, with the two bars."""
    ours, alone, faster = result["ours"], result["ours"]["alone"], result["ratios"]["random"]["per_row"]
    median, p90 = 1000 * alone["median_seconds"], 1000 * alone["p90_seconds"]
    each = [f"{1000 * own:.1f}" for own in alone.get("medians", ())]
    passes = (
        f" ({alone['rows'] // len(each)} rows at {len(each)} times of the run: {', '.join(each)} ms)" if each else ""
    )
    return [
        ["training, once", f"{result['fit_seconds']:.0f} s, {result['steps']} steps", ""],
        [f"time per row, {ours['rows']} rows in one call", f"{1000 * ours['seconds_per_row']:.1f} ms", ""],
        [
            "dice-ml random takes so many times as long per row",
            "" if faster is None else f"{faster:.1f}",
            verdict(">= 100", met=None if faster is None else faster >= 100),
        ],
        *bulk_lines(result),
        [
            f"time of one row alone, median of {alone['rows']}{passes}",
            f"{median:.1f} ms",
            verdict("<= 50 ms", met=median <= 50),
        ],
        ["time of one row alone, 90th percentile", f"{p90:.1f} ms", ""],
        ["answers found of those asked for", f"{ours['answers'] / (result['asked'] * ours['rows']):.2%}", ""],
        ["valid of those found", f"{ours['valid'] / max(ours['answers'], 1):.2%}", ""],
        ["raw samples that differ with another chunk size", f"{result['chunk_differences']:.3%}", ""],
    ]


def bulk_lines(result: dict[str, Any]) -> list[list[str]]:
    """The same from a file to a folder, which takes all cores; older results do not know it."""
    bulk, faster = result["ours"].get("bulk"), result["ratios"]["random"].get("bulk")
    if bulk is None:
        return []
    way = f"time per row, {bulk['rows']:,} rows from a file, {bulk['workers']} processes, starting them included"
    return [
        [way, f"{1000 * bulk['seconds_per_row']:.2f} ms", ""],
        [
            f"dice-ml random, which knows no way to use {bulk['workers']} cores, takes so many times as long",
            "" if faster is None else f"{faster:.1f}",
            verdict(">= 100", met=None if faster is None else faster >= 100),
        ],
    ]


def dice_line(method: str, result: dict[str, Any], ratio: dict[str, float | None]) -> list[str]:
    """One method of dice-ml; a failure is a line too."""
    if result["failed"]:
        reason = result["failed"].replace("|", "/").replace("\n", " ")  # either would end the cell
        return [method, f"{result['rows']}", f"failed: {reason}", *[""] * 6]
    times = [f"{1000 * result[key]:.0f} ms" for key in ("seconds_per_row", "median_seconds", "p90_seconds")]
    rows = f"{result['rows']}, then out of time" if result["cut_off"] else f"{result['rows']}"
    valid = f"{result['valid'] / max(result['answers'], 1):.2%}"
    counts = [f"{result['answers'] / result['rows']:.2f}", valid, f"{ratio['per_row']:.1f}", f"{ratio['alone']:.1f}"]
    return [method, rows, *times, *counts]


def dice_errors(results: dict[str, Any]) -> str:
    """What dice-ml raised, and in how many rows; such rows count with their time and no answers."""
    raised = [(method, *error) for method, result in results.items() for error in result.get("errors", {}).items()]
    if raised:
        return "\n".join(f"- {method}, {count} row(s): {' '.join(text.split())}" for method, text, count in raised)
    return "" if any(result["failed"] for result in results.values()) else "No row of dice-ml raised an error."


def conditions(result: dict[str, Any]) -> str:
    """Classifier, machine and versions, in one paragraph."""
    versions = next((told["versions"] for told in result["dice"].values() if "versions" in told), {})
    return f"""{result["asked"]} answers per row, the defaults of both libraries, all columns may change, the same
scikit-learn pipeline (accuracy {result["classifier_accuracy"]:.2%}), words as Python strings (pandas without pyarrow),
the same machine in the same run:
{result["cores"]} cores, {result["threads"]} thread(s), load {result["load_before"]:.1f} before and
{result["load_after"]:.1f} after, this run included. Version {result["version"]}\
{"".join(f", {name} {number}" for name, number in versions.items())}.
Made by `python bench/scripts/speed.py`."""


def section(results: list[dict[str, Any]]) -> str:
    """The newest result."""
    result = results[-1]
    columns = ("rows", "mean", "median", "90th percentile", "answers per row", "valid")
    compared = ("times ours, many", "times ours, one")
    theirs = [dice_line(key, told, result["ratios"][key]) for key, told in result["dice"].items()]
    return f"""## Speed on Adult against dice-ml

{conditions(result)}

{table(["what", "measured", "bar"], own_lines(result))}

A row's random numbers do not depend on the rows beside it. What is left is the rounding of matrix products, which
depends on how many rows they have: the last line says how often that turns a draw.

dice-ml explains one row after the other and needs no training. Each method had {result["dice_minutes"]:g} minutes. The
last two columns say how many times as long as ours it takes: per row of many (means), and for one row alone (medians).

{table(["dice-ml", *columns, *compared], theirs)}

{dice_errors(result["dice"])}
"""


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="of training")
    parser.add_argument("--rows", type=int, default=2000, help="explained by us in one call")
    parser.add_argument("--bulk-rows", type=int, default=100_000, help="explained by us from a file")
    parser.add_argument("--alone-rows", type=int, default=100, help="explained by us one at a time")
    parser.add_argument("--dice-rows", type=int, default=50, help="explained by each method of dice-ml")
    parser.add_argument("--dice-minutes", type=float, default=10.0, help="at most, for each method of dice-ml")
    return parser.parse_args()


def main() -> None:
    # dice-ml's environment has no pyarrow, and both are to have the same table
    with pd.option_context("mode.string_storage", "python"):
        result = measured(parsed())
    keep(result, "speed")
    print(section([result]))


if __name__ == "__main__":
    main()

"""How long rows of Adult take to explain, ten answers each: this library against dice-ml on the same classifier.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python benchmarks/speed.py
Appends one JSON line to benchmarks/results/speed.jsonl and prints a table. dice-ml runs in an environment of its own
(.venv-dice, made by the first run): its dependency xgboost would overwrite the files of our xgboost-cpu.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import torch
from adult import classifier

from counterflownet import CounterFlowNet, Explanation, Schema, __version__
from counterflownet.datasets import BenchmarkData, load_benchmark

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "speed.jsonl"
ENVIRONMENT = HERE.parent / ".venv-dice"
METHODS = ("random", "genetic", "kdtree")
COUNT = 10
WARM_UP = 5
SEED = 0

SHARED = ("joblib", "numpy", "pandas", "scikit-learn", "scipy")  # as here, so that the pickled pipeline is the same
NEEDED = ("jsonschema", "requests", "tqdm")
BARE = ("dice-ml==0.12", "raiutils==0.4.2")  # without dependencies: these methods never import the boosting libraries
STARTING = 120.0  # seconds beyond its limit after which a worker that does not listen is ended


def dice_python() -> Path:
    """The interpreter of dice-ml's environment, which is made anew when our own versions have changed."""
    python, stamp = ENVIRONMENT / "bin" / "python", ENVIRONMENT / "wanted.txt"
    wanted = [*(f"{package}=={version(package)}" for package in SHARED), *NEEDED]
    text = "\n".join([*wanted, *BARE])
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != text:
        print(f"making {ENVIRONMENT.name} for dice-ml", flush=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for command in ([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], [*install, *wanted]):
            subprocess.run(command, check=True)  # noqa: S603 - all of it is written here
        subprocess.run([*install, "--no-deps", *BARE], check=True)  # noqa: S603
        stamp.write_text(text, encoding="utf-8")  # last, so that a half-made environment is made again
    return python


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


def alone(explainer: CounterFlowNet, rows: pd.DataFrame) -> dict[str, float]:
    """One row at a time, after some that are not counted."""
    seconds = [timed(explainer, rows.iloc[[number]])[1] for number in range(len(rows))][WARM_UP:]
    return {"rows": len(seconds)} | summary(seconds)


def together(explainer: CounterFlowNet, model: Any, rows: pd.DataFrame) -> dict[str, Any]:
    """All rows in one call; validity is asked of the classifier again, not taken from the explanation."""
    explanation, seconds = timed(explainer, rows)
    wanted = np.array(explanation.targets, dtype=object)[explanation.row]
    return {
        "rows": len(rows),
        "seconds_per_row": seconds / len(rows),
        "answers": len(explanation),
        "valid": int((model.predict(explanation.counterfactuals) == wanted).sum()),
        "complete_rows": int((np.bincount(explanation.row, minlength=len(rows)) == COUNT).sum()),
    }


def worked(python: Path, folder: Path, method: str, limit: float) -> dict[str, Any]:
    """What the worker wrote, or why it wrote nothing."""
    output = folder / f"{method}.json"
    with (folder / f"{method}.log").open("w+", encoding="utf-8") as log:
        command = [python, HERE / "dice_worker.py", folder, method]
        try:
            subprocess.run(command, check=True, stdout=log, stderr=log, timeout=limit + STARTING)  # noqa: S603
            return json.loads(output.read_text(encoding="utf-8"))
        except subprocess.TimeoutExpired:
            return {"rows": 0, "failed": "the worker did not end at its time limit"}
        except subprocess.CalledProcessError as error:
            log.seek(0)
            last = (log.read().strip() or "it said nothing").splitlines()[-1]
            return {"rows": 0, "failed": f"the worker ended with {error.returncode}: {last[:300]}"}


def judged(result: dict[str, Any], expected: np.ndarray) -> dict[str, Any]:
    """The worker's result with the times summed up; times for another classifier than ours are no comparison."""
    probabilities = result.pop("probabilities", None)
    if probabilities is not None and not np.allclose(probabilities, expected, atol=1e-6):
        return result | {"failed": "the pipeline predicts otherwise in dice-ml's environment"}
    return result | (summary(result["seconds"]) if result["rows"] else {})


def dice(model: Any, data: BenchmarkData, rows: pd.DataFrame, limit: float) -> dict[str, dict[str, Any]]:
    """Each method of dice-ml on these rows, one after the other, each in a process of its own."""
    python = dice_python()
    expected = model.predict_proba(rows)[:, 1]
    task = {"model": model, "train": data.X_train, "rows": rows, "continuous": list(data.card.continuous)}
    results = {}
    with tempfile.TemporaryDirectory() as name:
        joblib.dump(task | {"count": COUNT, "seconds": limit, "seed": SEED}, Path(name) / "task.joblib")
        for method in METHODS:
            print(f"dice-ml {method}: {len(rows)} rows, at most {limit / 60:g} minutes", flush=True)
            results[method] = judged(worked(python, Path(name), method, limit), expected)
    return results


def ratios(ours: dict[str, Any], theirs: dict[str, dict[str, Any]]) -> dict[str, dict[str, float | None]]:
    """How many times as long dice-ml takes: per row of many (means), and for one row alone (medians)."""
    return {
        method: {
            "per_row": None if result["failed"] else result["seconds_per_row"] / ours["seconds_per_row"],
            "alone": None if result["failed"] else result["median_seconds"] / ours["alone"]["median_seconds"],
        }
        for method, result in theirs.items()
    }


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Everything of one run."""
    load = os.getloadavg()
    data = load_benchmark("adult_protocol_b")
    model = classifier(data)
    begun = time.perf_counter()
    explainer = fitted(model, data, options.minutes)
    fit_seconds = time.perf_counter() - begun
    single = alone(explainer, data.X_test.head(WARM_UP + options.alone_rows))  # first: it warms up for the rest
    ours = together(explainer, model, data.X_test.head(options.rows)) | {"alone": single}
    theirs = dice(model, data, data.X_test.head(options.dice_rows), 60 * options.dice_minutes)
    return {
        "benchmark": "speed",
        "version": __version__,
        "minutes": options.minutes,
        "asked": COUNT,
        "classifier_accuracy": float(model.score(data.X_test, data.y_test)),
        "fit_seconds": fit_seconds,
        "steps": explainer.history.moments[-1].step,
        "ours": ours,
        "dice": theirs,
        "dice_minutes": options.dice_minutes,
        "ratios": ratios(ours, theirs),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "load_before": load,
        "load_after": os.getloadavg(),
        "settings": explainer.settings.to_json(),
    }


def line(name: str, result: dict[str, Any], faster: float | None = None) -> str:
    """One method in the table; what was not measured stays empty."""
    if result.get("failed"):
        return f"{name:<30}{result['rows']:>6}  failed: {result['failed']}"
    times = [result.get(key) for key in ("seconds_per_row", "median_seconds", "p90_seconds")]
    numbers = ["" if seconds is None else f"{1000 * seconds:.1f}" for seconds in times]
    if "answers" in result:
        numbers += [f"{result['answers'] / result['rows']:.2f}", f"{result['valid'] / max(result['answers'], 1):.2%}"]
    if faster is not None:
        numbers += [f"{faster:.1f}"]
    return f"{name:<30}{result['rows']:>6}" + "".join(f"{number:>12}" for number in numbers)


def table(result: dict[str, Any]) -> str:
    """All methods, ours first."""
    ours, names = result["ours"], ("ms per row", "median", "p90", "answers/row", "valid", "times ours")
    return "\n".join(
        [
            f"{'':<30}{'rows':>6}" + "".join(f"{name:>12}" for name in names),
            line("counterflownet, all at once", ours),
            line("counterflownet, one row alone", ours["alone"]),
            *(line(f"dice-ml {key}", told, result["ratios"][key]["per_row"]) for key, told in result["dice"].items()),
        ]
    )


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="of training")
    parser.add_argument("--rows", type=int, default=2000, help="explained by us in one call")
    parser.add_argument("--alone-rows", type=int, default=100, help="explained by us one at a time")
    parser.add_argument("--dice-rows", type=int, default=50, help="explained by each method of dice-ml")
    parser.add_argument("--dice-minutes", type=float, default=10.0, help="at most, for each method of dice-ml")
    parser.add_argument("--out", type=Path, default=RESULTS)
    return parser.parse_args()


def main() -> None:
    options = parsed()
    result = measured(options)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")
    print(table(result))
    before, after = (result[key][0] for key in ("load_before", "load_after"))
    print(f"load {before:.1f} before, {after:.1f} after; {result['threads']} thread(s) on {result['cores']} cores")


if __name__ == "__main__":
    main()

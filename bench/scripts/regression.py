"""Questions of numbers on three real tables: how many rows are answered, how well, and what dice-ml says of the same.

    python bench/scripts/regression.py                      # our answers, and those of dice-ml's random kind
    python bench/scripts/regression.py --table cars --method counterflownet
    python bench/scripts/regression.py --show

Needs vega_datasets. A row counts as reachable if anyone finds an answer for it: exhaustive search over all single
changes and pairs of them on a grid, a random search that mixes it with training rows, or one of the methods. Each
method and table appends two JSON lines to bench/results/regression.jsonl: all columns may change, or every third.
regression_page.py makes the page of them.
"""

import argparse
import subprocess
import time
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import joblib
import numpy as np
import pandas as pd
from common import keep, latest, lines, machine
from regression_page import NAME, compared
from regression_tables import TABLES, Asked, asked

from counterflownet import CounterFlowNet, Mutable
from counterflownet_bench.baselines.dice_environment import dice_python

COUNT = 5
TRAINING = {"steps": 150, "width": 64}
GRID = 9  # values of a number, and categories, that pairs are made of
MIXED = 4_000  # rows of the random search
METHODS = ("counterflownet", "dice-random", "dice-genetic")
SECONDS_PER_ROW = 20.0


def ours(question: Asked) -> dict[str, Any]:
    """The answers of the library, with the seconds that it took to fit and to explain all rows."""
    begun = time.perf_counter()
    explainer = CounterFlowNet(question.model, training=TRAINING).fit(question.train, progress=False)
    fitted = time.perf_counter()
    rules = [Mutable(*question.open)]
    answer = explainer.explain(question.rows, target=question.intervals, count=COUNT, constraints=rules)
    seconds = time.perf_counter() - fitted
    frame = answer.counterfactuals.assign(**{"row of": answer.row})
    return {"answers": frame, "seconds": seconds, "fit_seconds": fitted - begun}


def dice(question: Asked, kind: str) -> dict[str, Any]:
    """What dice-ml answers; where an interval has no end, it is told the last prediction of training rows."""
    predictions = question.model.predict(question.train)
    ends = [[max(one.low, predictions.min()), min(one.high, predictions.max())] for one in question.intervals]
    told = {"train": _objects(question.train), "rows": _objects(question.rows), "numeric": question.numeric}
    told |= {
        "model": question.model,
        "open": question.open,
        "ends": ends,
        "count": COUNT,
        "kind": kind,
        "seconds_per_row": SECONDS_PER_ROW,
    }
    with TemporaryDirectory() as folder:
        joblib.dump(told, Path(folder) / "task.joblib")
        worker = Path(__file__).with_name("regression_dice.py")
        command = [str(dice_python()), "-I", str(worker), folder]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own worker
        reply = joblib.load(Path(folder) / "reply.joblib")
    return {"answers": reply["answers"], "seconds": sum(reply["seconds"]), "fit_seconds": 0.0}


def _objects(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame without pyarrow, which dice-ml's environment has not."""
    columns = {name: frame[name].astype(object) if frame[name].dtype == "str" else frame[name] for name in frame}
    return pd.DataFrame(columns).set_axis(pd.Index(list(frame.columns), dtype=object), axis=1)


def facts(question: Asked, found: dict[str, Any]) -> dict[str, Any]:
    """How good the answers are; changes and distances are those of answers that are where they should be."""
    frame, of = found["answers"].drop(columns="row of"), found["answers"]["row of"].to_numpy(dtype=np.int64)
    frame = frame[list(question.train.columns)].reset_index(drop=True)
    inside = question.inside(frame, of)
    before = question.rows.take(of).reset_index(drop=True)
    moved = pd.DataFrame({name: _moved(question, name, before[name], frame[name]) for name in question.train})
    return {
        "answers": len(frame),
        "inside": float(inside.mean()) if len(frame) else None,
        "answered_rows": sorted(set(of[inside].tolist())),
        "changes": float((moved[inside] > 0).sum(axis=1).mean()),
        "distance": float(moved[inside].sum(axis=1).mean()),
        "seconds_per_row": found["seconds"] / len(question.rows),
        "fit_seconds": found["fit_seconds"],
    }


def _moved(question: Asked, name: str, before: pd.Series, after: pd.Series) -> np.ndarray:
    """How far a column moved: a number in deviations, a category by 1."""
    if name not in question.numeric:
        return (before.astype(str) != after.astype(str)).to_numpy(dtype=np.float64)
    apart = np.abs(before.to_numpy(np.float64) - after.to_numpy(np.float64))
    return np.where(apart > 1e-9, apart, 0.0) / question.train[name].std()


def reached_by_search(question: Asked) -> list[int]:
    """The rows for which exhaustive or random search finds an answer."""
    return [number for number in range(len(question.rows)) if _is_reached(question, number)]


def _is_reached(question: Asked, number: int) -> bool:
    tried = (search(question, number) for search in (_singles, _pairs, _mixtures))
    return any(question.inside(rows, np.full(len(rows), number)).any() for rows in tried)


def _grid(question: Asked, name: str, most: int | None) -> list[Any]:
    values = np.sort(question.train[name].unique())
    if most is None or len(values) <= most:
        return values.tolist()
    return values[np.linspace(0, len(values) - 1, most).round().astype(int)].tolist()


def _repeated(question: Asked, number: int, count: int) -> pd.DataFrame:
    return question.rows.iloc[np.full(count, number)].reset_index(drop=True)


def _singles(question: Asked, number: int) -> pd.DataFrame:
    grids = {name: _grid(question, name, None) for name in question.open}
    return pd.concat([_repeated(question, number, len(grid)).assign(**{name: grid}) for name, grid in grids.items()])


def _pairs(question: Asked, number: int) -> pd.DataFrame:
    grids, parts = {name: _grid(question, name, GRID) for name in question.open}, []
    for one, other in combinations(grids, 2):
        first, second = np.meshgrid(np.arange(len(grids[one])), np.arange(len(grids[other])))
        values = {one: [grids[one][i] for i in first.ravel()], other: [grids[other][i] for i in second.ravel()]}
        parts.append(_repeated(question, number, first.size).assign(**values))
    return pd.concat(parts, ignore_index=True)


def _mixtures(question: Asked, number: int) -> pd.DataFrame:
    draw = np.random.default_rng(number)
    rows, others = _repeated(question, number, MIXED), draw.integers(len(question.train), size=MIXED)
    share = draw.random(MIXED)
    for name in question.open:
        taken = draw.random(MIXED) < share
        rows[name] = rows[name].where(~taken, question.train[name].take(others).reset_index(drop=True))
    return rows


def measured(name: str, method: str, *, few: bool) -> dict[str, Any]:
    """One method on one table."""
    circumstance, question = machine(), asked(name, few=few)
    found = ours(question) if method == "counterflownet" else dice(question, method.removeprefix("dice-"))
    columns = f"{len(question.open)} of {question.train.shape[1]}"
    told = {
        "benchmark": NAME,
        "table": name,
        "columns": columns,
        "method": method,
        "rows": len(question.rows),
        **circumstance,
    }
    told |= facts(question, found)
    return told | ({"reached_by_search": reached_by_search(question)} if method == "counterflownet" else {})


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--method", nargs="+", choices=METHODS, default=METHODS[:2])
    parser.add_argument("--show", action="store_true", help="print what was measured, and measure nothing")
    return parser.parse_args()


def main() -> None:
    told = parsed()
    for name in [] if told.show else told.table:
        for method in told.method:
            for few in (False, True):
                keep(measured(name, method, few=few), NAME)
    print(compared(latest(lines(NAME), "table", "columns", "method")))


if __name__ == "__main__":
    main()

"""How the defaults of answers were chosen: what other settings would give, on training rows held out of the fit.

Needs the folder of datasets (COUNTERFLOWNET_DATA=...):

    python bench/scripts/defaults.py --minutes 1.5                        # all tables, all variants; resumes
    python bench/scripts/defaults.py --dataset give_me_some_credit --variant range uniform
    python bench/scripts/defaults.py --show

Variants of a fit change the scale of distances, the bins, the margin or a weight; each fit is then asked with several
numbers of samples and rounds. Each fit appends its lines to bench/results/defaults.jsonl; those already there, with the
same limit of time, are not made again. Test rows are never looked at.
"""

import argparse
import time
from typing import Any

import numpy as np
import pandas as pd
from common import classifier, keep, lines, machine, table

from counterflownet import Bins, CounterFlowNet, Explanation, Schema
from counterflownet_bench.datasets import BenchmarkData, load_benchmark

NAME = "defaults"
DATASETS = ("adult_protocol_b", "bank_marketing", "credit_default", "give_me_some_credit", "lending_club")
ROWS = 200
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "rank": {"reward": {"proximity_scale": "rank"}},
    "deviation": {"reward": {"proximity_scale": "deviation"}},
    "range": {"reward": {"proximity_scale": "range"}},
    "uniform bins": {"bins": Bins(strategy="uniform")},
    "margin 0.1": {"reward": {"margin": 0.1}},
    "margin 0.25": {"reward": {"margin": 0.25}},
    "proximity 0.8": {"weights": {"proximity": 0.8}},
}
EFFORTS: dict[str, dict[str, int]] = {
    "default": {},
    "15 samples": {"samples": 15},
    "50 samples": {"samples": 50},
    "100 samples": {"samples": 100},
    "1 round": {"rounds": 1},
    "8 rounds": {"rounds": 8},
}
COLUMNS = ("found", "strategies", "changes", "rank_move", "z_move", "lof_excess", "ms_per_row")


def fitted(data: BenchmarkData, rows: pd.DataFrame, model: Any, variant: str, minutes: float) -> CounterFlowNet:
    """An explainer of these rows that differs from the default in what the variant says."""
    told = dict(VARIANTS[variant])
    kinds = dict.fromkeys(data.card.continuous, "continuous")
    schema = Schema.infer(rows, kinds=kinds, bins=told.pop("bins", None))
    return CounterFlowNet(model, schema=schema, seed=0, **told).fit(rows, minutes=minutes, progress=False)


def measured(answer: Explanation, train: pd.DataFrame, columns: tuple[str, ...]) -> dict[str, float]:
    """What a person notices: whether there is an answer, how different, how many changes, how far, how unusual."""
    ranks, moves = [], []
    for name in columns:
        place = list(train.columns).index(name)
        at = np.flatnonzero(answer.changed[:, place])
        rising = np.sort(train[name].to_numpy(dtype=np.float64))
        before = answer.factuals[name].to_numpy(dtype=np.float64)[answer.row[at]]
        after = answer.counterfactuals[name].to_numpy(dtype=np.float64)[at]
        between = np.abs(np.searchsorted(rising, after) - np.searchsorted(rising, before)) / len(rising)
        ranks.append(between)
        moves.append(np.abs(after - before) / rising.std())
    counts = np.bincount(answer.row, minlength=len(answer.factuals))
    best = pd.Series(answer.strategy).groupby(answer.row).nunique()
    return {
        "found": float((counts > 0).mean()),
        "strategies": float(best.mean()),
        "changes": float(answer.changed.sum(axis=1).mean()),
        "rank_move": float(np.concatenate(ranks).mean()),
        "z_move": float(np.concatenate(moves).mean()),
        "lof_excess": float(-np.log(answer.terms["plausibility"]).mean()),
    }


def run(name: str, variant: str, minutes: float) -> None:
    """One fit, asked with every effort if it is the default's, and with the usual one otherwise."""
    data = load_benchmark(name)
    order = np.random.default_rng(0).permutation(len(data.X_train))
    held, rest = data.X_train.iloc[order[:ROWS]], data.X_train.iloc[order[ROWS:]]
    circumstance, model = machine(), classifier(data)
    explainer = fitted(data, rest, model, variant, minutes)
    for effort, asked in EFFORTS.items() if variant == "default" else [("default", {})]:
        begun = time.perf_counter()
        answer = explainer.explain(held, progress=False, **asked)
        seconds = time.perf_counter() - begun
        figures = measured(answer, rest, data.card.continuous) | {"ms_per_row": 1000 * seconds / len(held)}
        told = {"dataset": name, "variant": variant, "effort": effort, "minutes": minutes}
        weakest = min(direction.validity for direction in explainer.history.directions)
        keep({"benchmark": NAME, **told, **figures, "weakest_direction": weakest, **circumstance}, NAME)
        print(told, {key: round(value, 3) for key, value in figures.items()}, flush=True)


def show() -> str:
    """The last figures of every table, variant and effort."""
    last = {(line["dataset"], line["variant"], line["effort"]): line for line in lines(NAME)}
    rows = [[*key, *(f"{line[column]:.3f}" for column in COLUMNS)] for key, line in sorted(last.items())]
    return table(["table", "variant", "effort", *(column.replace("_", " ") for column in COLUMNS)], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", nargs="+", default=DATASETS, choices=DATASETS)
    parser.add_argument("--variant", nargs="+", default=list(VARIANTS), choices=VARIANTS)
    parser.add_argument("--minutes", type=float, default=1.5, help="time limit of each fit")
    parser.add_argument("--show", action="store_true", help="run nothing, print what is known")
    options = parser.parse_args()
    known = {(line["dataset"], line["variant"], line["minutes"]) for line in lines(NAME)}
    for variant in [] if options.show else options.variant:
        for name in options.dataset:
            if (name, variant, options.minutes) not in known:
                run(name, variant, options.minutes)
    print(show())


if __name__ == "__main__":
    main()

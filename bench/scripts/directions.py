"""How often plain samples are valid, for each direction (predicted class -> target), on rows that no fit has seen.

Needs the folder of datasets (COUNTERFLOWNET_DATA=...):

    python bench/scripts/directions.py --dataset give_me_some_credit --seed 0 1 2 3 4
    python bench/scripts/directions.py --training balanced=false repair=0     # the table's own shares, no repair
    python bench/scripts/directions.py --reward margin=0.25
    python bench/scripts/directions.py --show

The rows are held out of the training table. Test rows are looked at only with --test. Each fit appends one JSON line to
bench/results/directions.jsonl; one that is there already, with the same settings, is not made again.
"""

import argparse
import json
import time
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from common import circumstances, keep, latest, lines, machine, table

from counterflownet import Bins, CounterFlowNet
from counterflownet.explain.settings import ExplainerSettings
from counterflownet_bench.benchmark.roles import reference_of, schema_of
from counterflownet_bench.datasets import BenchmarkData, load_benchmark

NAME = "directions"
DATASETS = ("adult_protocol_b", "bank_marketing", "credit_default", "give_me_some_credit", "lending_club")
ROWS = 500  # of each predicted class, but not more than a tenth of them
SAMPLES = 10
POOLED_ROWS, POOL = 50, 1_000  # for what a perfect sampler would do, which is dear
BAR = 0.95


def held_out(predicted: np.ndarray) -> np.ndarray:
    """Flags of the rows that the fit does not see: some of every predicted class, the same for every seed."""
    draw, held = np.random.default_rng(0), np.zeros(len(predicted), dtype=bool)
    for label in np.unique(predicted):
        rows = np.flatnonzero(predicted == label)
        held[draw.permutation(rows)[: min(ROWS, max(1, len(rows) // 10))]] = True
    return held


def validity(explainer: CounterFlowNet, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Of samples as drawn, one that changed nothing counting as not valid, and as the reward itself would have them.

    The latter are samples corrected by importance weights: if they are often invalid, it is the reward that likes
    invalid rows, and no training can help.
    """
    predicted = explainer.classifier.probabilities(rows).argmax(axis=1)
    found = []
    for number in np.unique(predicted):
        asked = rows[predicted == number].head(ROWS)
        for target in (label for place, label in enumerate(explainer.classes) if place != number):
            labels = {"predicted": explainer.classes[number], "target": target, "rows": len(asked)}
            plain = _share(explainer, asked, target=target)
            corrected = _share(explainer, asked.head(POOLED_ROWS), target=target, pool=POOL)
            found.append({**labels, "validity": plain, "by_reward": corrected})
    return found


def _share(explainer: CounterFlowNet, rows: pd.DataFrame, **asked: Any) -> float:
    drawn = explainer.sample(rows, samples=SAMPLES, progress=False, **asked)
    return float(drawn.valid.sum() / (SAMPLES * len(rows)))


def identity(name: str, seed: int, asked: dict[str, Any]) -> dict[str, Any]:
    """What a fit is recognised by: everything that it follows from."""
    settings = ExplainerSettings.of(**asked, seed=seed).to_json()
    return {"dataset": name, "seed": seed, "asked": asked, "bins": asdict(Bins()), "settings": settings}


def measured(told: dict[str, Any], *, test: bool) -> dict[str, Any]:
    """One fit on the training rows that are not held out."""
    circumstance, data = machine(), load_benchmark(told["dataset"])
    explainer = explainer_for(data, told["seed"], told["asked"])
    held = held_out(explainer.classifier.probabilities(data.X_train).argmax(axis=1))
    begun = time.perf_counter()
    explainer.fit(data.X_train[~held])
    seconds = time.perf_counter() - begun
    last = explainer.history.moments[-1]
    return {
        "benchmark": NAME,
        **told,
        **circumstance,
        "seconds": seconds,
        "steps": last.step,
        "ended": explainer.history.ended,
        "own_checks": explainer.history.to_json().get("checks"),
        "held_out": validity(explainer, data.X_train[held]),
        **({"test": validity(explainer, data.X_test)} if test else {}),
    }


def explainer_for(data: BenchmarkData, seed: int, asked: dict[str, Any]) -> CounterFlowNet:
    """The library as it comes, but for what was asked."""
    schema = schema_of(data.card, data.X_train, Bins())
    return CounterFlowNet(reference_of(data, seed=0).classifier, schema=schema, seed=seed, **asked)


def worst(result: dict[str, Any]) -> float:
    return min(direction["validity"] for direction in result["held_out"])


def section(results: list[dict[str, Any]]) -> str:
    """One line for each data set and way of training: the worst direction of every seed."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for result in latest([{**told, "way": way_of(told)} for told in results], "dataset", "way", "seed"):
        groups.setdefault((result["dataset"], result["way"]), []).append(result)
    names = ["data set", "batches; asked for", "worst direction, by seed", "by the reward", "steps", "seconds at most"]
    rows = [[*key, *_cells(sorted(found, key=lambda one: one["seed"]))] for key, found in sorted(groups.items())]
    return f"{table(names, rows)}\n\n{circumstances(results)}" if results else "No fit is kept yet."


def chapter(results: list[dict[str, Any]]) -> str:
    """The same as a section of the page of performance."""
    return f"""## How often samples are valid as drawn

{SAMPLES} samples of up to {ROWS} rows of each predicted class, held out of the training table and the same for every
seed; one that changes nothing counts as not valid. The worst of the two directions is told; the bar is {BAR:.0%} for
the worst seed. "By the reward" is what a perfect sampler would reach: samples corrected by importance weights, of
{POOLED_ROWS} rows. Lines that ask for something are of other settings, and of the code of their time.
Made by `python bench/scripts/directions.py`.

{section(results)}
"""


def way_of(result: dict[str, Any]) -> str:
    """Lines from before batches could be balanced say nothing of it, nor those from before misses counted less."""
    balanced = result["settings"]["training"].get("balanced", False)
    told = [f"{name}={value}" for part in result["asked"].values() for name, value in part.items()]
    before = [] if "missed" in result["settings"]["reward"] else ["misses count in full, no relatives"]
    return "; ".join(["balanced" if balanced else "as the table", *before, *told])


def _cells(found: list[dict[str, Any]]) -> list[str]:
    """By the reward: of the worst direction of all seeds, where that was measured."""
    shares, steps = [worst(one) for one in found], [one["steps"] for one in found]
    mark = "" if min(shares) >= BAR else f" (below {BAR:.0%})"
    by_seed = ", ".join(f"{share:.1%}" for share in shares)
    between = f"{min(steps):,} to {max(steps):,}"
    ideals = [direction["by_reward"] for one in found for direction in one["held_out"] if "by_reward" in direction]
    ideal = f"{min(ideals):.1%}" if ideals else "not measured"
    return [by_seed + mark, ideal, between, f"{max(one['seconds'] for one in found):.0f}"]


def settings_given(pairs: list[str]) -> dict[str, Any]:
    """``name=value`` with values as JSON writes them."""
    return {name: json.loads(value) for name, _, value in (pair.partition("=") for pair in pairs)}


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", nargs="+", choices=DATASETS, default=DATASETS)
    parser.add_argument("--seed", nargs="+", type=int, default=range(5))
    parser.add_argument("--training", nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument("--reward", nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument("--test", action="store_true", help="measure test rows too")
    parser.add_argument("--show", action="store_true", help="print what was measured, and measure nothing")
    return parser.parse_args()


def main() -> None:
    told = parsed()
    parts = {"training": settings_given(told.training), "reward": settings_given(told.reward)}
    asked = {name: part for name, part in parts.items() if part}
    for seed in [] if told.show else told.seed:
        for name in told.dataset:
            fit = identity(name, seed, asked)
            if any(fit.items() <= one.items() for one in lines(NAME)):
                continue
            result = measured(fit, test=told.test)
            keep(result, NAME)
            print(f"{name}, seed {seed}: worst {worst(result):.1%}, {result['steps']} steps, {result['seconds']:.0f} s")
    print(section(lines(NAME)))


if __name__ == "__main__":
    main()

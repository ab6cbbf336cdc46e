"""How good the explainer is after so many minutes of training, and what one step of training costs.

Needs the folder of datasets (COUNTERFLOWNET_DATA=...):

    python bench/scripts/quality.py train --dataset adult_protocol_b --minutes 5   # 60 minutes are the reference
    python bench/scripts/quality.py step --dataset adult_protocol_b

Appends one JSON line to bench/results/quality.jsonl or quality_step.jsonl.

It takes the engine apart, so it imports more of the library than its public names.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import wraps
from typing import Any
from unittest.mock import patch

import pandas as pd
from common import circumstances, keep, latest, machine, table, verdict
from threadpoolctl import threadpool_limits

from counterflownet import CounterFlowNet
from counterflownet.classifier.adapters import AdaptedClassifier
from counterflownet.reward.reward import Reward
from counterflownet.reward.terms import Plausibility
from counterflownet.training import step
from counterflownet.training.loop import TrainingRun
from counterflownet_bench.benchmark.presets import preset_of
from counterflownet_bench.benchmark.roles import reference_of, schema_of
from counterflownet_bench.datasets import BenchmarkData, load_benchmark

DATASETS = ("adult_protocol_b", "credit_default")
ROWS = 500
COUNT = 10
SEED = 0

SOON, REFERENCE = 5, 60  # minutes: those that the bars are for, and those of the run that they are held against
VALIDITY_BAR, REWARD_BAR = 0.95, 0.98

STEP = (TrainingRun, "_advance")
PARTS: dict[str, list[tuple[Any, str]]] = {
    "rollout": [(step, "rollout")],
    "classifier": [(AdaptedClassifier, "probabilities")],
    "plausibility": [(Plausibility, "log_values")],
    "decoding and other reward": [(Reward, "candidates"), (Reward, "scores")],
    "forward, backward, optimiser": [(TrainingRun, "_descend")],
    "rest": [STEP],
}


def explainer_for(data: BenchmarkData, **training: Any) -> CounterFlowNet:
    """The library's own reward and training, for the classifier and the columns of Protocol B."""
    preset = preset_of("tuned", "b", data.card.name)
    return CounterFlowNet(
        reference_of(data, seed=SEED).classifier,
        schema=schema_of(data.card, data.X_train, preset.bins),
        weights=preset.weights,
        reward=preset.reward,
        training={"patience": None, **training},
        seed=SEED,
    )


def quality(explainer: CounterFlowNet, rows: pd.DataFrame) -> dict[str, float]:
    """Of raw samples, where one that changed nothing counts as not valid and worth nothing, and of chosen answers."""
    raw, asked = explainer.sample(rows, samples=COUNT), COUNT * len(rows)
    chosen = explainer.explain(rows, count=COUNT)
    predicted = explainer.classifier.probabilities(chosen.counterfactuals).argmax(axis=1)
    wanted = [explainer.classes.index(chosen.targets[row]) for row in chosen.row]
    return {
        "raw_validity": float(raw.valid.sum() / asked),
        "raw_reward": float(raw.reward.sum() / asked),
        "raw_changes": float(raw.changed.sum() / asked),
        "chosen_validity": float((predicted == wanted).mean()),
        "chosen_share": len(chosen.row) / asked,
    }


def trained(name: str, minutes: float) -> dict[str, Any]:
    """One run that nothing but time ends, so that its rates fall with time."""
    circumstance, data = machine(), load_benchmark(name)
    explainer = explainer_for(data, steps=10_000_000)
    begun = time.perf_counter()
    explainer.fit(data.X_train, minutes=minutes)
    seconds = time.perf_counter() - begun
    rows = data.X_test.head(ROWS)
    return {
        "benchmark": "quality",
        "dataset": name,
        **circumstance,
        "minutes": minutes,
        "rows": len(rows),
        "samples": COUNT,
        "seconds": seconds,
        "steps": explainer.history.moments[-1].step,
        **quality(explainer, rows),
        "settings": explainer.settings.to_json(),
    }


class Clock:
    """Seconds of the processor by part. What a part calls that is a part of its own counts for that one alone."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self.after: list[Counter[str]] = []  # what was spent up to the end of each training step
        self._inner = [0.0]

    def timed(self, part: str, function: Callable[..., Any], *, ends_step: bool) -> Callable[..., Any]:
        @wraps(function)
        def run(*given: Any, **named: Any) -> Any:
            self._inner.append(0.0)
            begun = time.process_time()
            found = function(*given, **named)
            seconds = time.process_time() - begun
            self.spent[part] += seconds - self._inner.pop()
            self._inner[-1] += seconds
            if ends_step:
                self.after.append(self.spent.copy())
            return found

        return run


def stepped(name: str, steps: int, warm_up: int) -> dict[str, Any]:
    """The mean cost of a step by part, after steps that are not counted: first trajectories have other lengths."""
    data, clock = load_benchmark(name), Clock()
    explainer = explainer_for(data, steps=warm_up + steps, window=1)  # a window of one: each step's own moment
    with threadpool_limits(1), ExitStack() as patches:  # one thread: the processor's time would add up over threads
        circumstance = machine()
        for part, owner, attribute in ((part, *place) for part, owned in PARTS.items() for place in owned):
            function = clock.timed(part, getattr(owner, attribute), ends_step=(owner, attribute) == STEP)
            patches.enter_context(patch.object(owner, attribute, function))
        explainer.fit(data.X_train)
    before, after = clock.after[warm_up - 1], clock.after[-1]
    unseen = [part for part in PARTS if after[part] == before[part]]
    if unseen:  # no cost at all means that it was called by another name
        raise RuntimeError(f"nothing was measured of {', '.join(unseen)}; does training still call {PARTS[unseen[0]]}?")
    counted = explainer.history.moments[warm_up:]
    return {
        "benchmark": "quality_step",
        "dataset": name,
        **circumstance,
        "warm_up": warm_up,
        "steps": len(counted),
        "trajectories": explainer.settings.training.batch_rows,
        "passes": explainer.settings.training.pass_count,
        "edits": sum(moment.changes for moment in counted) / len(counted),
        "milliseconds": {part: 1000 * (after[part] - before[part]) / len(counted) for part in PARTS},
    }


def run_lines(runs: list[dict[str, Any]]) -> list[list[str]]:
    """One line for each run of a data set, shortest first."""
    longest = runs[-1]
    return [
        [
            f"{run['minutes']:g}",
            f"{run['steps']:,}",
            f"{run['raw_validity']:.2%}",
            f"{run['raw_reward']:.4f}",
            f"{run['raw_reward'] / longest['raw_reward']:.2%}",
            f"{run['chosen_validity']:.2%}",
            f"{run['chosen_share']:.2%}",
        ]
        for run in runs
    ]


def bars(runs: list[dict[str, Any]]) -> str:
    """Both bars of one data set; without a run of the reference's length the second is not measured."""
    soon = [run for run in runs if run["minutes"] <= SOON]
    if not soon:
        return f"No run of at most {SOON} minutes, hence no bar is measured."
    early, reference = soon[-1], next((run for run in runs if run["minutes"] == REFERENCE), runs[-1])
    share, whole = early["raw_reward"] / reference["raw_reward"], reference["minutes"] == REFERENCE
    against = f"the run of {reference['minutes']:g} minutes"
    missing = "" if whole else f" There is no run of {REFERENCE} minutes; {against} is the longest."
    validity = verdict(f">= {VALIDITY_BAR:.0%}", met=early["raw_validity"] >= VALIDITY_BAR)
    reward = verdict(f">= {REWARD_BAR:.0%}", met=share >= REWARD_BAR if whole else None)
    return f"""- Raw validity after {early["minutes"]:g} minutes: {early["raw_validity"]:.2%}, bar {validity}.
- Mean raw reward after {early["minutes"]:g} minutes against {against}: {share:.2%}, bar {reward}.{missing}"""


def dataset_part(runs: list[dict[str, Any]]) -> str:
    """The runs of one data set, and its bars."""
    runs = sorted(runs, key=lambda run: run["minutes"])
    names = ["minutes", "steps", "raw validity", "mean raw reward", "of the longest run's", "chosen valid", "found"]
    return f"### {runs[0]['dataset']}\n\n{table(names, run_lines(runs))}\n\n{bars(runs)}\n"


def quality_part(results: list[dict[str, Any]]) -> str:
    """The newest run of each length, by data set."""
    runs = latest(results, "dataset", "minutes")
    if not runs:
        command = "python bench/scripts/quality.py train --dataset NAME --minutes M"
        return f"No run is kept yet; `{command}` makes one.\n"
    names = dict.fromkeys(run["dataset"] for run in runs)
    parts = "\n".join(dataset_part([run for run in runs if run["dataset"] == name]) for name in names)
    some = runs[-1]
    return f"""The library's own reward and training on the classifiers of Protocol B, ended by time alone. Raw are
{some["samples"]} samples of each of {some["rows"]} test rows as they were drawn; one that changed nothing counts as not
valid and worth nothing. Chosen are the {some["samples"]} answers of `explain`, and found says how many of those asked
for there were. {circumstances(runs)}
Made by `python bench/scripts/quality.py train --dataset NAME --minutes M`.

{parts}"""


def step_line(result: dict[str, Any]) -> list[str]:
    """One data set's step: milliseconds, and the share of the whole."""
    spent = result["milliseconds"]
    whole = sum(spent.values())
    parts = [f"{spent[part]:.0f} ({spent[part] / whole:.0%})" for part in PARTS]
    return [result["dataset"], f"{whole:.0f}", *parts, f"{result['edits']:.1f}"]


def step_part(results: list[dict[str, Any]]) -> str:
    """The newest measurement of each data set."""
    shown = latest(results, "dataset")
    if not shown:
        return "What a step costs: `python bench/scripts/quality.py step --dataset NAME` measures it.\n"
    some = shown[-1]
    return f"""### What a step costs

Milliseconds of the processor with one thread, and the share of the whole: means of {some["steps"]} steps after
{some["warm_up"]} that were not counted. A step draws {some["trajectories"]} trajectories, judges all their states, and
learns from them {some["passes"]} times. {circumstances(shown)}
Made by `python bench/scripts/quality.py step --dataset NAME`.

{table(["data set", "a step", *PARTS, "edits per trajectory"], map(step_line, shown))}
"""


def section(results: list[dict[str, Any]]) -> str:
    """Runs (benchmark "quality") and steps ("quality_step"), told apart by what they say they are."""
    kinds = {kind: [told for told in results if told["benchmark"] == kind] for kind in ("quality", "quality_step")}
    parts = f"{quality_part(kinds['quality'])}\n{step_part(kinds['quality_step'])}"
    return f"## Training: time to quality\n\n{parts}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train for some minutes and measure")
    train.add_argument("--minutes", type=float, default=SOON)
    cost = commands.add_parser("step", help="what one step of training costs, part by part")
    cost.add_argument("--steps", type=int, default=60, help="that are measured")
    cost.add_argument("--warm-up", type=int, default=100, help="steps before them, at least one")
    for command in (train, cost):
        command.add_argument("--dataset", choices=DATASETS, required=True)
    return parser.parse_args()


def main() -> None:
    told = parsed()
    if told.command == "train":
        result = trained(told.dataset, told.minutes)
    else:
        result = stepped(told.dataset, told.steps, max(1, told.warm_up))
    keep(result, result["benchmark"])
    print(json.dumps({key: value for key, value in result.items() if key != "settings"}, indent=2))


if __name__ == "__main__":
    main()

"""How near to proportional samples are under rules, and without: python bench/scripts/rule_proportions.py.

Flows of several seeds learn under rules, and others without, on a table of which all answers can be counted; the total
variation between what they sample and what they should is exact. Appends one JSON line for each seed to
bench/results/rule_proportions.jsonl.
"""

import argparse
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import torch
from common import circumstances, keep, latest, machine, table

from counterflownet import CounterFlowNet, IfThen, LessEqual, MaxChanges, Rises, RisesBy

NAME = "rule_proportions"
ASKED = ("objective", "steps", "seed")
ROWS = 40
RULES = (LessEqual("a", "b"), IfThen(Rises("c"), RisesBy("d", at_least=2)), MaxChanges(3))
WITHOUT = (MaxChanges(3),)
TRAINING = {"width": 64, "batch_rows": 96, "learning_rate": 5e-3, "constrained": 0.0}


def rows() -> pd.DataFrame:
    """Four columns of four values each; ``a`` is never above ``b``."""
    draw = np.random.default_rng(0)
    found = pd.DataFrame(draw.integers(0, 4, (ROWS, 4)), columns=list("abcd"))
    return found.assign(a=found[["a", "b"]].min(axis=1), b=found[["a", "b"]].max(axis=1))


def model(given: pd.DataFrame) -> np.ndarray:
    """A classifier with a little of everything: each column counts, and so do two pairs."""
    a, b, c, d = (given[name].to_numpy(float) for name in "abcd")
    chance = 1 / (1 + np.exp(-(0.8 * a - 0.6 * b + 0.5 * c - 0.4 * d + 0.3 * a * c - 0.2 * b * d)))
    return np.stack([1 - chance, chance], axis=1)


def distance(objective: str, seed: int, steps: int, constraints: Any) -> dict[str, float]:
    """The mean total variation over all rows, of a flow that learned under these constraints."""
    training = {**TRAINING, "objective": objective, "steps": steps, "patience": None}
    reward = {"temperature": {"beta": 4.0}}  # flat enough that all states count
    explainer = CounterFlowNet(model, classes=["no", "yes"], reward=reward, training=training, seed=seed)
    explainer.fit(rows(), constraints=list(constraints), progress=False)
    found = explainer.diagnose(rows(), constraints=list(constraints), samples=20, pool=20, progress=False).rows
    return {"total_variation": float(found["total_variation"].mean()), "rows": len(found)}


def measured(objective: str, seed: int, steps: int) -> dict[str, Any]:
    """Both flows of a seed."""
    ways = {"under": RULES, "without": WITHOUT}
    told = {way: distance(objective, seed, steps, constraints) for way, constraints in ways.items()}
    asked = {"objective": objective, "seed": seed, "steps": steps}
    return {**asked, **machine(), "rules": [repr(rule) for rule in RULES], **told}


def section(results: list[dict[str, Any]]) -> str:
    """The newest result of each objective, seed and number of steps."""
    results = latest(results, *ASKED)
    cells = [
        [*(f"{one[key]}" for key in ASKED), *(f"{one[way]['total_variation']:.4f}" for way in ("without", "under"))]
        for one in sorted(results, key=lambda one: [one[key] for key in ASKED])
    ]
    return f"""## In proportion under rules

The exact total variation between what a flow samples and what is in proportion to the reward, mean over
{results[-1]["without"]["rows"]} rows of a table whose answers can all be counted: of flows that learned under
{", ".join(f"`{rule}`" for rule in results[-1]["rules"])}, and of flows that learned under the last alone.
{circumstances(results)}
Made by `python bench/scripts/rule_proportions.py`.

{table([*ASKED, "without rules", "under rules"], cells)}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--objective", nargs="+", default=["trajectory", "subtrajectory"])
    options.add_argument("--seed", type=int, nargs="+", default=[0, 1, 2])
    options.add_argument("--steps", type=int, nargs="+", default=[150, 600])
    given = options.parse_args()
    torch.set_num_threads(1)
    asked = product(given.objective, given.seed, given.steps)
    results = [measured(*one) for one in asked]
    for result in results:
        keep({"benchmark": NAME, **result}, NAME)
    print(section(results))


if __name__ == "__main__":
    main()

"""How much longer a call takes under five rules, in time of the processor: python bench/scripts/rule_costs.py.

Calls with and without rules take turns, so that a slow minute of the machine slows both. Appends one JSON line for each
table to bench/results/rule_costs.jsonl.
"""

import argparse
import time
from typing import Any

import numpy as np
import torch
from common import circumstances, keep, latest, machine, table, verdict
from rule_cases import CASES, RuleCase

from counterflownet import CounterFlowNet

NAME = "rule_costs"
BAR = 1.5
ALONE = 20  # rows that are explained one by one


def fitted(case: RuleCase, steps: int) -> CounterFlowNet:
    """A flow that has learned for a while, without rules."""
    classes = None if hasattr(case.model, "predict_proba") else [0, 1]
    explainer = CounterFlowNet(case.model, schema=case.schema, classes=classes, training={"steps": steps}, seed=0)
    return explainer.fit(case.rows, progress=False)


def seconds(explainer: CounterFlowNet, case: RuleCase, rules: Any, *, alone: bool) -> tuple[float, int]:
    """The processor's time for all rows at once, or for some of them one by one, and how many answers there were."""
    parts = [case.rejected.iloc[[row]] for row in range(ALONE)] if alone else [case.rejected]
    begun = time.process_time()
    answers = [explainer.explain(part, constraints=rules, progress=False) for part in parts]
    return time.process_time() - begun, sum(len(answer.row) for answer in answers)


def measured(case: RuleCase, steps: int, turns: int) -> dict[str, Any]:
    """Both kinds of calls, in turn; the first of each only warms up."""
    circumstance, explainer = machine(), fitted(case, steps)
    ways = {"without": (), "under": tuple(case.rules)}
    told: dict[str, Any] = {}
    for kind in ("together", "alone"):
        times: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(turns + 1):
            for name, rules in ways.items():
                spent, count = seconds(explainer, case, rules, alone=kind == "alone")
                times[name] += [spent] if turn else []
                told[f"answers_{kind}_{name}"] = count
        told[kind] = {name: float(np.median(spent)) for name, spent in times.items()}
    rules = [repr(rule) for rule in case.rules]
    return {
        "table": case.name,
        **circumstance,
        "rows": len(case.rejected),
        "rules": rules,
        "steps": steps,
        "turns": turns,
    } | told


def ratio(result: dict[str, Any], kind: str) -> float:
    """How many times as long calls take under rules."""
    return result[kind]["under"] / result[kind]["without"]


def line(result: dict[str, Any]) -> list[str]:
    """One table: both kinds of calls, without rules and under them."""
    cells = [result["table"], f"{result['rows']}"]
    for kind in ("together", "alone"):
        rows = result["rows"] if kind == "together" else ALONE
        cells += [f"{1000 * result[kind][way] / rows:.1f} ms" for way in ("without", "under")]
        times = ratio(result, kind)
        cells.append(verdict(f"{times:.2f}", met=times <= BAR))
    return cells


def section(results: list[dict[str, Any]]) -> str:
    """The newest result of each table."""
    results = latest(results, "table")
    kinds = [f"{kind}: {way}" for kind in ("together", "alone") for way in ("without", "under", "times")]
    return f"""## What rules cost

Calls under five rules against calls without, in turn, in time of the processor for each row: all rows in one call, and
{ALONE} rows one by one (medians of {results[-1]["turns"]} turns each). The bar for either is {BAR} times as long.
{circumstances(results)}
Made by `python bench/scripts/rule_costs.py`.

{table(["table", "rows", *kinds], map(line, results))}

Five tables have a network and rules that people would ask for. The tables `joined` and `random` are made up: their
rules join eight columns with each other, directly or by others, so that answers need more changes, and the classifier
is one line of numpy, beside which anything takes long.

{chr(10).join(f"- `{result['table']}`: {', '.join(f'`{rule}`' for rule in result['rules'])}" for result in results)}
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--table", nargs="+", choices=list(CASES), default=list(CASES))
    options.add_argument("--steps", type=int, default=150, help="of training")
    options.add_argument("--turns", type=int, default=5)
    given = options.parse_args()
    torch.set_num_threads(1)
    results = [measured(CASES[name](), given.steps, given.turns) for name in given.table]
    for result in results:
        keep({"benchmark": NAME, **result}, NAME)
    print(section(results))


if __name__ == "__main__":
    main()

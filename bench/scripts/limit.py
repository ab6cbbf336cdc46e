"""How much of a rollout is spent in matrix products, which no way of writing it would spare.

Needs the folder of datasets: COUNTERFLOWNET_DATA=... python bench/scripts/limit.py
The products of one rollout are noted, then made alone on random numbers of the same shapes. Appends one JSON line to
bench/results/limit.jsonl and prints the section of the report.

It takes the engine apart, so it imports more of the library than its public names.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import torch
from common import classifier, keep, lines, machine, table, verdict
from speed import fitted
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from counterflownet import CounterFlowNet
from counterflownet.flow.rollout import rollout
from counterflownet_bench.datasets import BenchmarkData, load_benchmark

BAR = 0.4
SAMPLES = 50
THREADS = (1, 2)
WARM_UP = 2
SPARE = 0.5  # a load beside that threads do not mind
HEADINGS = (
    "rollout",
    "samples a row",
    "threads",
    "time",
    "products alone",
    "GFLOP/s of these",
    "share",
    "of the shortest times",
    "bar",
)
ADDMM, MM = torch.ops.aten.addmm.default, torch.ops.aten.mm.default

Layout = tuple[tuple[int, ...], tuple[int, ...]]  # sizes and strides of one operand
Product = tuple[Layout, ...]  # of two operands, or of a bias before them
Work = Callable[[], Any]


class Noted(TorchDispatchMode):
    """Every matrix product that is made inside, by the layout of its operands."""

    def __init__(self) -> None:
        super().__init__()
        self.products: list[Product] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        if func in {ADDMM, MM}:
            self.products.append(tuple((tuple(operand.shape), operand.stride()) for operand in args))
        return func(*args, **(kwargs or {}))


def products_of(work: Work) -> list[Product]:
    """The products that the work makes, in their order."""
    with Noted() as noted:
        work()
    return noted.products


def extent(layout: Layout) -> int:
    """How many numbers an operand reaches over."""
    sizes, strides = layout
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True)) if min(sizes) else 0


def bare(products: list[Product]) -> Work:
    """The same products and nothing else; operands of one place share their memory, since few are large."""
    pools: list[Tensor] = []
    for place in range(3):
        reach = [extent(product[place]) for product in map(padded, products) if product[place] is not None]
        pools.append(torch.randn(max(reach, default=0)))
    calls = [
        [None if layout is None else pool.as_strided(*layout) for pool, layout in zip(pools, operands, strict=True)]
        for operands in map(padded, products)
    ]

    def work() -> None:
        for bias, left, right in calls:
            _ = torch.mm(left, right) if bias is None else torch.addmm(bias, left, right)

    return work


def padded(product: Product) -> tuple[Layout | None, ...]:
    """The operands with a place for the bias, whether there is one or not."""
    return product if len(product) == 3 else (None, *product)


def operations(products: list[Product]) -> int:
    """Multiplications and additions of all products."""
    return sum(2 * product[-2][0][0] * product[-2][0][1] * product[-1][0][1] for product in products)


@contextmanager
def caught(where: str) -> Iterator[list[Work]]:
    """The last rollout that is asked for in a module while this lasts, to be made again as it was."""
    last: list[Work] = []

    def watched(*args: Any, **options: Any) -> Any:
        last[:] = [partial(rollout, *args, **options)]
        return rollout(*args, **options)

    with patch(f"{where}.rollout", watched):
        yield last


def explaining(explainer: CounterFlowNet, rows: pd.DataFrame) -> Work:
    """The rollout by which these rows are explained, all in one."""
    with caught("counterflownet.explain.search") as last:
        explainer.explain(rows, samples=SAMPLES, rounds=1, chunk_rows=len(rows))
    return last[0]


def trained(data: BenchmarkData, minutes: float) -> tuple[CounterFlowNet, Work]:
    """An explainer of Adult, and the rollout of its last training step."""
    with caught("counterflownet.training.step") as last:
        explainer = fitted(classifier(data), data, minutes)
    return explainer, last[0]


def timed(work: Work) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


@torch.no_grad()
def compared(work: Work, threads: int, repeats: int) -> dict[str, float]:
    """Rollout and bare products by turns, so that what runs beside disturbs both alike."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    products = products_of(work)
    alone = bare(products)
    pairs = [(timed(work), timed(alone)) for _ in range(WARM_UP + repeats)][WARM_UP:]
    torch.set_num_threads(before)
    whole, part = np.median(pairs, axis=0).tolist()
    whole_best, part_best = np.min(pairs, axis=0).tolist()
    return {
        "threads": threads,
        "products": len(products),
        "billion_operations": operations(products) / 1e9,
        "without_bias": operations([product for product in products if len(product) == 2]) / 1e9,
        "rollout_seconds": whole,
        "products_seconds": part,
        "share": part / whole,
        "share_of_shortest": part_best / whole_best,  # of the times that what runs beside disturbed least
    }


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Everything of one run."""
    about = machine()
    data = load_benchmark("adult_protocol_b")
    explainer, training = trained(data, options.minutes)
    cases = {f"explaining {count:,} rows": explaining(explainer, data.X_test.head(count)) for count in options.rows}
    batch = explainer.settings.training.batch_rows
    cases[f"training on {batch:,} rows"] = training
    points = []
    for name, work in cases.items():
        samples = 1 if work is training else SAMPLES
        for threads in THREADS:
            told = {"case": name, "samples": samples, "barred": work is not training}
            points.append(told | compared(work, threads, options.repeats))
            print(points[-1], flush=True)
    return {
        "benchmark": "limit",
        "minutes": options.minutes,
        "steps": explainer.history.moments[-1].step,
        "changes": explainer.history.moments[-1].changes,
        "repeats": options.repeats,
        "points": points,
        "load_after": os.getloadavg()[0],
        **about,
    }


def judged(told: dict[str, Any], result: dict[str, Any]) -> str:
    """The bar of a case that has one; threads without a core each measure who ran beside, and are not judged."""
    if not told["barred"]:
        return ""
    crowded = told["threads"] > 1 and result["load_before"] + told["threads"] > result["cores"] + SPARE
    return verdict(f">= {BAR:.0%}", met=None if crowded else told["share"] >= BAR)


def line(told: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """One case with its bar."""
    rate = told["billion_operations"] / told["products_seconds"]
    return [
        told["case"],
        f"{told['samples']}",
        f"{told['threads']}",
        f"{1000 * told['rollout_seconds']:.1f} ms",
        f"{1000 * told['products_seconds']:.1f} ms",
        f"{rate:.0f}",
        f"{told['share']:.0%}",
        f"{told['share_of_shortest']:.0%}",
        judged(told, result),
    ]


def section(results: list[dict[str, Any]]) -> str:
    """The newest line as Markdown."""
    title = "## How near rollouts are to the bare matrix products"
    if not results:
        return f"{title}\n\nNot measured.\n"
    result = results[-1]
    return f"""{title}

A rollout draws trajectories from the policy. Here its time stands beside that of its matrix products alone, on random
numbers of the same shapes: what is left is masking, drawing and bookkeeping. Adult, {result["minutes"]:g} minutes of
training ({result["steps"]} steps, {result["changes"]:.1f} changes in a trajectory), {result["repeats"]} times by turns.
Times are medians, and so is the share that the bar is for. Threads that have no core each wait for each other: where
the load before left them none, the bar counts as not measured. {result["cores"]} cores, load
{result["load_before"]:.1f} before and {result["load_after"]:.1f} after, this run included. Version {result["version"]}.
Made by `python bench/scripts/limit.py`.

{table(HEADINGS, [line(told, result) for told in result["points"]])}
"""


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.5, help="of training")
    parser.add_argument("--rows", type=int, nargs="+", default=[400, 2000], help="explained, a case each")
    parser.add_argument("--repeats", type=int, default=9, help="of each time, the median of which counts")
    return parser.parse_args()


def main() -> None:
    keep(measured(parsed()), "limit")
    print(section(lines("limit")))


if __name__ == "__main__":
    main()

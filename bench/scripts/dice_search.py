"""On which data sets dice-ml's own search for fewer changes ends in time: python bench/scripts/dice_search.py.

A few test rows of each data set, ten answers each, a minute of the processor for a row. Where one does not end,
``dice-kdtree-searched`` is not run (``ENDLESS`` in counterflownet_bench/benchmark/methods.py).
"""

import os
import sys

from common import keep

from counterflownet_bench.baselines.dice import DiceMethod
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.benchmark.cell import Cell, posed
from counterflownet_bench.benchmark.presets import BINS, COUNT
from counterflownet_bench.benchmark.provenance import commit
from counterflownet_bench.benchmark.roles import constraints_of, schema_of
from counterflownet_bench.datasets import load_benchmark, protocol_names
from counterflownet_bench.datasets.catalogue import card_of

ROWS, SECONDS = 4, 60.0


def tried(dataset: str) -> dict[str, object]:
    """How many of the first rows end, one after the other until one does not."""
    protocol = card_of(dataset).protocol
    cell = Cell(protocol=protocol, dataset=dataset, method="dice-kdtree-searched", selection="raw", instances=ROWS)
    data = load_benchmark(dataset)
    reference, scoring = posed(cell, data)
    task = Task(
        card=data.card,
        train=scoring.train,
        classifier=reference.classifier,
        schema=schema_of(data.card, scoring.train, BINS[protocol]),
        constraints=constraints_of(data.card),
        seed=0,
    )
    fitted = DiceMethod("kdtree", seconds_per_row=SECONDS).fit(task)
    ended, begun = 0, sum(os.times()[2:4])
    for number in range(len(scoring.rows)):
        targets = [scoring.classifier.classes[scoring.target[number]]]
        given = fitted.answer(scoring.rows.iloc[[number]], targets, count=COUNT, selection="raw")
        if "timed_out" in given.outcomes:
            break
        ended += 1
    used = sum(os.times()[2:4]) - begun
    return {"dataset": dataset, "rows": ROWS, "ended": ended, "limit": SECONDS, "seconds": used, "commit": commit()}


def main() -> None:
    for dataset in sys.argv[1:] or (*protocol_names("a"), *protocol_names("b")):
        keep(tried(dataset), "dice_search")


if __name__ == "__main__":
    main()

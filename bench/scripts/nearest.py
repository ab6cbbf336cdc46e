"""How near ten different answers can be, by exhaustive search on a grid: what to compare distances with.

Needs the folder of datasets (COUNTERFLOWNET_DATA=...):

    python bench/scripts/nearest.py --dataset lending_club --seed 0 1 2 3 4
    python bench/scripts/nearest.py --show

The rows and classifiers are those of Protocol B in the report. Looked at are all answers of one, two and three changes
that need each of their changes, with numbers on a grid of training values: of each strategy (the changed columns with
their directions) the nearest, and of these the ten nearest of a row. Distances are Protocol B's, in deviations. Each
table and seed appends one JSON line to bench/results/nearest.jsonl; one that is there already is not made again.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from common import keep, latest, lines, machine, table

from counterflownet_bench.benchmark.cell import Cell, posed
from counterflownet_bench.benchmark.presets import COUNT
from counterflownet_bench.benchmark.provenance import commit, rows_digest
from counterflownet_bench.datasets import BenchmarkData, load_benchmark, protocol_names
from counterflownet_bench.metrics.mixed import Scale
from counterflownet_bench.references.model import ReferenceClassifier

NAME = "nearest"
INSTANCES = 50
GRID = 65  # training values of a number, equally spaced by rank
THIN = 17  # of these in sets of three
AT_ONCE = 200_000  # answers that the classifier is asked about


@dataclass(frozen=True, eq=False)
class Column:
    """The values that one column of a row can take instead of its own.

    ``push`` is what each adds to the first layer of the classifier, ``away`` its distance, ``way`` its direction.
    """

    push: np.ndarray
    away: np.ndarray
    way: np.ndarray
    thin: np.ndarray

    def __getitem__(self, kept: np.ndarray) -> "Column":
        return Column(self.push[kept], self.away[kept], self.way[kept], self.thin[kept])


@dataclass(frozen=True, eq=False)
class Row:
    """A row, its columns, and the classifier behind its first layer."""

    columns: list[Column]
    rest: np.ndarray  # what the first layer says of the row as it is
    classifier: ReferenceClassifier
    target: int

    def valid(self, pushes: np.ndarray) -> np.ndarray:
        """Whether the row is in the target class with these changes."""
        parts = np.split(pushes, range(AT_ONCE, len(pushes), AT_ONCE))
        return np.concatenate([self._valid(part) for part in parts])

    def _valid(self, pushes: np.ndarray) -> np.ndarray:
        values = np.maximum(self.rest + pushes, 0.0)
        for layer in self.classifier.layers[1:-1]:
            values = np.maximum(values @ layer.weight + layer.bias, 0.0)
        scores = values @ self.classifier.layers[-1].weight + self.classifier.layers[-1].bias
        return scores[:, self.target] > np.delete(scores, self.target, axis=1).max(axis=1)


class Nearest:
    """The nearest answer of each strategy of a row that was found so far."""

    def __init__(self) -> None:
        self.away: dict[tuple[Any, ...], float] = {}

    @property
    def enough(self) -> float:
        """Only what is nearer than this changes the nearest ten."""
        every = sorted(self.away.values())
        return every[COUNT - 1] if len(every) >= COUNT else np.inf

    def add(self, names: tuple[int, ...], ways: list[np.ndarray], away: np.ndarray) -> None:
        key = sum((way.astype(np.int64) + 1) * 3**place for place, way in enumerate(ways))
        for strategy in np.unique(key):
            self.away[names, int(strategy)] = float(away[key == strategy].min())


def grids(data: BenchmarkData) -> dict[Any, np.ndarray]:
    """The values that are tried in each column."""
    found = {}
    for name in data.X_train.columns:
        values = np.sort(data.X_train[name].to_numpy())
        if name in data.card.continuous:
            values = values[np.linspace(0, len(values) - 1, GRID).round().astype(int)]
        found[name] = np.unique(values)
    return found


def row_of(row: pd.DataFrame, target: int, classifier: ReferenceClassifier, data: BenchmarkData) -> Row:
    """The columns of a row with all that can be told of their values one by one."""
    first, numeric = classifier.layers[0], list(data.card.continuous)
    unit = dict(zip(numeric, Scale.fit(data.X_train[numeric].to_numpy(dtype=float)).unit("zscore"), strict=True))
    rest = classifier.encoder(row) @ first.weight + first.bias
    columns = []
    for name, grid in grids(data).items():
        own, number = row[name].iloc[0], name in unit
        values = grid[grid != own]
        changed = pd.concat([row] * len(values), ignore_index=True)
        changed[name] = pd.Series(values, dtype=row[name].dtype)
        away = np.abs(values - own) / unit[name] / len(unit) if number else np.zeros(len(values))
        way = np.sign(values - own) if number else np.zeros(len(values))
        few = np.linspace(0, len(values) - 1, THIN).round() if number else np.arange(len(values))
        thin = np.isin(np.arange(len(values)), few)
        columns.append(Column(classifier.encoder(changed) @ first.weight + first.bias - rest, away, way, thin))
    return Row(columns, rest, classifier, target)


def searched(row: Row) -> list[float]:
    """The distances of the nearest ten, fewer if there are no more."""
    nearest, enough = Nearest(), [row.valid(column.push) for column in row.columns]
    for name, (column, valid) in enumerate(zip(row.columns, enough, strict=True)):
        nearest.add((name,), [column.way[valid]], column.away[valid])
    open_ = [column[~valid] for column, valid in zip(row.columns, enough, strict=True)]
    pairs = dict(_pairs(row, open_, nearest))
    for names in combinations(range(len(open_)), 3):
        _look_at_three(row, [open_[name][open_[name].thin] for name in names], names, pairs, nearest)
    return sorted(nearest.away.values())[:COUNT]


def _pairs(row: Row, columns: list[Column], nearest: Nearest) -> Iterator[tuple[tuple[int, int], np.ndarray]]:
    """Looks at all pairs of changes that do not suffice alone; for each two columns, which thin values suffice."""
    for names in combinations(range(len(columns)), 2):
        one, other = (columns[name] for name in names)
        pushes = one.push[:, None] + other.push
        valid = row.valid(pushes.reshape(-1, pushes.shape[-1])).reshape(pushes.shape[:2])
        first, second = valid.nonzero()
        nearest.add(names, [one.way[first], other.way[second]], one.away[first] + other.away[second])
        yield names, valid[np.ix_(one.thin, other.thin)]


def _look_at_three(
    row: Row, columns: list[Column], names: tuple[int, ...], pairs: dict[tuple[int, int], np.ndarray], nearest: Nearest
) -> None:
    """Sets of three changes of which no two suffice, as far as they are near enough to count."""
    one, two, three = columns
    away = one.away[:, None, None] + two.away[:, None] + three.away
    open_ = away < nearest.enough
    open_ &= ~pairs[names[0], names[1]][:, :, None]
    open_ &= ~pairs[names[0], names[2]][:, None]
    open_ &= ~pairs[names[1], names[2]][None]
    places = open_.nonzero()
    valid = row.valid(sum(column.push[place] for column, place in zip(columns, places, strict=True)))
    ways = [column.way[place[valid]] for column, place in zip(columns, places, strict=True)]
    nearest.add(names, ways, away[open_][valid])


def measured(dataset: str, seed: int) -> dict[str, Any]:
    """One table under one classifier."""
    circumstance, begun, data = machine(), time.process_time(), load_benchmark(dataset)
    cell = Cell(
        protocol="b",
        dataset=dataset,
        method="counterflownet",
        preset="default",
        selection="minimal",
        seed=seed,
        instances=INSTANCES,
    )
    _, scoring = posed(cell, data)
    rows, target = scoring.rows, scoring.target.tolist()
    found = [searched(row_of(rows.iloc[[at]], target[at], scoring.classifier, data)) for at in range(len(rows))]
    some = [each for each in found if each]
    return {
        "benchmark": NAME,
        **circumstance,
        "commit": commit(),
        "dataset": dataset,
        "seed": seed,
        "rows": len(rows),
        "rows_digest": rows_digest(rows),
        "without": len(found) - len(some),
        "answers": sum(map(len, some)),
        "first": float(np.mean([each[0] for each in some])),
        "ten": float(np.mean(np.concatenate(some))),
        "seconds": time.process_time() - begun,
    }


def chapter(results: list[dict[str, Any]]) -> str:
    """What was found, beside what ``explain()`` returns of the same rows."""
    results = latest(results, "dataset", "seed")
    names = sorted({result["dataset"] for result in results})
    headings = ("data set", "seeds", "nearest answer", "nearest ten", "explain() by default", "of ten", "rows without")
    return f"""## How near ten different answers can be

Protocol B's distance of numbers (the mean over numbers, in deviations) of the nearest answers that exist, whatever they
are worth otherwise, on the rows and classifiers of the benchmark's report. Looked at are all answers of one, two and
three changes that need each of these: the nearest of each strategy, and of these the {COUNT} nearest of a row. Numbers
are tried at {GRID} training values equally spaced by rank, {THIN} in sets of three; between these, answers may be
nearer still, so this is an estimate and no bound. Rows without an answer are left out
here and not from what `explain()` returns, which goes by its whole reward and may change more columns. Other methods
get nearer where they move many numbers by little, or give one strategy several times. A column with a heavy tail has a
large deviation, so that what is far among most rows counts as near here.
Made by `python bench/scripts/nearest.py`.

{table(headings, (_line(name, [each for each in results if each["dataset"] == name]) for name in names))}
"""


def _line(dataset: str, results: list[dict[str, Any]]) -> list[str]:
    seeds = [result["seed"] for result in results]
    ours = [cell for cell in lines("comparison_b") if _is_ours(cell, dataset) and cell["seed"] in seeds]
    distance = np.mean([cell["metrics"]["zscore"]["proximity_continuous"] for cell in ours])
    given = sum(cell["answers"] for cell in ours) / sum(COUNT * cell["instances"] for cell in ours)
    first, ten = (np.mean([result[key] for result in results]) for key in ("first", "ten"))
    without = sum(result["without"] for result in results)
    told = f"{without} of {sum(result['rows'] for result in results)}"
    return [dataset, f"{len(seeds)}", f"{first:.3f}", f"{ten:.3f}", f"{distance:.3f}", f"{COUNT * given:.1f}", told]


def _is_ours(cell: dict[str, Any], dataset: str) -> bool:
    named = (cell["dataset"], cell["method"], cell["preset"], cell["selection"], cell["instances"])
    return named == (dataset, "counterflownet", "default", "minimal", INSTANCES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", nargs="+", choices=protocol_names("b"), default=["lending_club"])
    parser.add_argument("--seed", nargs="+", type=int, default=[0])
    parser.add_argument("--show", action="store_true", help="what was found, without another search")
    given = parser.parse_args()
    there = {(result["dataset"], result["seed"]) for result in lines(NAME)}
    for dataset in [] if given.show else given.dataset:
        for seed in (seed for seed in given.seed if (dataset, seed) not in there):
            keep(measured(dataset, seed), NAME)
    print(chapter(lines(NAME)))


if __name__ == "__main__":
    main()

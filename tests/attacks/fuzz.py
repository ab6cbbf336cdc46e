"""Random tables under random constraints, every answer checked: ``python -m tests.attacks.fuzz --minutes 20``."""

import argparse
import json
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from counterflownet import CounterFlowNet, Explanation, Outcome
from counterflownet.errors import ConstraintError

from .checker import Asked, breaches, excluded
from .made_tables import MadeModel, MadeTable, made_table
from .plain_cells import cells_of, plain
from .random_constraints import Rule, made, random_rules

TINY = {"steps": 4, "batch_rows": 16, "width": 16}
NO_ANSWERS = (Outcome.CONTRADICTION, Outcome.NOTHING_ALLOWED, Outcome.ALREADY_TARGET, Outcome.NONE_VALID)


@dataclass
class Report:
    """What came of one table."""

    seed: int
    columns: list[str] = field(default_factory=list)
    calls: int = 0
    refused: int = 0  # calls whose constraints exclude each other in every row: an error of the caller
    rows: int = 0
    answers: int = 0
    samples: int = 0
    seconds: float = 0.0
    breaches: list[str] = field(default_factory=list)


def attack(seed: int, *, calls: int = 10, rows: int = 400) -> Report:
    """One table, one fit, some calls; everything follows from the seed."""
    begun, report = time.monotonic(), Report(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw = np.random.default_rng([seed, 0])
        table = made_table(draw)
        report.columns = [table.kinds[name] for name in table.frame.columns]
        model = MadeModel(table.frame, draw)
        try:
            explainer = _fitted(table, model, draw)
            for call in range(calls):
                _ask(report, _Setting(table, model, explainer, np.random.default_rng([seed, 1, call]), call), rows)
        except Exception:  # noqa: BLE001 - any error is a breach to be told, and the next table is tried
            report.breaches.append(traceback.format_exc(limit=-6))
    report.seconds = round(time.monotonic() - begun, 2)
    return report


@dataclass(frozen=True, eq=False)
class _Setting:
    table: MadeTable
    model: MadeModel
    explainer: CounterFlowNet
    draw: np.random.Generator
    call: int


def _fitted(table: MadeTable, model: MadeModel, draw: np.random.Generator) -> CounterFlowNet:
    explainer = CounterFlowNet(
        model, schema=table.schema(draw), classes=model.classes, training=TINY, seed=int(draw.integers(1000))
    )
    return explainer.fit(table.frame, progress=False)


def _ask(report: Report, setting: _Setting, count: int) -> None:
    draw = setting.draw
    rows = _labelled(setting.table.rows(draw, count), draw)
    rules = _agreeing(setting, [])
    labels = rows.index[draw.random(len(rows)) < 0.2].unique()
    row_rules = {label: _agreeing(setting, rules) for label in labels}
    report.calls += 1
    try:
        answer, asked = _answer(setting, rows, rules, row_rules)
    except ConstraintError as error:
        report.refused += 1
        if not excluded(rules, setting.table.frame.columns, _values(setting)):
            report.breaches.append(f"call {setting.call} was refused without a reason: {error}")
        return
    report.rows += len(rows)
    report.answers += len(answer.row) if asked.choosing else 0
    report.samples += 0 if asked.choosing else len(answer.row)
    found = [*breaches(asked, answer.counterfactuals, answer.row, answer.changed), *_outcome_breaches(answer)]
    report.breaches += [f"call {setting.call}: {text}" for text in found[:3]]


def _answer(
    setting: _Setting, rows: pd.DataFrame, rules: list[Rule], row_rules: dict[Any, list[Rule]]
) -> tuple[Explanation, Asked]:
    draw, model = setting.draw, setting.model
    others = model(rows).argmax(axis=1) + draw.integers(1, len(model.classes), len(rows))
    targets = (others + (draw.random(len(rows)) < 0.05)) % len(model.classes)  # a few rows are of the target already
    minimal, choosing = bool(draw.random() < 0.8), bool(draw.random() < 0.9)
    question = {
        "target": [model.classes[number] for number in targets],
        "constraints": made(rules),
        "row_constraints": {label: made(own) for label, own in row_rules.items()},
        "chunk_rows": [None, None, None, 45, 45, 7][draw.integers(6)],
    }
    if choosing:
        count, diversity = int(draw.integers(4, 16)), float(draw.random())
        question |= {"count": count, "minimal": minimal, "diversity": diversity, "samples": 40, "rounds": 2}
    answer = (setting.explainer.explain if choosing else setting.explainer.sample)(rows, **question)
    schema = setting.explainer.schema
    orders = {feature.name: [plain(value) for value in feature.values] for feature in schema if _ranked(feature)}
    invented = {name: values for name, values in _values(setting).items() if setting.table.kind(name).invented}
    training = cells_of(setting.table.frame)
    asked = Asked(training, invented, orders, rows, rules, row_rules, targets.tolist(), model, minimal, choosing)
    return answer, asked


def _ranked(feature: Any) -> bool:
    return feature.has_order and not feature.numeric


def _agreeing(setting: _Setting, beside: list[Rule]) -> list[Rule]:
    """Random rules; those that exclude each other, in all rows (an error) or in one, are kept only here and there."""
    rules = random_rules(setting.draw, setting.explainer.schema, most=2 if beside else 4)
    clash = excluded([*beside, *rules], setting.table.frame.columns, _values(setting))
    kept = setting.draw.random() < (0.1 if beside else 0.01)
    return rules if kept or not clash else []


def _values(setting: _Setting) -> dict[Any, list[Any]]:
    """What each column may be changed to, as plain values in their order."""
    return {feature.name: [plain(value) for value in feature.values] for feature in setting.explainer.schema}


def _labelled(rows: pd.DataFrame, draw: np.random.Generator) -> pd.DataFrame:
    """The rows under labels of some sort, in one case with doubles."""
    number = np.arange(len(rows))
    labels = [
        number,
        [f"row {n}" for n in number],
        number // 2,
        pd.Timestamp("2020-01-01") + pd.to_timedelta(number, "D"),
    ]
    return rows.set_axis(pd.Index(labels[draw.integers(len(labels))]), axis=0)


def _outcome_breaches(answer: Explanation) -> Iterator[str]:
    counts = np.bincount(answer.row[answer.valid], minlength=len(answer.factuals))
    for row, (told, count) in enumerate(zip(answer.outcomes, counts, strict=True)):
        empty = told.outcome in NO_ANSWERS
        if empty != (count == 0) or (told.complete and count < answer.asked):
            yield f"row {row} has {count} valid answers and the outcome {told.outcome.name}"


def written(path: Path, report: Report) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(report), ensure_ascii=True) + "\n")


def summed_up(path: Path) -> str:
    """All lines of a file in one."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    totals = {name: sum(line[name] for line in lines) for name in ("calls", "refused", "rows", "answers", "samples")}
    seconds = sum(line["seconds"] for line in lines)
    kinds = {kind for line in lines for kind in line["columns"]}
    found = sum(len(line["breaches"]) for line in lines)
    told = ", ".join(f"{count:,} {name}" for name, count in totals.items())
    rate = totals["answers"] / max(seconds, 1e-9)
    return (
        f"{len(lines):,} tables of {len(kinds)} kinds of columns, {told} in {seconds / 60:.1f} minutes "
        f"({rate:.0f} answers a second): {found} breaches"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=20.0)
    options.add_argument("--out", type=Path, default=Path("docs/attacks/fuzz.jsonl"))
    options.add_argument(
        "--seed", type=int, default=None, help="the first table's; after those of the file if left out"
    )
    given = options.parse_args()
    torch.set_num_threads(1)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    done = given.out.read_text(encoding="utf-8").splitlines() if given.out.exists() else []
    seed = given.seed if given.seed is not None else 1 + max((json.loads(line)["seed"] for line in done), default=-1)
    until = time.monotonic() + 60 * given.minutes
    while time.monotonic() < until:
        report = attack(seed)
        written(given.out, report)
        for text in report.breaches:
            print(f"seed {seed}: {text}", flush=True)  # noqa: T201
        seed += 1
    print(summed_up(given.out))  # noqa: T201


if __name__ == "__main__":
    main()

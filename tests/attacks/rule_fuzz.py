"""Random rules on random tables, every answer checked: ``python -m tests.attacks.rule_fuzz --minutes 20``."""

import argparse
import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch

from counterflownet import (
    Above,
    Below,
    Changes,
    Condition,
    CounterFlowNet,
    Derived,
    Equals,
    Falls,
    FallsBy,
    IfThen,
    LessEqual,
    MaxChanges,
    Mutable,
    OneHot,
    Rises,
    RisesBy,
    Schema,
    Stays,
    Together,
)
from counterflownet.errors import ConstraintError

from .plain_cells import Moment, cells_of
from .rule_checker import broken

ORDER = ["low", "mid", "high", "top"]
NUMBERS, DATES, SWITCHES = ("count", "share", "small"), ("began", "ended"), ("red", "green", "blue")
Draw = np.random.Generator


class Told(Derived):
    """A computed column that a checker can compute by itself."""

    def told(self, row: Any) -> Any:
        return TELLERS[self.column](row)


TELLERS = {
    "level": lambda row: None if row["grade"] is None else 10 * ORDER.index(row["grade"]),
    "total": lambda row: row["count"] + 2 * row["whole"],
}


def table(draw: Draw, rows: int = 150) -> pd.DataFrame:
    """Columns of all kinds, some cells missing, with the relations that the computed ones have."""
    frame = pd.DataFrame(
        {
            "count": draw.integers(0, 12, rows),
            "whole": draw.integers(0, 6, rows).astype(np.int8),
            "share": np.where(draw.random(rows) < 0.1, np.nan, draw.normal(0, 2, rows).round(2)),
            "small": draw.normal(0, 2, rows).astype(np.float32),
            "began": pd.Timestamp("2020-01-01") + pd.to_timedelta(draw.integers(0, 60, rows), "D"),
            "ended": pd.Timestamp("2020-01-20") + pd.to_timedelta(draw.integers(0, 60, rows), "D"),
            "grade": pd.Categorical(draw.choice(ORDER, rows), categories=ORDER, ordered=True),
            "kind": draw.choice(["a", "b", "c"], rows).astype(object),
        }
    )
    frame["level"] = frame["grade"].map({value: 10 * place for place, value in enumerate(ORDER)}).astype(int)
    frame["total"] = frame["count"] + 2 * frame["whole"]
    one = draw.integers(0, 3, rows)
    for place, name in enumerate(SWITCHES):
        frame[name] = (one == place).astype(int)
        frame.loc[draw.random(rows) < 0.03, name] = 1  # a few rows break the group
    return frame


def random_rules(draw: Draw, frame: pd.DataFrame) -> list[Any]:
    """Some rules; what is computed or follows is decided by one rule alone."""
    computed = [
        Told("level", ["grade"], Derived.lookup("level", "grade", frame).by),
        Told("total", ["count", "whole"], lambda rows: rows["count"] + 2 * rows["whole"].astype(int)),
    ]
    rules = [rule for rule in computed if draw.random() < 0.5]
    rules += [OneHot(*SWITCHES)] if draw.random() < 0.4 else []
    rules += [random_consequence(draw)] if draw.random() < 0.5 else []
    for _ in range(draw.integers(0, 3)):
        pair = draw.choice(NUMBERS, 2, replace=False).tolist() if draw.random() < 0.6 else list(DATES)
        offset = int(draw.integers(-3, 2))
        makers = [
            lambda pair=pair, offset=offset: LessEqual(*pair, strict=bool(draw.random() < 0.3), offset=offset),
            lambda pair=pair: Together(*pair),
            lambda: IfThen(random_condition(draw), random_condition(draw)),
        ]
        rules.append(makers[draw.integers(3)]())
    return [*rules, MaxChanges(int(draw.integers(1, 6)))]


def rules_of_rows(draw: Draw, frame: pd.DataFrame, everywhere: list[Any], labels: pd.Index) -> dict[Any, list[Any]]:
    """Three sets of rules for some of the rows, of which none decides what a rule of all rows does."""
    decided = {name for rule in everywhere for name in decides(rule)}
    sets = [[rule for rule in random_rules(draw, frame) if not decided & decides(rule)] for _ in range(3)]
    drawn = zip(labels, draw.integers(0, 6, len(labels)), strict=True)
    return {label: sets[number] for label, number in drawn if number < 3}


def decides(rule: Any) -> set[str]:
    """The columns that a rule computes or moves."""
    if isinstance(rule, Derived):
        return {rule.column}
    if isinstance(rule, OneHot):
        return set(rule.names)
    return {"share", "small", "ended"} if isinstance(rule, IfThen) and rule.as_ == "consequence" else set()


def random_consequence(draw: Draw) -> IfThen:
    target, step = str(draw.choice(["share", "small", "ended"])), int(draw.integers(1, 5))
    moved = [RisesBy(target, at_least=step), FallsBy(target, at_least=step), Rises(target), Falls(target)]
    condition = [Rises("grade"), Changes("kind"), Falls("count"), Equals("kind", "b"), Above("count", 5)]
    return IfThen(condition[draw.integers(5)], moved[draw.integers(4)], as_="consequence")


def random_condition(draw: Draw, depth: int = 2) -> Condition:
    if depth and draw.random() < 0.4:
        one, other = random_condition(draw, depth - 1), random_condition(draw, depth - 1)
        return [one & other, one | other, ~one][draw.integers(3)]
    name = str(draw.choice(["count", "share", "small", "grade", "began", "kind", "whole", "level"]))
    if name == "kind":
        return [Changes(name), Stays(name), Equals(name, "a")][draw.integers(3)]
    if name in {"grade", "began"}:
        return [Rises(name), Falls(name), Changes(name), RisesBy(name, at_least=2)][draw.integers(4)]
    value = int(draw.integers(-1, 6))
    kinds = [Rises(name), Falls(name), Stays(name), Above(name, value), Below(name, value), Equals(name, value)]
    return [*kinds, RisesBy(name, at_least=abs(value) + 1)][draw.integers(7)]


def size(_name: str, value: Any) -> Any:
    """Any cell as a number: dates in days, grades by their order."""
    if isinstance(value, Moment):
        return value.number / 86_400_000_000
    if isinstance(value, str):
        return ORDER.index(value) if value in ORDER else ord(value)
    return value


def model(draw: Draw) -> Any:
    weights = draw.normal(0, 1, 5)

    def probabilities(rows: pd.DataFrame) -> np.ndarray:
        numbers = [
            rows["count"] - 6,
            rows["small"],
            rows["level"] / 10 - 1.5,
            rows["total"] / 4 - 3,
            rows["red"] * 3 - 1,
        ]
        score = sum(w * column.to_numpy(float) for w, column in zip(weights, numbers, strict=True))
        chance = 1 / (1 + np.exp(-np.clip(np.nan_to_num(score), -30, 30)))
        return np.stack([1 - chance, chance], axis=1)

    return probabilities


def attack(seed: int, *, calls: int = 4, rows: int = 25, steps: int = 4) -> tuple[int, list[str]]:
    """How many answers and samples were checked, and what is wrong with them."""
    draw = np.random.default_rng([seed, 23])
    frame = table(draw)
    schema = Schema.infer(frame)
    training = {"steps": steps, "batch_rows": 16, "width": 16, "repair": 0}
    asked = model(draw)
    explainer = CounterFlowNet(asked, schema=schema, classes=[0, 1], training=training, seed=seed)
    explainer.fit(frame, progress=False)
    checked, found = 0, []
    for call in range(calls):
        rules = random_rules(draw, frame)
        some = frame.sample(rows, random_state=int(draw.integers(1 << 30)))
        own = rules_of_rows(draw, frame, rules, some.index) if draw.random() < 0.4 else {}
        rules += [Mutable(*draw.choice(frame.columns, 6, replace=False).tolist())] if draw.random() < 0.2 else []
        how = explainer.sample if draw.random() < 0.4 else explainer.explain
        try:
            answer = how(some, constraints=rules, row_constraints=own)
        except ConstraintError as error:
            expected = any(text in str(error) for text in ("both decide", "circle", "whatever the values"))
            found += [] if expected else [f"call {call}: {error}"]
            continue
        checked += len(answer.row)
        found += [f"seed {seed}, call {call}: {text}" for text in breaches(rules, own, answer)]
    return checked, found


def breaches(everywhere: list[Any], own: dict[Any, list[Any]], answer: Any) -> Iterator[str]:
    before, after = cells_of(answer.factuals), cells_of(answer.counterfactuals)
    for number, row in enumerate(answer.row.tolist()):
        rules = [*everywhere, *own.get(answer.factuals.index[row], ())]
        most = min(rule.count for rule in rules if isinstance(rule, MaxChanges))
        open_ = [set(rule.names) for rule in rules if isinstance(rule, Mutable)]
        others = [rule for rule in rules if not isinstance(rule, MaxChanges | Mutable)]
        changed = {name for name, flag in zip(before, answer.changed[number], strict=True) if flag}
        old = {name: cells[row] for name, cells in before.items()}
        new = {name: cells[number] for name, cells in after.items()}
        texts = list(broken(others, old, new, changed, size))
        texts += [f"{len(changed)} changes instead of {most}"] if len(changed) > most else []
        texts += [f"{changed} changed instead of {names}" for names in open_ if changed - names]
        yield from (f"answer {number} of row {row}: {text}" for text in texts)
    for name in answer.factuals.columns:
        if answer.factuals[name].dtype != answer.counterfactuals[name].dtype:
            yield f"{name!r} came as {answer.factuals[name].dtype} and is {answer.counterfactuals[name].dtype}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=20.0)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--steps", type=int, default=4, help="of training")
    options.add_argument("--out", type=Path, default=Path("docs/attacks/rule_fuzz.jsonl"))
    given = options.parse_args()
    torch.set_num_threads(1)
    until, seed = time.monotonic() + 60 * given.minutes, given.seed
    while time.monotonic() < until:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            checked, found = attack(seed, calls=10, rows=150, steps=given.steps)
        told = {"seed": seed, "steps": given.steps, "answers": checked, "breaches": found}
        with given.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")
        seed += 1


if __name__ == "__main__":
    main()

"""Masks of random rules against a solver, state by state: ``python -m tests.attacks.rule_masks --count 100000``."""

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from ortools.sat.python import cp_model

from counterflownet import (
    Above,
    Below,
    Changes,
    Condition,
    Equals,
    Falls,
    FallsBy,
    IfThen,
    LessEqual,
    MaxChanges,
    OneHot,
    Range,
    Rises,
    RisesBy,
    Schema,
    Stays,
    Together,
)
from counterflownet._states import States
from counterflownet.tabular.allowance import CheckedConstraints
from counterflownet.tabular.order_circles import impossible_circle
from counterflownet.tabular.prepared import prepared

STATES = 12  # of each set of rules, that are compared
NUMBERS, NAMES, SWITCHES = ("a", "b", "c"), ("n",), ("x", "y", "z")
LABELS = ["p", "q", "r"]


@dataclass(frozen=True, eq=False)
class Case:
    """Rows, rules and partial states, with what the library says of them."""

    schema: Schema
    rows: pd.DataFrame
    rules: list[Any]
    most: int
    states: States
    codes: np.ndarray
    stop: np.ndarray


def case(seed: int) -> Case:
    """Everything follows from the seed."""
    draw = np.random.default_rng([seed, 17])
    count = 8
    table = pd.DataFrame({name: draw.integers(0, 5, 40) for name in NUMBERS})
    table["n"] = pd.Categorical(draw.choice(LABELS, 40), categories=LABELS, ordered=bool(draw.random() < 0.5))
    for name in SWITCHES:
        table[name] = draw.integers(0, 2, 40)
    schema = Schema.infer(table)
    rows = table.sample(count, random_state=int(draw.integers(1 << 30))).reset_index(drop=True)
    rules = [random_rule(draw, ordered=bool(table["n"].cat.ordered)) for _ in range(draw.integers(1, 5))]
    if draw.random() < 0.3:
        rules.append(random_consequence(draw))
    if draw.random() < 0.3:
        rules = [rule for rule in rules if not isinstance(rule, OneHot)] + [OneHot(*SWITCHES)]
    rules = possible(schema, rules)
    most = int(draw.integers(1, 6))
    extra = [Range("a", 1, 3)] if draw.random() < 0.3 else []
    checked = CheckedConstraints.of(schema, [*rules, *extra, MaxChanges(most)])
    codec = prepared(checked, schema, rows).codec
    allowed = checked.compiled(codec).allowed
    states = random_states(draw, codec.codes, allowed.codes.numpy(), schema)
    moves = allowed.joint.moves(allowed, states)
    return Case(schema, rows, [*rules, *extra], most, states, moves.codes.numpy(), moves.stop.numpy())


def possible(schema: Schema, rules: list[Any]) -> list[Any]:
    """The rules without orders of columns that no values keep, which are refused."""
    while circle := impossible_circle(schema, [rule for rule in rules if isinstance(rule, LessEqual)]):
        rules = [rule for rule in rules if rule != circle[-1]]
    return rules


def random_rule(draw: np.random.Generator, *, ordered: bool) -> Any:
    kind = draw.integers(4)
    one, other = draw.choice(NUMBERS, 2, replace=False).tolist()
    if kind == 0:
        return LessEqual(one, other, strict=bool(draw.random() < 0.3), offset=int(draw.integers(-2, 2)))
    if kind == 1:
        return Together(*draw.permutation(NUMBERS)[: draw.integers(2, 4)].tolist())
    return IfThen(condition(draw, ordered=ordered), condition(draw, ordered=ordered))


def random_consequence(draw: np.random.Generator) -> IfThen:
    """One column follows another."""
    one, other = draw.choice(NUMBERS, 2, replace=False).tolist()
    step = int(draw.integers(1, 4))
    parts = [RisesBy(other, at_least=step), FallsBy(other, at_least=step), Equals(other, step)]
    kinds = [Rises(one), Falls(one), Changes(one), Above(one, step)]
    return IfThen(kinds[draw.integers(4)], parts[draw.integers(3)], as_="consequence")


def condition(draw: np.random.Generator, *, ordered: bool, depth: int = 2) -> Condition:
    if depth and draw.random() < 0.4:
        one, other = (condition(draw, ordered=ordered, depth=depth - 1) for _ in range(2))
        return [one & other, one | other, ~one][draw.integers(3)]
    if draw.random() < 0.25:
        kinds = [Changes, Stays, *([Rises, Falls] if ordered else [])]
        return Equals("n", str(draw.choice(LABELS))) if draw.random() < 0.5 else kinds[draw.integers(len(kinds))]("n")
    name, value = str(draw.choice([*NUMBERS, *SWITCHES])), int(draw.integers(0, 4))
    plain = [Rises(name), Falls(name), Changes(name), Stays(name), Equals(name, value), Above(name, value)]
    steps = [Below(name, value), RisesBy(name, at_least=1 + value), FallsBy(name, at_least=1 + value)]
    return [*plain, *steps][draw.integers(9)]


def random_states(draw: np.random.Generator, own: np.ndarray, open_: np.ndarray, schema: Schema) -> States:
    """Factuals with a few allowed edits, some of which nothing completes."""
    row = draw.integers(0, len(own), STATES)
    codes, edited = own[row].copy(), np.zeros((STATES, own.shape[1]), dtype=bool)
    for state in range(STATES):
        for d in draw.permutation(own.shape[1])[: draw.choice([0, 1, 1, 2, 3])]:
            allowed = np.flatnonzero(open_[row[state], schema.space.span(int(d))])
            if len(allowed):
                codes[state, d], edited[state, d] = draw.choice(allowed), True
    return States(torch.from_numpy(row), torch.from_numpy(codes), torch.from_numpy(edited))


class Solver:
    """The same question for a solver: a variable for each column, what follows written out by hand."""

    def __init__(self, case: Case, row: int) -> None:
        self.case, self.model = case, cp_model.CpModel()
        self.own = {name: self.number(name, case.rows[name].iloc[row]) for name in case.schema.names}
        self.edited, self.value, self.code = {}, {}, {}
        self.grouped = next((rule.names for rule in case.rules if isinstance(rule, OneHot)), ())
        for feature in case.schema:
            self.column(feature)
        for rule in case.rules:
            self.add(rule)
        self.group()
        self.model.add(sum(self.edited.values()) <= case.most)

    def number(self, name: str, value: Any) -> int:
        return LABELS.index(value) if name == "n" else int(value)

    def column(self, feature: Any) -> None:
        name, numbers = feature.name, [self.number(feature.name, value) for value in feature.values]
        self.edited[name] = self.model.new_bool_var(f"edit {name}")
        self.code[name] = [self.model.new_bool_var(f"{name} {code}") for code in range(len(numbers))]
        self.value[name] = self.model.new_int_var(-10, 10, name)
        self.model.add(sum(self.code[name]) == self.edited[name])
        for code, number in enumerate(numbers):
            self.model.add(self.value[name] == number).only_enforce_if(self.code[name][code])
            if number == self.own[name]:
                self.model.add(self.code[name][code] == 0)
        if name not in self.grouped and not any(name == rule.requirement.column for rule in self.consequences()):
            self.model.add(self.value[name] == self.own[name]).only_enforce_if(~self.edited[name])

    def consequences(self) -> list[IfThen]:
        return [rule for rule in self.case.rules if isinstance(rule, IfThen) and rule.as_ == "consequence"]

    def follow(self, rule: IfThen) -> None:
        """What is not edited moves by the least step where the condition holds, else it stays."""
        atom, active, name = rule.requirement, self.holds(rule.condition), rule.requirement.column
        own, stays = self.own[name], ~self.edited[name]
        reached = {
            "RisesBy": lambda: own + atom.at_least,
            "FallsBy": lambda: own - atom.at_least,
            "Equals": lambda: atom.value,
        }[type(atom).__name__]()
        self.model.add(self.value[name] == own).only_enforce_if(stays, ~active)
        self.model.add(self.value[name] == reached).only_enforce_if(stays, active)
        self.model.add_implication(active, self.holds(atom))

    def group(self) -> None:
        """One is set by an edit and unsets the others, or nothing moves, or of several that are set all but one go."""
        names = self.grouped
        if not names:
            return
        sets = {name: self.both(self.edited[name], self.is_(name, 1)) for name in names}
        unsets = {name: self.both(self.edited[name], self.is_(name, 0)) for name in names}
        some = self.model.new_bool_var("some set")
        self.model.add_max_equality(some, list(sets.values()))
        self.model.add(sum(sets.values()) <= 1)
        set_before = sum(self.own[name] == 1 for name in names)
        for name in names:
            stays = ~self.edited[name]
            self.model.add(self.value[name] == self.own[name]).only_enforce_if(stays, ~some)
            self.model.add(self.value[name] == 0).only_enforce_if(stays, some)
            self.model.add_implication(some, ~unsets[name])
            if set_before < 2:
                self.model.add(unsets[name] == 0)
        self.model.add(sum(self.is_(name, 1) for name in names) == 1)

    def is_(self, name: str, number: int) -> Any:
        return self.compare(self.value[name] == number, self.value[name] != number)

    def compare(self, yes: Any, no: Any) -> Any:
        flag = self.model.new_bool_var("")
        self.model.add(yes).only_enforce_if(flag)
        self.model.add(no).only_enforce_if(~flag)
        return flag

    def both(self, *flags: Any) -> Any:
        result = self.model.new_bool_var("")
        self.model.add_min_equality(result, list(flags))
        return result

    def either(self, *flags: Any) -> Any:
        result = self.model.new_bool_var("")
        self.model.add_max_equality(result, list(flags))
        return result

    def holds(self, condition: Any) -> Any:
        kind = type(condition).__name__
        if kind in {"AllOf", "AnyOfThem"}:
            parts = [self.holds(condition.one), self.holds(condition.other)]
            return self.both(*parts) if kind == "AllOf" else self.either(*parts)
        if kind == "Opposite":
            return ~self.holds(condition.condition)
        value, own = self.value[condition.column], self.own[condition.column]
        if kind == "Equals":
            return self.is_(condition.column, self.number(condition.column, condition.value))
        tests: dict[str, Callable[[], Any]] = {
            "Rises": lambda: self.compare(value >= own + 1, value <= own),
            "Falls": lambda: self.compare(value <= own - 1, value >= own),
            "Changes": lambda: self.compare(value != own, value == own),
            "Stays": lambda: self.compare(value == own, value != own),
            "Above": lambda: self.compare(value >= condition.value + 1, value <= condition.value),
            "Below": lambda: self.compare(value <= condition.value - 1, value >= condition.value),
            "RisesBy": lambda: self.compare(value >= own + condition.at_least, value <= own + condition.at_least - 1),
            "FallsBy": lambda: self.compare(value <= own - condition.at_least, value >= own - condition.at_least + 1),
        }
        return tests[kind]()

    def add(self, rule: Any) -> None:
        kind = type(rule).__name__
        if kind == "LessEqual":
            gap = rule.offset + (1 if rule.strict else 0)
            self.model.add(self.value[rule.low] + gap <= self.value[rule.high])
        elif kind == "IfThen" and rule.as_ == "consequence":
            self.follow(rule)
        elif kind == "Range":
            if not rule.low <= self.own[rule.column] <= rule.high:
                self.model.add(self.edited[rule.column] == 1)
            self.model.add(self.value[rule.column] >= rule.low)
            self.model.add(self.value[rule.column] <= rule.high)
        elif kind == "IfThen":
            self.model.add_implication(self.holds(rule.condition), self.holds(rule.requirement))
        elif kind == "Together":
            ways = [self.both(*(self.holds(way(name)) for name in rule.names)) for way in (Rises, Falls, Stays)]
            self.model.add(sum(ways) == 1)

    def possible(self, edits: dict[str, int], *, closed: bool = False) -> bool:
        """Whether these edits can be completed; if ``closed``, without any other."""
        model = self.model.clone()
        for name, code in edits.items():
            model.add(model.get_bool_var_from_proto_index(self.code[name][code].index) == 1)
        if closed:
            for name in self.edited.keys() - edits.keys():
                model.add(model.get_bool_var_from_proto_index(self.edited[name].index) == 0)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        return solver.solve(model) in {cp_model.OPTIMAL, cp_model.FEASIBLE}


def disagreements(case: Case, draw: np.random.Generator, codes: int = 6) -> Iterator[str]:
    """Where library and solver differ: whether to stop, and some codes of each state."""
    row, held, edited = case.states.numpy()
    solvers: dict[int, Solver] = {}
    names = case.schema.names
    for state in range(len(row)):
        solver = solvers.setdefault(int(row[state]), Solver(case, int(row[state])))
        edits = {names[d]: int(held[state, d]) for d in np.flatnonzero(edited[state])}
        if bool(case.stop[state]) != solver.possible(edits, closed=True) and len(edits) <= case.most:
            yield f"row {row[state]} after {edits}: stop {case.stop[state]} under {case.rules}, {case.most} changes"
        for _ in range(codes):
            d = int(draw.integers(len(names)))
            code = int(draw.integers(case.schema.space.code_counts[d]))
            said = bool(case.codes[state, case.schema.space.starts[d] + code])
            told = names[d] not in edits and solver.possible({**edits, names[d]: code})
            if said != told:
                edit = f"{names[d]}={code}"
                yield f"row {row[state]} after {edits}: {edit} {said} under {case.rules}, {case.most} changes"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100_000, help="states")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--out", type=Path, default=Path("docs/attacks/rule_masks.jsonl"))
    given = options.parse_args()
    torch.set_num_threads(1)
    for seed in range(given.seed, given.seed + -(-given.count // STATES)):
        found = list(disagreements(case(seed), np.random.default_rng(seed)))
        with given.out.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seed": seed, "states": STATES, "disagreements": found}) + "\n")


if __name__ == "__main__":
    main()

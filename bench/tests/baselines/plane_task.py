"""A task that can be drawn on paper: two numbers and a category, and a straight line between two classes."""

from dataclasses import replace

import numpy as np
import pandas as pd

from counterflownet import Schema
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.column import Number, nominal
from counterflownet_bench.references.encoding import ColumnRoles, RowEncoder
from counterflownet_bench.references.model import Layer, ReferenceClassifier

STEEP = 40.0
COLOURS = ("blue", "green", "red")


def plane_table(count: int = 300, seed: int = 0) -> pd.DataFrame:
    """Points of the unit square, corners included, with a colour that says nothing."""
    chance = np.random.default_rng(seed)
    table = pd.DataFrame({"x": chance.random(count), "y": chance.random(count)})
    table.loc[:1, ["x", "y"]] = [[0.0, 0.0], [1.0, 1.0]]
    return table.assign(colour=np.array(["red", "green", "blue"])[np.arange(count) % 3])


def plane_task(train: pd.DataFrame, *, weights: dict[str, float] | None = None, **roles: tuple[str, ...]) -> Task:
    """Class 1 is where the weighted sum of x, y and green is above one half; only x counts unless weights say so."""
    columns = (Number("x"), Number("y"), nominal("colour", COLOURS))
    changed = {"columns": columns, "immutable": (), "increasing": (), "constraint_sets": (), **roles}
    return Task(
        card=replace(CARDS["german_credit"], **changed),
        train=train,
        classifier=_line(train, weights or {"x": 1.0}),
        schema=Schema.infer(train),
        constraints=[],
        seed=0,
    )


def _line(train: pd.DataFrame, weights: dict[str, float]) -> ReferenceClassifier:
    encoder = RowEncoder.fit(ColumnRoles(continuous=("x", "y"), categorical={"colour": COLOURS}), train)
    of_numbers = [weights.get(name, 0.0) * STEEP * d for name, d in zip("xy", encoder.deviation, strict=True)]
    up = np.array([*of_numbers, 0.0, weights.get("green", 0.0) * STEEP, 0.0])
    middle = sum(weights.get(name, 0.0) * mean for name, mean in zip("xy", encoder.mean, strict=True))
    bias = STEEP * (middle - 0.5)
    layer = Layer(np.stack([np.zeros_like(up), up], axis=1), np.array([0.0, bias]))
    return ReferenceClassifier(encoder, (layer,), (0, 1))


def home(**values: object) -> pd.DataFrame:
    """One row of class 0 at (0.2, 0.5)."""
    return pd.DataFrame([{"x": 0.2, "y": 0.5, "colour": "red", **values}])

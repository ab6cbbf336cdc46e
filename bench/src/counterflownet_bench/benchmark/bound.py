"""A harmonic mean of sparsity and diversity that no method can pass in Protocol A, whatever the classifier says.

It follows from the codes that constraints leave free in each row. In each feature some of the K answers keep the row's
code and the others are spread over the free codes as evenly as can be: the more keep it, the sparser; the more they
spread, the more diverse. The best division of all features of all rows is the bound; that answers must also be valid,
or be real rows, is left out. Methods that leave places empty are measured on fewer answers, for which it is no bound.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.tabular import Codec, allowed_codes
from counterflownet_bench.benchmark.presets import BINS, COUNT
from counterflownet_bench.benchmark.roles import constraints_of, schema_of
from counterflownet_bench.datasets import BenchmarkData

Curve = Float[ndarray, "step 2"]  # sparsity and diversity of one feature, as more and more answers change it


@cache
def bounds() -> Mapping[str, float]:
    """The bound of each data set in percent, as bench/scripts/bounds.py has computed it from all test rows."""
    text = files("counterflownet_bench.benchmark").joinpath("bounds.json").read_text(encoding="utf-8")
    found: Mapping[str, float] = json.loads(text)
    return found


def harmonic_bound(data: BenchmarkData, count: int = COUNT) -> float:
    """The highest harmonic mean, in percent, that answers to all test rows can have."""
    free = free_codes(data)
    steps: list[Float[ndarray, "some 2"]] = []
    for number, times in Counter(free.ravel().tolist()).items():
        curve = np.diff(envelope(feature_curve(number, count)), axis=0)
        steps += [curve * times / free.size]
    return 100.0 * _best(np.concatenate(steps))


def free_codes(data: BenchmarkData) -> Int[ndarray, "row feature"]:
    """How many codes other than its own each cell of the test rows may get."""
    schema = schema_of(data.card, data.X_train, BINS["a"])
    codec = Codec(schema, data.X_test.reset_index(drop=True))
    allowed, free = allowed_codes(codec, constraints_of(data.card)), []
    for d, feature in enumerate(schema):
        own = np.arange(feature.code_count) == codec.codes[:, d, None]  # another value of its own bin is no other code
        free.append((allowed[:, schema.space.span(d)] & ~own).sum(axis=1))
    return np.stack(free, axis=1)


def feature_curve(free: int, count: int) -> Curve:
    """Sparsity and diversity of a feature with so many free codes if 0, 1, 2, ... of the answers change it."""
    most = count if free else 0
    pairs = count * (count - 1) / 2
    points = []
    for changed in range(most + 1):
        share, rest = divmod(changed, max(free, 1))
        groups = np.array([count - changed, *[share + 1] * rest, *[share] * (free - rest)])
        points.append(((count - changed) / count, 1.0 - (groups * (groups - 1) / 2).sum() / pairs))
    return np.array(points)


def envelope(curve: Curve) -> Curve:
    """The points that no mixture of others surpasses, from the sparsest to the most diverse."""
    kept: list[ndarray] = []
    for point in curve:
        while kept and point[1] <= kept[-1][1] and point[0] >= kept[-1][0]:
            kept.pop()
        while len(kept) > 1 and _gain(kept[-2], kept[-1]) <= _gain(kept[-2], point):
            kept.pop()
        if not kept or point[1] > kept[-1][1]:
            kept.append(point)
    return np.stack(kept)


def _gain(start: ndarray, stop: ndarray) -> float:
    """How much diversity a share of sparsity buys on the way from one point to another."""
    return float((stop[1] - start[1]) / (start[0] - stop[0]))


def _best(steps: Float[ndarray, "step 2"]) -> float:
    """The best harmonic mean on the way from all unchanged, dearest steps last; steps may be taken in part."""
    cost, gain = -steps[:, 0], steps[:, 1]
    order = np.argsort(-gain / cost)
    sparsity = np.concatenate([[1.0], 1.0 - np.cumsum(cost[order])])
    diversity = np.concatenate([[0.0], np.cumsum(gain[order])])
    fine = np.linspace(sparsity[-1], 1.0, 20_001)
    along = np.interp(fine, sparsity[::-1], diversity[::-1])
    return float((2 * fine * along / (fine + along)).max())

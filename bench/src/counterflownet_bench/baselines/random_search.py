"""Random search: few columns are changed to values of other rows, then more, until enough answers are valid."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet.errors import check_count
from counterflownet.seeds import derived_seed, keyed_uniforms, row_keys, sample_keys
from counterflownet.tabular import Codec, States, allowed_codes
from counterflownet_bench.baselines.l2c_levels import whole_levels
from counterflownet_bench.baselines.method import Given, Task, class_numbers, places_within

_BLOCK = 50_000  # candidates at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomSearch:
    """``draws`` candidates with one change, as many with two, and so on up to ``most_changes``.

    Each change is of a column and to a code that the constraints allow, uniformly drawn. All answers are valid and
    differ from each other; those with the fewest changes come first.
    """

    draws: int = 100
    most_changes: int = 6

    def __post_init__(self) -> None:
        check_count("RandomSearch.draws", self.draws)
        check_count("RandomSearch.most_changes", self.most_changes)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def fit(self, task: Task) -> "FittedRandomSearch":
        return FittedRandomSearch(self, replace(task, schema=whole_levels(task.schema, task.train)))


@dataclass(frozen=True, slots=True, eq=False)
class FittedRandomSearch:
    """Nothing is learned; a row's draws depend on the seed and on the row, not on the rows beside it."""

    method: RandomSearch
    task: Task

    @property
    def training(self) -> Mapping[str, Any]:
        return {}

    def answer(
        self,
        rows: pd.DataFrame,
        targets: Sequence[Any],
        *,
        count: int,
        selection: str,  # noqa: ARG002 - the first valid ones are the answers
    ) -> Given:
        wanted = class_numbers(self.task.classifier.classes, targets)
        ordered = rows[list(self.task.schema.names)].reset_index(drop=True)
        size = max(1, _BLOCK // self.method.draws)
        starts = range(0, len(rows), size)
        found = [self._answers(ordered.iloc[a : a + size], wanted[a : a + size], count) for a in starts]
        table = pd.concat([part for part, _ in found])[list(self.task.train.columns)]
        row = np.concatenate([own + start for (_, own), start in zip(found, starts, strict=True)])
        return Given.of_rows(table, row, row_count=len(rows), count=count)

    def _answers(
        self, rows: pd.DataFrame, wanted: Int[ndarray, " row"], count: int
    ) -> tuple[pd.DataFrame, Int[ndarray, " answer"]]:
        codec = Codec(self.task.schema, rows)
        allowed = allowed_codes(codec, self.task.constraints)
        keys = row_keys(codec.codes, seed=derived_seed(self.task.seed, "random search"))
        tables, places = [codec.decode(_states(codec, np.zeros(0, dtype=np.int64)))], [np.zeros(0, dtype=np.int64)]
        missing = np.full(len(rows), count)
        for changes in range(1, min(self.method.most_changes, len(self.task.schema)) + 1):
            asked = np.flatnonzero(missing > 0)
            if len(asked) == 0:
                break
            table, row = self._valid(codec, allowed, keys, asked, changes, wanted)
            kept = np.flatnonzero(places_within(row) < missing[row])
            tables.append(table.take(kept))
            places.append(row[kept])
            missing = missing - np.bincount(row[kept], minlength=len(rows))
        row = np.concatenate(places)
        order = np.argsort(row, kind="stable")
        return pd.concat(tables, ignore_index=True).take(order), row[order]

    def _valid(
        self,
        codec: Codec,
        allowed: Bool[ndarray, "row code"],
        keys: ndarray,
        asked: Int[ndarray, " asked"],
        changes: int,
        wanted: Int[ndarray, " row"],
    ) -> tuple[pd.DataFrame, Int[ndarray, " valid"]]:
        """Valid candidates with so many changes, each once."""
        draws = self.method.draws
        own = sample_keys(keys[asked], draws, start=changes * draws)
        row = asked.repeat(draws)
        codes, edited = _drawn(codec, allowed, row, own, changes)
        named = np.column_stack([row, codes])
        _, first = np.unique(named[edited.sum(axis=1) == changes], axis=0, return_index=True)
        (whole,) = (edited.sum(axis=1) == changes).nonzero()
        single = np.sort(whole[first])
        if len(single) == 0:
            return codec.decode(_states(codec, np.zeros(0, dtype=np.int64))), row[:0]
        table = codec.decode(_states(codec, row[single], codes[single], edited[single]))
        valid = self.task.classifier.probabilities(table).argmax(axis=1) == wanted[row[single]]
        return table[valid].reset_index(drop=True), row[single][valid]


def _drawn(
    codec: Codec, allowed: Bool[ndarray, "row code"], row: Int[ndarray, " draw"], keys: ndarray, changes: int
) -> tuple[Int[ndarray, "draw feature"], Bool[ndarray, "draw feature"]]:
    """Codes after changes of random columns that may change; fewer where fewer may."""
    space = codec.schema.space
    codes, edited = codec.codes[row], np.zeros((len(row), len(codec.schema)), dtype=bool)
    open_features = np.stack([allowed[:, space.span(d)].any(axis=1) for d in range(len(codec.schema))], axis=1)
    chance = np.stack([keyed_uniforms(keys, d) for d in range(len(codec.schema))], axis=1)
    order = np.argsort(np.where(open_features[row], chance, 2.0), axis=1)[:, :changes]
    for place in range(order.shape[1]):
        feature = order[:, place]
        uniform = keyed_uniforms(keys, len(codec.schema) + place)
        for d in np.unique(feature).tolist():
            (at,) = ((feature == d) & open_features[row, feature]).nonzero()
            choices = allowed[row[at], space.span(d)]
            wanted = (uniform[at] * choices.sum(axis=1)).astype(np.int64)
            codes[at, d] = (choices.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)
            edited[at, d] = True
    return codes, edited


def _states(codec: Codec, row: ndarray, codes: ndarray | None = None, edited: ndarray | None = None) -> States:
    """States of these rows, unedited if no codes are given."""
    codes = codec.codes[row] if codes is None else codes
    edited = np.zeros(codes.shape, dtype=bool) if edited is None else edited
    return States.of_arrays(row, codes, edited)

"""What a call may prefer instead of what the fit does, checked at the door."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd
import torch

from counterflownet._preferences import BETA_RANGE, MOST_COST, Preferences
from counterflownet.errors import InvalidInputError, check_between, unknown_name
from counterflownet.reward.settings import RewardSettings, RewardWeights
from counterflownet.reward.terms import WeightedTerm
from counterflownet.tabular.schema import Schema


@dataclass(frozen=True, slots=True)
class Wish:
    """What is preferred, as a user says it: some weights, some costs, another beta; None leaves what the fit has."""

    weights: Any = None
    costs: Any = None
    beta: Any = None

    @property
    def empty(self) -> bool:
        return all(getattr(self, part.name) is None for part in fields(self))


@dataclass(frozen=True, slots=True)
class Standard:
    """What the fit prefers: it holds wherever a call says nothing else."""

    weights: Mapping[str, float]
    beta: float
    columns: tuple[Any, ...]

    @classmethod
    def of(
        cls, schema: Schema, weights: RewardWeights, settings: RewardSettings, own_terms: Sequence[WeightedTerm]
    ) -> "Standard":
        exponents = asdict(weights) | {term.name: weight for term, weight in own_terms}
        return cls(exponents, settings.temperature.beta, tuple(schema.names))

    def rows(self, count: int) -> Preferences:
        """The preference of the fit for so many rows."""
        weights = torch.tensor([list(map(float, self.weights.values()))], dtype=torch.float64)
        costs = torch.ones(1, len(self.columns), dtype=torch.float64)
        beta = torch.tensor([float(self.beta)], dtype=torch.float64)
        return Preferences(tuple(self.weights), weights, beta, costs).repeated(count)

    def asked(self, wish: Wish, by_label: Any, labels: pd.Index) -> Preferences | None:
        """What each row prefers: the wish for all, and on top of it those of single rows by index label.

        None if nothing is wished for.
        """
        _check_labels(by_label, labels)
        if wish.empty and not by_label:
            return None
        preferences = self._with(wish, self.rows(1)).repeated(len(labels))
        for label, given in (by_label or {}).items():
            at = torch.from_numpy(labels.get_indexer_for(pd.Index([label], dtype=labels.dtype)))
            mine = self._with(_wish_of(label, given), preferences[at[:1]])
            for part in ("weights", "beta", "costs"):
                getattr(preferences, part)[at] = getattr(mine, part)
        return preferences

    def _with(self, wish: Wish, before: Preferences) -> Preferences:
        """The one preference, with what the wish says in place of what it said."""
        after = before[torch.zeros(1, dtype=torch.int64)]
        for name, weight in _weights_of(wish.weights).items():
            if name not in self.weights:
                raise unknown_name("term in weights", name, self.weights)
            check_between(f"the weight of {name!r}", weight, 0.0, 1.0)
            after.weights[:, after.terms.index(name)] = float(weight)
        if not (after.weights > 0).any():
            raise InvalidInputError("all weights are 0: then every row is as good as any other. Give one of them more.")
        for column, cost in _costs_of(wish.costs).items():
            if column not in self.columns:
                raise unknown_name("column in costs", column, self.columns)
            check_between(f"the cost of {column!r}", cost, 0.0, MOST_COST)
            after.costs[:, self.columns.index(column)] = float(cost)
        if wish.beta is not None:
            check_between("beta", wish.beta, self.beta / BETA_RANGE, self.beta * BETA_RANGE)
            after.beta[:] = float(wish.beta)
        return after


def _weights_of(given: Any) -> Mapping[str, Any]:
    if given is None:
        return {}
    if isinstance(given, RewardWeights):
        return asdict(given)
    if not isinstance(given, Mapping):
        raise InvalidInputError(
            f"weights must be RewardWeights or map terms to numbers, such as {{'sparsity': 0.9}}; got {given!r}."
        )
    return given


def _costs_of(given: Any) -> Mapping[Any, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise InvalidInputError(f"costs must map columns to numbers, such as {{'age': 4}}; got {given!r}.")
    return given or {}


def _wish_of(label: Any, given: Any) -> Wish:
    allowed = [part.name for part in fields(Wish)]
    if not isinstance(given, Mapping):
        raise InvalidInputError(
            f"the preference of row {label!r} must be a mapping such as {{'costs': {{'age': 4}}}}; got {given!r}."
        )
    for name in given:
        if name not in allowed:
            raise unknown_name(f"entry in the preference of row {label!r}", name, allowed)
    return Wish(**given)


def _check_labels(by_label: Any, labels: pd.Index) -> None:
    if by_label is not None and not isinstance(by_label, Mapping):
        raise InvalidInputError(
            "row_preferences must map index labels to preferences, such as "
            f"{{'first row': {{'costs': {{'age': 4}}}}}}; got {by_label!r}."
        )
    for label in by_label or {}:
        if label not in labels:
            raise InvalidInputError(
                f"row_preferences names row {label!r}, which is not among the rows to explain (by index label)."
            )

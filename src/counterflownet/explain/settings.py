"""Everything an explainer is told: checked at the door, then one frozen value that is written beside every result."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

import numpy as np

from counterflownet.errors import InvalidInputError, check_between, unknown_name
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.reward.terms import RewardTerm, WeightedTerm
from counterflownet.tabular.schema import Schema
from counterflownet.training.settings import TrainingSettings

T = TypeVar("T")
RESERVED = (
    *("validity", "proximity", "plausibility", "sparsity", "factual", "rank", "strategy", "valid", "reward", "changed"),
    *("probability", "probability_before", "prediction", "prediction_before"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainerSettings:
    """Weights and other settings of the reward, settings of the training, and the seed."""

    weights: RewardWeights = field(default_factory=RewardWeights)
    reward: RewardSettings = field(default_factory=RewardSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self), default=np.generic.item))  # numpy's numbers as JSON knows them

    @classmethod
    def of(cls, *, weights: Any = None, reward: Any = None, training: Any = None, seed: Any = 0) -> "ExplainerSettings":
        """The settings from objects or mappings; the defaults where nothing is given."""
        if isinstance(reward, Mapping) and "temperature" in reward:
            reward = {**reward, "temperature": settings_from(reward["temperature"], Temperature, "temperature")}
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
            raise InvalidInputError(f"seed must be a whole number; got {seed!r}.")
        return cls(
            weights=settings_from(weights, RewardWeights, "weights"),
            reward=settings_from(reward, RewardSettings, "reward"),
            training=settings_from(training, TrainingSettings, "training"),
            seed=int(seed),
        )


def settings_from(given: Any, kind: type[T], name: str) -> T:
    """The settings object, made from a mapping if one is given, the defaults if nothing is."""
    if given is None:
        return kind()
    if isinstance(given, kind):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"{name} must be a {kind.__name__} or a mapping; got {type(given).__name__}.")
    allowed = [entry.name for entry in fields(kind)]  # type: ignore[arg-type]
    for key in given:
        if key not in allowed:
            raise unknown_name(f"entry of {name}", key, allowed)
    return kind(**given)


def checked_schema(schema: Any) -> Schema | None:
    """The schema, or an error if it is none."""
    if schema is None or isinstance(schema, Schema):
        return schema
    raise InvalidInputError(
        f"schema must be a Schema; got {type(schema).__name__}. Make one with Schema.infer(X, kinds={{...}})."
    )


def checked_terms(terms: Any) -> tuple[WeightedTerm, ...]:
    """Reward terms with their weights, under names that nothing else has."""
    seen = set(RESERVED)
    for term, weight in _pairs(terms):
        check_between(f"the weight of the reward term {term.name!r}", weight, 0.0, 1.0)
        if term.name in seen:
            raise InvalidInputError(f"the name {term.name!r} of a reward term is already taken; choose another.")
        seen.add(term.name)
    return tuple((term, float(weight)) for term, weight in terms)


def _pairs(terms: Any) -> Sequence[WeightedTerm]:
    given = terms if isinstance(terms, (list, tuple)) else [terms]
    for entry in given:
        if not (isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], RewardTerm)):
            raise InvalidInputError(
                f"terms takes pairs of a reward term and its weight, such as [(RowTerm('cheap', function), 0.5)]; "
                f"got {entry!r}."
            )
    return given

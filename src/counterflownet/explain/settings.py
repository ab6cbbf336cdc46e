"""Everything an explainer was told, in one frozen value that is written beside every result."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

import numpy as np

from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet.reward.settings import RewardSettings, RewardWeights, Temperature
from counterflownet.training.settings import TrainingSettings

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainerSettings:
    """Weights and other settings of the reward, settings of the training, and the seed."""

    weights: RewardWeights = field(default_factory=RewardWeights)
    reward: RewardSettings = field(default_factory=RewardSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    seed: int = 0

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(asdict(self), default=_plain))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ExplainerSettings":
        reward = {**data["reward"], "temperature": Temperature(**data["reward"]["temperature"])}
        return cls(
            weights=RewardWeights(**data["weights"]),
            reward=RewardSettings(**reward),
            training=TrainingSettings(**data["training"]),
            seed=data["seed"],
        )


def reward_settings_from(given: Any) -> RewardSettings:
    """The settings of the reward, whose temperature may be a mapping too."""
    if isinstance(given, Mapping) and "temperature" in given:
        given = {**given, "temperature": settings_from(given["temperature"], Temperature, "temperature")}
    return settings_from(given, RewardSettings, "reward")


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


def _plain(value: Any) -> Any:
    """A number of numpy's as JSON knows it."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no number or text")

"""How a reward is put together: weights, margin, temperature."""

from dataclasses import dataclass, field, fields
from typing import Literal, no_type_check

from counterflownet.errors import check_at_least, check_between, check_count, check_one_of
from counterflownet.reward.terms import Over


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class RewardWeights:
    """Exponents of the four factors of the reward (paper, eq. reward_composite); 0 switches a factor off.

    At the default temperature of 20 a sparsity of 0.2 prefers one change less by a factor of e^4, about 55.
    """

    validity: float = 1.0
    proximity: float = 0.4
    plausibility: float = 0.4
    sparsity: float = 0.2

    def __post_init__(self) -> None:
        for weight in fields(self):
            check_between(f"RewardWeights.{weight.name}", getattr(self, weight.name), 0.0, 1.0)


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class Temperature:
    """How sharply a better reward is preferred.

    ``"power"``: log R = beta * log r. ``"exponential"``: log R = beta * r, as in the code the paper builds on (there
    with a beta of 40); a row of no worth still has R = 1 then, and a table of many columns can have so many of these
    that they outweigh all others together. What is below ``floor`` counts as ``floor``, so that no logarithm is
    infinite: a reward under ``"exponential"``; under ``"power"`` each part of it but those that count changes.
    """

    kind: Literal["power", "exponential"] = "power"
    beta: float = 20.0
    floor: float = 0.01

    def __post_init__(self) -> None:
        check_one_of("Temperature.kind", self.kind, ["exponential", "power"])
        check_at_least("Temperature.beta", self.beta, 0.0)
        check_between("Temperature.floor", self.floor, 1e-12, 1.0)


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """All but the weights: what each factor counts, and the temperature.

    ``margin`` is the lead of the target class from which on validity is full. ``proximity_over`` and ``sparsity_over``
    say which features count, ``proximity_norm`` how their distances are put together: 1 is their sum.
    ``reference_rows`` is how many distinct training rows plausibility is measured against; None takes all.
    """

    margin: float = 0.5
    proximity_over: Over = "numeric"
    proximity_norm: float = 1.0
    sparsity_over: Over = "all"
    reference_rows: int | None = 25_000
    temperature: Temperature = field(default_factory=Temperature)

    def __post_init__(self) -> None:
        check_between("RewardSettings.margin", self.margin, 0.0, 1.0)
        check_one_of("RewardSettings.proximity_over", self.proximity_over, ["all", "numeric", "categorical"])
        check_one_of("RewardSettings.sparsity_over", self.sparsity_over, ["all", "numeric", "categorical"])
        check_at_least("RewardSettings.proximity_norm", self.proximity_norm, 1.0)
        if self.reference_rows is not None:
            check_count("RewardSettings.reference_rows", self.reference_rows, least=2)

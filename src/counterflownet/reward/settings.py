"""How a reward is composed: weights, margin, temperature."""

import math
from dataclasses import dataclass, field, fields
from typing import Literal, get_args, no_type_check

from counterflownet.errors import check_at_least, check_between, check_count, check_one_of
from counterflownet.reward.terms import Over
from counterflownet.tabular.scale import Scale

TemperatureKind = Literal["power", "exponential"]


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class RewardWeights:
    """Exponents of the four factors of the reward, from 0 (off) to 1 (paper, eq. reward_composite).

    Attributes:
        validity: Favours a clear lead of the target class.
        proximity: Favours small steps.
        plausibility: Favours rows like the training rows (local outlier factor).
        sparsity: Favours fewer changes: at the default temperature, 0.2 makes one fewer e^4, or 55, times as likely.
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
    """How sharply better rewards are preferred.

    Attributes:
        kind: ``"power"``, log R = beta * log r, or ``"exponential"``, log R = beta * r, as the paper's base code does
            (beta 40). There worthless rows still have R = 1, and a wide table has so many that they outweigh the rest.
        beta: Larger values sample closer to the best.
        floor: Lower values count as this, so that no logarithm is infinite: of the reward under ``"exponential"``, of
            each of its factors but proximity and sparsity under ``"power"``.
    """

    kind: TemperatureKind = "power"
    beta: float = 20.0
    floor: float = 0.01

    def __post_init__(self) -> None:
        check_one_of("Temperature.kind", self.kind, get_args(TemperatureKind))
        check_at_least("Temperature.beta", self.beta, 0.0)
        check_between("Temperature.floor", self.floor, 1e-12, 1.0)


@no_type_check  # at run time: what a user gives is checked below, with an error of ours
@dataclass(frozen=True, slots=True, kw_only=True)
class RewardSettings:
    """Everything but the weights: what each factor measures, and the temperature.

    Attributes:
        margin: The lead of the target class at which validity reaches 1.
        missed: What validity is multiplied by where the target does not win; 1 is the paper's.
        proximity_over: Which features count for proximity: ``"all"``; ``"ordered"``, numbers, dates and ordered
            categories; ``"numeric"``, which leaves the last out as the paper does; or ``"categorical"``.
        proximity_scale: How the distance of two numbers is measured: ``"mixed"``, half by ranks and half in units of
            what ordinary rows cover; ``"rank"``; ``"deviation"``; or ``"range"``, in units of the training range (the
            paper's).
        proximity_norm: The norm that combines their distances; 1 is the sum.
        sparsity_over: Which features count for sparsity.
        reference_rows: How many distinct training rows plausibility is measured against; None for all.
        temperature: How sharply better rewards are preferred.
    """

    margin: float = 0.5
    missed: float = 0.5
    proximity_over: Over = "ordered"
    proximity_scale: Scale = "mixed"
    proximity_norm: float = 1.0
    sparsity_over: Over = "all"
    reference_rows: int | None = 25_000
    temperature: Temperature = field(default_factory=Temperature)

    def __post_init__(self) -> None:
        check_between("RewardSettings.margin", self.margin, 0.0, 1.0)
        check_between("RewardSettings.missed", self.missed, 0.0, 1.0)
        check_one_of("RewardSettings.proximity_over", self.proximity_over, get_args(Over))
        check_one_of("RewardSettings.sparsity_over", self.sparsity_over, get_args(Over))
        check_one_of("RewardSettings.proximity_scale", self.proximity_scale, get_args(Scale))
        if self.proximity_norm != math.inf:  # the largest distance alone
            check_at_least("RewardSettings.proximity_norm", self.proximity_norm, 1.0)
        if self.reference_rows is not None:
            check_count("RewardSettings.reference_rows", self.reference_rows, least=2)

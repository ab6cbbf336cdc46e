"""How often plain samples are valid, direction by direction: what a fit finds when it looks at itself."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, no_type_check

from counterflownet.errors import InvalidInputError, check_between, check_count, check_one_of

PLAIN = (str, int, float, bool)


@no_type_check  # at run time: what a file holds is checked below, with an error of ours
@dataclass(frozen=True, slots=True)
class DirectionValidity:
    """One direction at one time.

    Attributes:
        predicted: The class that the rows are put in.
        target: The class asked for.
        rows: How many rows were measured.
        held_out: Whether training never saw these rows; too small a class has none to hold back.
        samples: How many samples of these rows were drawn, under no constraints.
        validity: Which share of the samples the classifier puts in the target class.
    """

    predicted: Any
    target: Any
    rows: int
    held_out: bool
    samples: int
    validity: float

    def __post_init__(self) -> None:
        check_count("the rows of a direction", self.rows)
        check_count("the samples of a direction", self.samples)
        check_between("the validity of a direction", self.validity, 0.0, 1.0)
        check_one_of("whether its rows are held out", self.held_out, (True, False))
        if not all(isinstance(label, PLAIN) for label in (self.predicted, self.target)):
            raise InvalidInputError("a direction leads from one label to another.")

    def __str__(self) -> str:
        note = "" if self.held_out else " on training rows"
        return f"{self.predicted} -> {self.target} {self.validity:.1%}{note}"


@no_type_check  # at run time: what a file holds is checked below, with an error of ours
@dataclass(frozen=True, slots=True)
class Check:
    """All directions after one step."""

    step: int
    directions: tuple[DirectionValidity, ...]

    def __post_init__(self) -> None:
        check_count("the step of a check", self.step)
        if not self.directions:
            raise InvalidInputError("a check must have at least one direction.")

    @property
    def worst(self) -> DirectionValidity:
        return min(self.directions, key=lambda direction: direction.validity)

    def weak(self, bar: float) -> tuple[bool, ...]:
        """Which directions are below the bar."""
        return tuple(direction.validity < bar for direction in self.directions)

    def shortfall(self, bar: float) -> float:
        """By how much all weak directions together are below the bar."""
        return sum(max(0.0, bar - direction.validity) for direction in self.directions)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Check":
        return cls(data["step"], tuple(DirectionValidity(**direction) for direction in data["directions"]))


def best_of(checks: Sequence[Check]) -> Check:
    """The first of the checks whose worst direction is the best; of equals, one of which all others are better."""
    return max(checks, key=lambda check: (check.worst.validity, sum(one.validity for one in check.directions)))


def checks_json(checks: Sequence[Check]) -> list[dict[str, Any]]:
    return [asdict(check) for check in checks]

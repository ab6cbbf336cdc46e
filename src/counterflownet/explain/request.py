"""What a call asks for: in common to ``explain``, ``sample`` and ``diagnose``, and what ``explain`` wants besides."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from counterflownet.errors import check_between, check_count, check_one_of, check_positive

DiversityOver = Literal["changed", "all"]


@dataclass(frozen=True, slots=True)
class Request:
    """One call, for all its rows alike; :meth:`CounterFlowNet.explain` says what each entry means."""

    samples: int
    seed: int
    target: Any
    constraints: Any
    row_constraints: Any
    progress: bool | None = None
    chunk_rows: int | None = None

    def __post_init__(self) -> None:
        check_count("samples", self.samples)
        if self.chunk_rows is not None:
            check_count("chunk_rows", self.chunk_rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which answers ``explain`` is to give, and how long it searches; :meth:`CounterFlowNet.explain` says more."""

    count: int
    minimal: bool
    diversity: float
    diversity_over: DiversityOver
    rounds: int
    seconds: float | None

    def __post_init__(self) -> None:
        check_count("count", self.count)
        check_count("rounds", self.rounds)
        check_between("diversity", self.diversity, 0.0, 1.0)
        check_one_of("diversity_over", self.diversity_over, get_args(DiversityOver))
        check_one_of("minimal", self.minimal, [True, False])
        if self.seconds is not None:
            check_positive("seconds", self.seconds, "Leave it out to stop after the rounds.")

"""The rounds of samples of a hunt: which samples are drawn in each, and how much by chance."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

# The share of uniform actions. Minimal answers profit from it in every round: what is not needed is undone, so strange
# changes cost nothing and lead to more sets of few. Other answers keep all their changes, so there the policy alone
# speaks first, and only rows that it cannot help are tried in other ways.
EXPLORATION = 0.2
EXPLORATION_LATER = 0.5

AGAIN = 1 << 31  # the number of the first sample of rows that are looked at again, far behind all others


@dataclass(frozen=True, slots=True)
class Turn:
    """One round: the samples from number ``start`` on, ``count`` of them for each factual."""

    number: int
    start: int
    count: int
    timed: bool = False

    @property
    def exploration(self) -> float:
        """The share of uniform actions: the flow alone would say the same again."""
        return EXPLORATION if self.number == 0 else EXPLORATION_LATER


UNIFORM = Turn(0, 1 << 33, 1_000)  # drawn without the policy


@dataclass(frozen=True, slots=True)
class Turns:
    """So many ``rounds`` of so many ``samples``, and more ``until`` a time that :func:`time.monotonic` tells."""

    samples: int
    rounds: int
    until: float | None = None

    @property
    def first(self) -> Turn:
        return Turn(0, 0, self.samples)

    def later(self) -> Iterator[Turn]:
        """The rounds after the first."""
        return (Turn(number, number * self.samples, self.samples) for number in range(1, self.rounds))

    def again(self) -> Iterator[Turn]:
        """As many more, by other random numbers."""
        return (Turn(number, AGAIN + number * self.samples, self.samples) for number in range(1, self.rounds))

    def while_time_lasts(self, most: int) -> Iterator[Turn]:
        """Rounds that double, up to ``most`` samples or the usual number, until the time is over."""
        number, start, count = self.rounds, self.rounds * self.samples, self.samples
        while self.until is not None and time.monotonic() < self.until:
            count = min(2 * count, max(most, self.samples))
            yield Turn(number, start, count, timed=True)
            number, start = number + 1, start + count

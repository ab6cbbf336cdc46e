"""How many rows a classifier was asked about, whoever asked."""

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """A count that only grows: what a piece of work has asked is the difference between its end and its beginning."""

    rows: int = 0

    def add(self, rows: int) -> None:
        self.rows += rows

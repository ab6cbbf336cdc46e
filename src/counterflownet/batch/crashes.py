"""Which rows were being worked when processes ended: one that takes every process with it is told and left out."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from counterflownet.batch.ids import Refused

CALM = 3  # crashes over the same rows before they are worked one by one, or the one row is given up
KILLED = "the process ended while this row was explained"


@dataclass(frozen=True, slots=True)
class Crashes:
    """``suspects`` are the batches of each piece to be worked row by row; rows found guilty are ``refused``."""

    refused: Refused
    suspects: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    met: Counter[tuple[int, int, int]] = field(default_factory=Counter)

    def note(self, piece: int, marked: tuple[int, int] | None) -> bool:
        """Note that processes ended while these rows of a piece were worked; False if none of it was.

        A process may be killed from outside, whatever it works on: only rows that were met again are suspected.
        """
        if marked is None:
            return False
        start, stop = marked
        self.met[piece, start, stop] += 1
        if self.met[piece, start, stop] >= CALM:
            if stop - start > 1:
                self.suspects[piece].add(start)
            else:
                self.refused.setdefault(piece, {})[start] = KILLED
        return True

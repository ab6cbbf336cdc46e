"""The last look at what is returned: constraints on the decoded rows, and the classifier asked once more."""

import warnings
from dataclasses import dataclass, field

from jaxtyping import Bool, Int
from numpy import ndarray

from counterflownet.errors import LeftOutWarning, UnstableClassifierWarning
from counterflownet.explain.choose import Chosen
from counterflownet.explain.pose import Chunk, Posed
from counterflownet.explain.search import Pool
from counterflownet.reward.candidates import lead_of
from counterflownet.tabular.verification import DecodedRows

MOST_SAMPLES = 1_000  # of a chunk, that the classifier is asked about again; of answers, it is asked about all


@dataclass(eq=False)
class Verification:
    """What is found over all chunks of a call."""

    posed: Posed
    unsound: int = field(default=0, init=False)
    asked: int = field(default=0, init=False)
    contradicted: int = field(default=0, init=False)

    def sound(self, chunk: Chunk, pool: Pool, chosen: Chosen) -> Bool[ndarray, " answer"]:
        """Which answers keep the constraints and differ from their row in nothing but their changes."""
        candidates, rows = pool.candidates, chunk.search.ground.table.codec.rows
        edited, changed = candidates.rows.take(chosen.number), candidates.changed[chosen.number]
        decoded = DecodedRows(self.posed.learned.schema, rows, edited, chosen.row, changed)
        sound = decoded.sound(chunk.constraints)
        self.unsound += int((~sound).sum())
        return sound

    def stable(self, pool: Pool) -> Pool:
        """What the classifier still finds valid of states that it found valid while they were searched for."""
        valid = pool.candidates.valid
        self._note(valid)
        (kept,) = valid.nonzero()
        if len(kept) == len(valid):
            return pool
        return Pool(pool.candidates[kept], pool.scores[kept])

    def ask_again_about_some(self, pool: Pool, number: Int[ndarray, " answer"]) -> None:
        """Enough of very many samples to know how often the classifier changes its mind."""
        some = pool.candidates[number[:: max(1, -(-len(number) // MOST_SAMPLES))]]
        probabilities = self.posed.learned.reward.classifier.probabilities(some.rows)
        self._note((lead_of(probabilities, some.target) > 0) == (some.lead > 0))

    def _note(self, stable: Bool[ndarray, " answer"]) -> None:
        self.asked += len(stable)
        self.contradicted += int((~stable).sum())

    def warn(self) -> None:
        """Tell the caller what was found, if anything was."""
        if self.unsound:
            warnings.warn(
                f"{self.unsound} answers broke a constraint, or differed where nothing was changed, once they were "
                "decoded. They are left out. This is a fault of ours: please report it.",
                LeftOutWarning,
                stacklevel=4,
            )
        if self.contradicted:
            warnings.warn(
                f"the classifier contradicts itself: asked again about {self.asked} answers, it changed its mind about "
                f"{self.contradicted} ({self.contradicted / self.asked:.0%}). What it says of a row must not depend on "
                "chance or on the rows beside it: turn off dropout (eval mode), and fix its seed.",
                UnstableClassifierWarning,
                stacklevel=4,
            )

"""What pictures of trade-offs compare: settings of ours and other methods, each at the mean of its seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.studies.drawing import BY_NAME
from counterflownet_bench.studies.others import is_taken_over, variant_name
from counterflownet_bench.studies.seeds import mean_of, settings_of


@dataclass(frozen=True, slots=True)
class Point:
    """A setting of ours or another method, measured by one seed or several."""

    name: str
    of_seeds: tuple[Mapping[str, Any], ...]

    @property
    def metrics(self) -> Mapping[str, Any]:
        """The means over seeds, by which it is drawn and compared."""
        return cast("Mapping[str, Any]", mean_of(self.of_seeds))

    @property
    def seed_count(self) -> str:
        """How many seeds there are, as a table shows it."""
        return str(len(self.of_seeds))

    def at(self, x: str, y: str) -> tuple[float, float] | None:
        """Its place, if both measures are defined there."""
        across, along = (BY_NAME[name].value(self.metrics) for name in (x, y))
        return None if across is None or along is None else (across, along)

    def beats(self, other: "Point", measures: tuple[str, str]) -> bool:
        """Nowhere worse, somewhere better (Pareto)."""
        own, its = self.at(*measures), other.at(*measures)
        if own is None or its is None:
            return False
        better = [
            mine - theirs if BY_NAME[name].higher else theirs - mine
            for name, mine, theirs in zip(measures, own, its, strict=True)
        ]
        return min(better) >= 0 and max(better) > 0


def other_points(results: Sequence[Mapping[str, Any]]) -> tuple[Point, ...]:
    """Other methods among these results, each with its seeds."""
    others = settings_of([r for r in results if is_taken_over(r) and r["question"]["method"] != OURS])
    return tuple(Point(variant_name(other.results[0]), tuple(other.each("metrics"))) for other in others)

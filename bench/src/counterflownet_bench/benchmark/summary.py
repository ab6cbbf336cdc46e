"""Results put in order: which variants there are, what each did on each data set, and what is missing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import mean, stdev

from counterflownet_bench.as_published.reading import READINGS
from counterflownet_bench.benchmark.cell import Cell, Result
from counterflownet_bench.benchmark.methods import OURS, refusal
from counterflownet_bench.benchmark.presets import COUNT, PRESETS, SELECTIONS, PresetName, Selection
from counterflownet_bench.benchmark.store import identity, identity_of
from counterflownet_bench.datasets import protocol_names
from counterflownet_bench.datasets.card import ProtocolName

NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Variant:
    """A way of answering, to be compared with others on every data set."""

    method: str
    preset: PresetName
    selection: Selection
    count: int

    @classmethod
    def of(cls, cell: Cell) -> "Variant":
        return cls(cell.method, cell.preset, cell.selection, cell.count)

    def __str__(self) -> str:
        pooled = self.selection == "pooled"
        ways = (self.preset, self.selection) if self.method == OURS else ("pooled",) if pooled else ()
        own = () if self.count == COUNT else (f"count {self.count}",)
        return ", ".join((self.method, *ways, *own))


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of it was done; it may differ from data set to data set."""

    instances: int | None = None
    steps: int | None = None
    minutes: float | None = None

    @classmethod
    def of(cls, cell: Cell) -> "Limits":
        return cls(cell.instances, cell.steps, cell.minutes)

    def __str__(self) -> str:
        named = (("steps", self.steps), ("minutes", self.minutes))
        return ", ".join(f"at most {value:g} {name}" for name, value in named if value is not None)


@dataclass(frozen=True, slots=True)
class Hole:
    """A cell without numbers, and why."""

    dataset: str
    variant: Variant
    seed: int
    reason: str
    failed: bool

    @property
    def refused(self) -> bool:
        """Whether the method does not claim to do this."""
        return not self.failed and self.reason != NOT_RUN


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and deviation over seeds; ``known`` of ``asked`` seeds have a value."""

    mean: float
    deviation: float | None
    known: int
    asked: int

    @classmethod
    def over(cls, values: Sequence[float | None], asked: int) -> "Spread | None":
        """None if no value is known."""
        known = [value for value in values if value is not None]
        if not known:
            return None
        return cls(mean(known), stdev(known) if len(known) > 1 else None, len(known), asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of a table: one variant on one data set within limits, the results by seed, and the holes."""

    variant: Variant
    dataset: str
    limits: Limits = field(default_factory=Limits)
    results: Mapping[int, Result] = field(default_factory=dict)
    holes: tuple[Hole, ...] = ()

    @property
    def asked(self) -> int:
        return len(self.results) + len(self.holes)

    @property
    def label(self) -> str:
        return ", ".join(filter(None, (str(self.variant), str(self.limits))))

    def spread(self, value: Callable[[Result], float | None]) -> Spread | None:
        return Spread.over([value(result) for result in self.results.values()], self.asked)

    def mixed(self) -> bool:
        """Whether its seeds were run under different settings or versions, which no mean should hide."""
        return len({(str(result["settings"]), result["version"]) for result in self.results.values()}) > 1

    def outdated(self) -> bool:
        """Whether a result was made under settings that its method or preset no longer has."""
        return any(identity(result) != identity_of(Cell(**result["cell"])) for result in self.results.values())


class Summary:
    """All results of one protocol; of each cell the last one counts."""

    def __init__(self, results: Sequence[Result], protocol: ProtocolName) -> None:
        own = [result for result in results if result["protocol"] == protocol]
        self.protocol = protocol
        self._latest = {Cell(**result["cell"]): result for result in own}

    def __bool__(self) -> bool:
        return bool(self._latest)

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """By method, ours last; the paper's preset first, raw before selected."""
        return tuple(sorted({Variant.of(cell) for cell in self._latest}, key=_place))

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        """Those of the paper, then any other that was run."""
        return tuple(dict.fromkeys([*protocol_names(self.protocol), *(cell.dataset for cell in self._latest)]))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Every variant on every data set, at least once."""
        return tuple(entry for dataset in self.datasets for entry in self.on(dataset))

    @property
    def holes(self) -> tuple[Hole, ...]:
        return tuple(hole for entry in self.entries for hole in entry.holes)

    def on(self, dataset: str) -> tuple[Entry, ...]:
        """Every variant on one data set; a variant that was run within several limits has an entry for each.

        Readings of the paper other than its formulas have an entry only where they were run.
        """
        return tuple(entry for variant in self.variants for entry in self._entries(variant, dataset))

    def _entries(self, variant: Variant, dataset: str) -> list[Entry]:
        own = [cell for cell in self._latest if Variant.of(cell) == variant]
        here = [cell for cell in own if cell.dataset == dataset]
        absent = sorted({cell.seed for cell in own} - {cell.seed for cell in here})
        reason = refusal(variant.method, dataset) or NOT_RUN
        holes = [Hole(dataset, variant, seed, reason, failed=False) for seed in absent]
        limits = list(dict.fromkeys(map(Limits.of, here)))
        if not limits and variant.preset in READINGS and variant.preset != "paper":
            return []  # a reading is held against the paper where it was run, and is expected nowhere
        if not limits:
            return [Entry(variant=variant, dataset=dataset, holes=tuple(holes))]
        rows = [self._entry(variant, dataset, limit, here) for limit in limits[:-1]]
        return [*rows, self._entry(variant, dataset, limits[-1], here, holes)]  # what was run last has the holes

    def _entry(
        self, variant: Variant, dataset: str, limits: Limits, cells: Sequence[Cell], holes: Sequence[Hole] = ()
    ) -> Entry:
        found = {cell.seed: self._latest[cell] for cell in cells if Limits.of(cell) == limits}
        failed = [
            Hole(dataset, variant, seed, str(result["error"]), failed=True)
            for seed, result in found.items()
            if "error" in result
        ]
        whole = {seed: result for seed, result in sorted(found.items()) if "error" not in result}
        return Entry(variant=variant, dataset=dataset, limits=limits, results=whole, holes=(*failed, *holes))


def _place(variant: Variant) -> tuple[bool, str, int, int, int]:
    ours = variant.method == OURS
    return ours, variant.method, PRESETS.index(variant.preset), SELECTIONS.index(variant.selection), variant.count

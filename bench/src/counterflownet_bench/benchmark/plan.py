"""Which cells a run consists of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet_bench.as_published.reading import READINGS
from counterflownet_bench.benchmark.cell import Cell
from counterflownet_bench.benchmark.methods import OURS, check_method, refusal
from counterflownet_bench.benchmark.presets import COUNT, INSTANCES, PresetName, Selection
from counterflownet_bench.datasets import CARDS, available, load_benchmark, protocol_names
from counterflownet_bench.datasets.card import ProtocolName

ALL = "all"
OUR_SELECTIONS: tuple[Selection, ...] = ("raw", "selected", "minimal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Every combination of what is listed. ``datasets`` may be ``("all",)``: all that a method claims to explain.

    Without ``instances`` a thousand rows are explained, or all if there are fewer. Presets and selections are our own
    method's; any other has one way of answering and is run once, and once more if the selection ``"pooled"`` is asked
    for, which is the same for every method. Without ``selections`` there are all of them, except
    under the preset ``"default"``, where ``"minimal"`` is what :meth:`CounterFlowNet.explain` returns, and under the
    paper's presets, where nothing is made minimal.
    """

    protocol: ProtocolName
    datasets: Sequence[str]
    methods: Sequence[str] = (OURS,)
    presets: Sequence[PresetName] = ("default",)
    seeds: Sequence[int] = (0,)
    selections: Sequence[Selection] | None = None
    instances: int | Literal["all"] | None = None
    count: int = COUNT
    steps: int | None = None
    minutes: float | None = None

    def cells(self) -> tuple[Cell, ...]:
        """The cells in the order in which they are run, those of one fit together."""
        for method in self.methods:
            check_method(method)
        return tuple(cell for method in dict.fromkeys(self.methods) for cell in self._of_method(method))

    def _of_method(self, method: str) -> Iterator[Cell]:
        ours = method == OURS
        presets: Sequence[PresetName] = self.presets if ours else ("tuned",)  # for its bins, the protocol's
        datasets = [name for name in self.dataset_names() if ALL not in self.datasets or refusal(method, name) is None]
        for preset, dataset, seed in product(presets, datasets, dict.fromkeys(self.seeds)):
            for selection in self._selections(preset) if ours else self._of_others():
                yield self._cell(method, preset, dataset, seed, selection)

    def _selections(self, preset: PresetName) -> Sequence[Selection]:
        if self.selections is not None:
            return tuple(dict.fromkeys(self.selections))
        if preset in READINGS:
            return ("raw", "selected")
        return ("raw", "minimal") if preset == "default" else OUR_SELECTIONS

    def _of_others(self) -> Sequence[Selection]:
        """As the method itself selects, and pooled if that is asked for."""
        return ("raw", "pooled") if "pooled" in (self.selections or ()) else ("raw",)

    def _cell(self, method: str, preset: PresetName, dataset: str, seed: int, selection: Selection) -> Cell:
        rows = INSTANCES if self.instances is None else self.instances
        return Cell(
            protocol=self.protocol,
            dataset=dataset,
            method=method,
            preset=preset,
            selection=selection,
            seed=seed,
            instances=None if rows == "all" else rows,
            count=self.count,
            steps=self.steps,
            minutes=self.minutes,
        )

    def dataset_names(self) -> tuple[str, ...]:
        """The data sets by name; ``"all"`` are those of the paper."""
        if ALL in self.datasets:
            return protocol_names(self.protocol)
        for name in self.datasets:
            if name not in CARDS:
                raise unknown_name("data set", name, [ALL, *CARDS])
        return tuple(dict.fromkeys(self.datasets))

    def check_data(self, data: str | Path | None) -> None:
        """An error if a data set that was named is not here; of ``"all"`` the absent ones become failed cells."""
        present = {entry.name: entry.available for entry in available(data)}  # also checks the folder itself
        if ALL in self.datasets:
            if not any(present[name] for name in self.dataset_names()):
                raise InvalidInputError(f"no data set of protocol {self.protocol} is available.")
            return
        for name in self.dataset_names():
            if not present[name]:
                load_benchmark(name, data=data)

"""Protocol B from sparsest to most diverse: our presets as a curve, and on which side of it the paper's method lies.

Answers that differ more from each other change more. So two methods are compared at equal sparsity: whoever has the
more diverse answers there is on the better side.
"""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.columns import TABLES, Column, TableKind
from counterflownet_bench.benchmark.document import Shown, Table
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.plots import OUR_COLOUR
from counterflownet_bench.benchmark.presets import COUNT, CURVE, PresetName
from counterflownet_bench.benchmark.summary import Summary, Variant
from counterflownet_bench.datasets import CARDS

CHANGED, DIVERSITY = "sparsity_all", "diversity"
_POINTS = "offset points"  # matplotlib's word for: so far from the mark, whatever the scale
BETTER, WORSE, UNKNOWN = "better", "not better", "not known"
WORDS = (
    "Our presets differ in their weights: those of the reward's parts, and that of diversity when answers are selected "
    "(and from how many samples). Each is shown with the share of all columns it changes and its diversity, beside the "
    "paper's method (preset `paper`, trained for as many steps as its label says in the tables above). 'better': where "
    "the line through our presets changes as many columns as the paper's method does, or fewer, it has the higher "
    "diversity."
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A preset on a data set under one convention."""

    preset: PresetName
    changed: float
    diversity: float

    def __str__(self) -> str:
        return f"{self.changed:.3f} / {self.diversity:.3f}"


@dataclass(frozen=True, slots=True)
class Curve:
    """Our presets in the order of how much they change, and the paper's."""

    ours: tuple[CurvePoint, ...]
    paper: CurvePoint | None

    @classmethod
    def of(cls, summary: Summary, dataset: str, kind: TableKind) -> "Curve":
        ours = [place for name in CURVE if (place := _place(summary, dataset, kind, name)) is not None]
        return cls(tuple(sorted(ours, key=lambda place: place.changed)), _place(summary, dataset, kind, "paper"))

    @property
    def side(self) -> str:
        """On which side of the paper's method the line through ours passes."""
        if self.paper is None or len(self.ours) < 2:
            return UNKNOWN
        changed = [place.changed for place in self.ours]
        # Who has less diversity than one that changes less is not on the way: that one is the better choice.
        diversity = np.maximum.accumulate([place.diversity for place in self.ours])
        if self.paper.changed < changed[0]:
            return WORSE
        return BETTER if np.interp(self.paper.changed, changed, diversity) >= self.paper.diversity else WORSE

    def text(self, preset: PresetName) -> str:
        return next((str(place) for place in self.ours if place.preset == preset), "not run")


def curve_table(summary: Summary) -> Table:
    """Every data set under both conventions."""
    rows: list[list[Shown | str]] = []
    for dataset in summary.datasets:
        for kind in TABLES[summary.protocol]:
            curve = Curve.of(summary, dataset, kind)
            paper = "not run" if curve.paper is None else str(curve.paper)
            convention = kind.columns[0].path[0]
            rows.append([CARDS[dataset].title, convention, *(curve.text(name) for name in CURVE), paper, curve.side])
    return Table(["Data set", "Convention", *CURVE, "paper", "Ours is"], rows)


def curve_figure(summary: Summary) -> Figure:
    """A line through our presets and a mark for the paper's, for each data set under each convention."""
    kinds = TABLES[summary.protocol]
    across = len(summary.datasets)
    drawn = Figure(figsize=(2.6 * across, 2.6 * len(kinds) + 0.4), layout="constrained")
    grid = drawn.subplots(len(kinds), across, squeeze=False)
    for line, kind in zip(grid, kinds, strict=True):
        for axes, dataset in zip(line, summary.datasets, strict=True):
            _panel(axes, Curve.of(summary, dataset, kind))
            axes.set_title(CARDS[dataset].title, loc="left", fontsize=8, fontweight="bold")
        line[0].set_ylabel(f"diversity, {kind.columns[0].path[0]} (higher is better)", fontsize=8)
    for axes in grid[-1]:
        axes.set_xlabel("changed columns (lower is better)", fontsize=8)
    return drawn


def _panel(axes: Axes, curve: Curve) -> None:
    changed, diversity = ([getattr(place, name) for place in curve.ours] for name in ("changed", "diversity"))
    axes.plot(changed, diversity, color=OUR_COLOUR, marker="o", markersize=4)
    for place in curve.ours:
        axes.annotate(place.preset, (place.changed, place.diversity), fontsize=6, xytext=(3, -7), textcoords=_POINTS)
    if curve.paper is not None:
        axes.scatter(curve.paper.changed, curve.paper.diversity, marker="X", color="#D55E00", zorder=3)
        at = (curve.paper.changed, curve.paper.diversity)
        axes.annotate("paper's method", at, fontsize=6, xytext=(3, 3), textcoords=_POINTS)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=7)
    axes.margins(0.2)


def _place(summary: Summary, dataset: str, kind: TableKind, preset: PresetName) -> CurvePoint | None:
    wanted = Variant(OURS, preset, "selected", COUNT)
    for entry in summary.on(dataset):
        if entry.variant == wanted:
            values = [entry.spread(_column(kind, name).of_result) for name in (CHANGED, DIVERSITY)]
            known = [spread.mean for spread in values if spread is not None]
            if len(known) == len(values):
                return CurvePoint(preset, *known)
    return None


def _column(kind: TableKind, name: str) -> Column:
    return next(column for column in kind.columns if column.path[-1] == name)

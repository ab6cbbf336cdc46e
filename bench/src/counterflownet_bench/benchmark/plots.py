"""The results as pictures: each method a point, the better corner named on the axes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import ceil, sqrt
from types import MappingProxyType

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.bound import bounds
from counterflownet_bench.benchmark.columns import TABLES, Column
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.paper import PAPER_OURS, published_rows
from counterflownet_bench.benchmark.summary import Summary
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.card import ProtocolName

OUR_COLOUR = "#0072B2"  # of Okabe and Ito's palette, told apart by every eye; never another method's
COLOURS = ("#E69F00", "#009E73", "#CC79A7", "#D55E00", "#666666", "#000000")
MARKERS = "osD^vPX*"

# What the picture of a protocol shows: along x, along y.
AXES: Mapping[ProtocolName, tuple[str, str]] = MappingProxyType(
    {"a": ("sparsity", "diversity"), "b": ("proximity_continuous", "diversity")}
)


@dataclass(frozen=True, slots=True)
class Point:
    """A method on a data set; hollow if the number is the paper's."""

    name: str
    x: float
    y: float
    ours: bool
    measured: bool


def figure(summary: Summary) -> Figure:
    """One panel for each data set, made without pyplot, so that no global state is touched."""
    x, y = plotted_columns(summary.protocol)
    panels = {dataset: points(summary, dataset, x, y) for dataset in summary.datasets}
    across = ceil(sqrt(len(panels)))
    down = ceil(len(panels) / across)
    drawn = Figure(figsize=(3.6 * across, 3.0 * down + 0.8), layout="constrained")
    grid = drawn.subplots(down, across, squeeze=False).ravel()
    styles = point_styles([point for found in panels.values() for point in found])
    for axes, (dataset, found) in zip(grid, panels.items(), strict=False):
        axes.set_title(CARDS[dataset].title, loc="left", fontsize=9, fontweight="bold")
        draw_points(axes, found, styles)
        if summary.protocol == "a" and dataset in bounds():
            draw_bound(axes, bounds()[dataset])
        axes.set_xlabel(f"{x.title} ({x.direction})", fontsize=8)
        axes.set_ylabel(f"{y.title} ({y.direction})", fontsize=8)
    for axes in grid[len(panels) :]:
        axes.set_axis_off()
    draw_legend(drawn, grid, columns=3)
    return drawn


def draw_bound(axes: Axes, bound: float) -> None:
    """Where sparsity and diversity have the harmonic mean that none can pass, as far as the panel reaches."""
    low, high = axes.get_xlim()
    sparsity = np.linspace(max(low, bound / 2 + 1.0), high, 100)
    diversity = bound * sparsity / (2 * sparsity - bound)
    shown = diversity <= axes.get_ylim()[1]
    axes.plot(sparsity[shown], diversity[shown], color="#999999", linestyle="--", linewidth=1, label="bound", zorder=1)


def draw_legend(drawn: Figure, panels: Iterable[Axes], *, columns: int) -> None:
    """One legend below for all panels, each name once."""
    told = [axes.get_legend_handles_labels() for axes in panels]
    handles = {label: handle for pair in told for handle, label in zip(*pair, strict=True)}
    if handles:
        drawn.legend(
            handles.values(), handles.keys(), loc="outside lower center", ncols=columns, frameon=False, fontsize=8
        )


def svg(drawn: Figure) -> str:
    """The figure as text that is the same for the same numbers."""
    with rc_context({"svg.hashsalt": "counterflownet", "svg.fonttype": "none"}):
        text = StringIO()
        drawn.savefig(text, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def plotted_columns(protocol: ProtocolName) -> tuple[Column, Column]:
    """The columns along x and y, of the protocol's first table."""
    named = {column.path[-1]: column for column in TABLES[protocol][0].columns}
    along_x, along_y = AXES[protocol]
    return named[along_x], named[along_y]


def points(summary: Summary, dataset: str, x: Column, y: Column) -> list[Point]:
    """The paper's points, then those that were measured; a method without both numbers has none."""
    found = []
    for name, row in published_rows(summary.protocol, dataset).items():
        at, height = x.published(row), y.published(row)
        if at is not None and height is not None:
            found.append(Point(f"{name} (paper)", at, height, ours=name == PAPER_OURS, measured=False))
    for entry in summary.on(dataset):
        across, along = (entry.spread(column.of_result) for column in (x, y))
        if across is not None and along is not None:
            ours = entry.variant.method == OURS
            found.append(Point(str(entry.variant), across.mean, along.mean, ours=ours, measured=True))
    return found


def point_styles(found: Sequence[Point]) -> dict[str, tuple[str, str]]:
    """Colour and marker of each name: ours in our colour and several markers, every other method in its own."""
    ours = dict.fromkeys(point.name for point in found if point.ours)
    others = dict.fromkeys(point.name for point in found if not point.ours)
    styles = {name: (OUR_COLOUR, MARKERS[place % len(MARKERS)]) for place, name in enumerate(ours)}
    return styles | {
        name: (COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)]) for place, name in enumerate(others)
    }


def draw_points(axes: Axes, found: Sequence[Point], styles: Mapping[str, tuple[str, str]]) -> None:
    """The points of one panel; hollow are the paper's."""
    for point in found:
        colour, marker = styles[point.name]
        face = colour if point.measured else "none"
        axes.scatter(
            point.x, point.y, s=42, marker=marker, facecolors=face, edgecolors=colour, label=point.name, zorder=2
        )
    if not any(point.measured for point in found):
        axes.text(0.5, 0.02, "nothing measured", transform=axes.transAxes, ha="center", fontsize=8, color="#666666")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=7)
    axes.grid(color="#eeeeee", zorder=0)
    axes.set_axisbelow(True)
    axes.margins(0.12)

"""Methods as points in pairs of metrics, and the line of those that no other beats in both."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.columns import TABLES, Column
from counterflownet_bench.benchmark.plots import Point, draw_legend, draw_points, point_styles, points
from counterflownet_bench.benchmark.summary import Summary
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.card import ProtocolName

PAIRS: Mapping[ProtocolName, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "a": (("sparsity", "diversity"), ("sparsity", "validity"), ("diversity", "validity")),
        "b": (("sparsity_all", "diversity"), ("lof", "diversity"), ("sparsity_all", "validity")),
    }
)
FRONT = "nobody better in both"


def pareto_figure(summary: Summary) -> Figure:
    """A line of panels for each data set, under the protocol's first convention."""
    named = {column.path[-1]: column for column in TABLES[summary.protocol][0].columns}
    pairs = [(named[across], named[along]) for across, along in PAIRS[summary.protocol]]
    drawn = Figure(figsize=(8.4, 2.4 * len(summary.datasets) + 0.9), layout="constrained")
    grid = drawn.subplots(len(summary.datasets), len(pairs), squeeze=False)
    found = {
        dataset: [[p for p in points(summary, dataset, x, y) if p.measured] for x, y in pairs]
        for dataset in summary.datasets
    }
    styles = point_styles([point for panels in found.values() for panel in panels for point in panel])
    for line, (dataset, panels) in zip(grid, found.items(), strict=True):
        for axes, panel, (x, y) in zip(line, panels, pairs, strict=True):
            _draw_front(axes, front(panel, x, y))
            draw_points(axes, panel, styles)
            axes.set_xlabel(f"{x.title} ({x.direction})", fontsize=7)
            axes.set_ylabel(f"{y.title} ({y.direction})", fontsize=7)
        line[0].set_title(CARDS[dataset].title, loc="left", fontsize=9, fontweight="bold")
    draw_legend(drawn, grid.ravel(), columns=4)
    return drawn


def front(found: Sequence[Point], x: Column, y: Column) -> list[Point]:
    """The points that no other is at least as good as in both and better in one, from left to right."""
    kept = [point for point in found if not any(_beats(other, point, x, y) for other in found)]
    return sorted(kept, key=lambda point: (point.x, point.y))


def _beats(one: Point, other: Point, x: Column, y: Column) -> bool:
    gains = [
        (mine - theirs) * (1 if column.higher else -1)
        for mine, theirs, column in ((one.x, other.x, x), (one.y, other.y, y))
    ]
    return min(gains) >= 0 and max(gains) > 0


def _draw_front(axes: Axes, found: Sequence[Point]) -> None:
    across, along = [point.x for point in found], [point.y for point in found]
    axes.plot(across, along, color="#bbbbbb", linewidth=1, zorder=1, label=FRONT)

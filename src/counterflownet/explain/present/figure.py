"""An explanation as a figure: what is changed how often, and what the changes earn."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from counterflownet._optional import require
from counterflownet.explain.present.row_figure import row_figure
from counterflownet.explain.present.wording import outcome_counts, shortened, value_text

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

    from counterflownet.explain.explanation import Explanation

MOST_COLUMNS = 15
LONGEST_NAME = 26
BLUE, VERMILION, INK = "#0072B2", "#D55E00", "#333333"  # Okabe and Ito's palette, told apart by every eye
GOLDEN = 0.6180339887498949


def figure(explanation: "Explanation") -> "matplotlib.figure.Figure":
    """Two panels, made without pyplot, so that no global state is touched."""
    library = require("matplotlib.figure", extra="plot", purpose="Explanation.plot")
    if len(explanation.factuals) == 1 and len(explanation.row):
        return row_figure(explanation)
    bar_count = min(MOST_COLUMNS, int(explanation.changed.any(axis=0).sum()))
    size = (7.0, max(2.8, 1.2 + 0.22 * bar_count))
    drawn: matplotlib.figure.Figure = library.Figure(figsize=size, layout="constrained")
    if len(explanation.row) == 0:
        drawn.text(0.5, 0.5, _empty_text(explanation), ha="center", va="center", color=INK, wrap=True)
        return drawn
    left, right = drawn.subplots(1, 2)
    _draw_shares(left, explanation)
    _draw_rewards(right, explanation)
    return drawn


def _empty_text(explanation: "Explanation") -> str:
    counts = ", ".join(f"{count} {name}" for name, count in outcome_counts(explanation).items())
    return "No counterfactuals to show" + (f"\n(rows: {counts})" if counts else "")


def _draw_shares(axes: "matplotlib.axes.Axes", explanation: "Explanation") -> None:
    shares = explanation.changed.mean(axis=0)
    order = np.argsort(-shares, kind="stable")
    order = order[shares[order] > 0]
    shown = order[:MOST_COLUMNS]
    places = np.arange(len(shown))
    bars = axes.barh(places, 100 * shares[shown], color=BLUE, height=0.72)
    axes.bar_label(bars, fmt="{:.0f}%", padding=2, fontsize=8, color=INK)
    names = [shortened(value_text(explanation.factuals.columns[column]), LONGEST_NAME) for column in shown]
    axes.set_yticks(places, labels=names, parse_math=False)  # a column may be called "$ per month"
    room = 118 * max(shares.max(), 0.01)  # for the longest bar's label
    axes.set(xlim=(0, room), ylim=(len(shown) - 0.4, -0.6), xlabel="counterfactuals that change it (%)")
    tail = f" (top {len(shown)} of {len(order)})" if len(order) > len(shown) else ""
    _finish(axes, "What is changed" + tail)
    axes.tick_params(axis="y", length=0)


def _draw_rewards(axes: "matplotlib.axes.Axes", explanation: "Explanation") -> None:
    counts = explanation.changed.sum(axis=1)
    places = counts + _spread(len(counts))
    opacity = float(np.clip(3 / np.sqrt(len(counts)), 0.12, 0.75))
    looks = {"valid": (explanation.valid, BLUE, "o"), "not valid": (~explanation.valid, VERMILION, "X")}
    for name, (flags, colour, marker) in looks.items():
        style: dict[str, Any] = {"color": colour, "marker": marker, "alpha": opacity, "linewidths": 0}
        axes.scatter(places[flags], explanation.reward[flags], s=26, label=name, **style)
    if not explanation.valid.all():
        for handle in filter(None, axes.legend(frameon=False, fontsize=8).legend_handles):
            handle.set_alpha(1.0)
    axes.set(xticks=_whole_ticks(counts), xlim=(counts.min() - 0.6, counts.max() + 0.6))
    axes.set(xlabel="changed columns (fewer is better)", ylabel="reward (higher is better)")
    axes.margins(y=0.08)
    axes.grid(axis="y", color="#eeeeee")
    axes.set_axisbelow(True)
    _finish(axes, "What the changes earn")


def _finish(axes: "matplotlib.axes.Axes", title: str) -> None:
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#999999")
    axes.tick_params(labelsize=8.5, color="#999999")
    axes.xaxis.label.set_fontsize(9)
    axes.yaxis.label.set_fontsize(9)


def _spread(count: int) -> NDArray[np.float64]:
    """Small steps to the side, so that equal points do not hide each other: even, and the same every time."""
    return 0.5 * ((np.arange(count, dtype=np.float64) * GOLDEN) % 1 - 0.5)


def _whole_ticks(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    step = 1 + int(counts.max() - counts.min()) // 8
    return np.arange(counts.min(), counts.max() + 1, step)

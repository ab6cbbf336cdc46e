"""One row and its answers as a figure: what each changes, and the probability before and after."""

from typing import TYPE_CHECKING, Any

import numpy as np

from counterflownet._optional import require
from counterflownet.explain.present.wording import (
    change_texts,
    shortened,
    target_text,
    told_number,
    told_of,
    value_text,
)

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

    from counterflownet.explain.explanation import Explanation

MOST_ANSWERS, MOST_COLUMNS = 8, 15
LONGEST = 18
BLUE, GREY, PALE, INK = "#0072B2", "#999999", "#DCEBF5", "#333333"


def row_figure(explanation: "Explanation") -> "matplotlib.figure.Figure":
    """Two panels: the changes of each answer, a line for every changed column, and the probability of the target."""
    library = require("matplotlib.figure", extra="plot", purpose="Explanation.plot")
    count = min(len(explanation.row), MOST_ANSWERS)
    touched = np.flatnonzero(explanation.moved[:count].any(axis=0))[:MOST_COLUMNS]
    size = (3.2 + 1.35 * count, 1.6 + 0.34 * max(len(touched), 3))
    drawn: matplotlib.figure.Figure = library.Figure(figsize=size, layout="constrained")
    left, right = drawn.subplots(1, 2, width_ratios=(count + 1, 1.6))
    _draw_changes(left, explanation, count, touched.tolist())
    _draw_probabilities(right, explanation, count)
    return drawn


def _draw_changes(axes: "matplotlib.axes.Axes", explanation: "Explanation", count: int, touched: list[int]) -> None:
    old = [explanation.factuals.iloc[0, place] for place in touched]
    names = [shortened(value_text(explanation.factuals.columns[place]), LONGEST) for place in touched]
    labels = [f"{name}: {shortened(value_text(value), LONGEST)}" for name, value in zip(names, old, strict=True)]
    look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "color": INK, "parse_math": False}
    for line, place in enumerate(touched):
        for number in np.flatnonzero(explanation.moved[:count, place]).tolist():
            text = change_texts(old[line], explanation.counterfactuals.iloc[number, place])[1]
            axes.text(number, line, shortened(text, LONGEST), bbox={"facecolor": PALE, "edgecolor": "none"}, **look)
    axes.set_yticks(range(len(touched)), labels=labels, parse_math=False, fontsize=8)
    axes.set_xticks(range(count), labels=[f"answer {rank}" for rank in explanation.rank[:count]], fontsize=8)
    axes.set(xlim=(-0.5, count - 0.5), ylim=(len(touched) - 0.5, -0.5))
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("What each answer changes", loc="left", fontsize=10, fontweight="bold", color=INK)


def _draw_probabilities(axes: "matplotlib.axes.Axes", explanation: "Explanation", count: int) -> None:
    shares = [explanation.probability_before[0], *explanation.probability[:count]]
    bars = axes.barh(range(len(shares)), shares, color=[GREY, *[BLUE] * count], height=0.7)
    axes.bar_label(bars, [told_of(explanation, share, 0) for share in shares], padding=2, fontsize=8, color=INK)
    names = ["before", *(f"answer {rank}" for rank in explanation.rank[:count])]
    axes.set_yticks(range(len(shares)), labels=names, fontsize=8)
    axes.set(ylim=(len(shares) - 0.4, -0.6))
    _mark_target(axes, explanation)
    axes.tick_params(labelsize=8, length=0)
    axes.spines[["top", "right", "bottom"]].set_visible(False)
    title = f"Probability of {shortened(target_text(explanation.targets[0]), LONGEST)}"
    title = "Prediction" if explanation.regression else title
    axes.set_title(title, loc="left", fontsize=10, fontweight="bold", color=INK, parse_math=False)


def _mark_target(axes: "matplotlib.axes.Axes", explanation: "Explanation") -> None:
    """Where the target begins: at a probability, or at the ends of where a prediction is to lie."""
    if not explanation.regression:
        ends = [0.5] if explanation.confidence is None else [explanation.confidence]
        if (explanation.probability[explanation.valid] < ends[0]).any():  # of many classes, less than half may be most
            ends = []
        axes.set(xlim=(0, 1.35), xticks=[0, 0.5, 1])
    else:
        target = explanation.targets[0]
        ends = [end for end in (target.low, target.high) if np.isfinite(end)]
        axes.margins(x=0.35)
        axes.locator_params(axis="x", nbins=2)  # more would run into each other where predictions are prices
        axes.xaxis.set_major_formatter(lambda tick, _: told_number(float(tick)))
    for end in ends:
        axes.axvline(end, color=INK, linewidth=0.8, linestyle=":")

"""The picture of the chapter on constraints: a panel for each measure, over the sets."""

from statistics import mean, stdev

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.paper import published_constraints
from counterflownet_bench.studies.constraints_measured import DRAWN, FREELY, NAMES, RANDOMLY, RETRAINED, Measured
from counterflownet_bench.studies.drawing import BY_NAME, FONT, OURS, PAPER, blank, name_measure
from counterflownet_bench.studies.measured_fit import DATASET

# Line, mark, its filling, and how far to the side it stands, so that bars of noise do not hide each other.
LOOKS = {
    RETRAINED: ("--", "s", "white", -0.08),
    RANDOMLY: ("-", "o", OURS, 0.0),
    FREELY: (":", "^", "white", 0.08),
}
PUBLISHED = {"Retrained": ("--", "s"), "Inference": ("-", "o")}


def figure(own: Measured) -> Figure:
    """A panel for each measure of the paper's table, over the sets; the paper's numbers in grey."""
    drawn, panels = blank(down=2, across=3, height=5.2)
    for axes, name in zip(panels, DRAWN, strict=True):
        _panel(axes, own, name)
    handles, labels = panels[0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=2, frameon=False, fontsize=FONT)
    return drawn


def _panel(axes: Axes, own: Measured, name: str) -> None:
    column = BY_NAME[name]
    places = {rules: place for place, rules in enumerate(own.sets)}
    for way, (style, marker, face, aside) in LOOKS.items():
        points = [
            (place + aside, mean(values.values()), stdev(values.values()) if len(values) > 1 else 0.0)
            for rules, place in places.items()
            if (values := own.values(way, rules, "raw", column))
        ]
        if points:
            across, along, spread = zip(*points, strict=True)
            axes.errorbar(
                across,
                along,
                yerr=spread,
                linestyle=style,
                marker=marker,
                markersize=5,
                color=OURS,
                markerfacecolor=face,
                capsize=2,
                label=NAMES[way],
            )
    if own.dataset == DATASET:
        for row, (style, marker) in PUBLISHED.items():
            known = [
                (place, column.published(printed[row]))
                for rules, place in places.items()
                if row in (printed := published_constraints(rules))
            ]
            if known:
                axes.plot(
                    *zip(*known, strict=True),
                    style,
                    marker=marker,
                    markersize=4,
                    color=PAPER,
                    markerfacecolor="none",
                    linewidth=1,
                    label=f"{row.lower()}, as the paper prints",
                )
    axes.set_xticks(list(places.values()), [rules.removeprefix("set_") for rules in places])
    axes.set_xlabel("constraint set", fontsize=FONT)
    axes.margins(x=0.12)
    name_measure(axes, name)

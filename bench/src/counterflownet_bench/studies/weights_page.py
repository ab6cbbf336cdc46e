"""The chapter on weights: what each setting of the grid trades for what, with other methods as points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.benchmark.document import Block, Heading, Picture, Table
from counterflownet_bench.benchmark.plots import MARKERS, svg
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.drawing import (
    BY_NAME,
    FONT,
    OURS,
    RANGE,
    ZSCORE,
    blank,
    colour_of,
    measure_words,
)
from counterflownet_bench.studies.findings import NOTHING, samples_words
from counterflownet_bench.studies.measure_table import measure_table
from counterflownet_bench.studies.others import is_taken_over
from counterflownet_bench.studies.points import Point, other_points
from counterflownet_bench.studies.seeds import Setting, settings_of

Result = Mapping[str, Any]
PANELS = (("proximity_continuous", "lof"), ("epsilon_sparsity", "diversity"), ("lof", "diversity"))
SELECTIONS = {"raw": "samples as drawn", "selected": "selected from many"}
OUR_MARKERS = "osD^v"
PAPER = (
    "more weight on plausibility improves LOF at the cost of proximity; more weight on proximity gives sparser and "
    "more plausible answers that are less diverse; all settings are on a better Pareto frontier than DiCE and C-CHVAE "
    "(section Ablation Studies, figure on the reward components)."
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One data set: the grid, and other methods as the benchmark measured them; seeds of each together."""

    dataset: str
    grid: tuple[Setting, ...]
    others: tuple[Point, ...]

    @classmethod
    def of(cls, results: Sequence[Result], dataset: str) -> "Measured":
        own = [result for result in results if result["question"]["dataset"] == dataset]
        grid = settings_of([result for result in own if not is_taken_over(result)])
        return cls(dataset, tuple(sorted(grid, key=_weights)), other_points(own))

    def points(self, selection: str = "selected") -> list[Point]:
        return [_point(setting, selection) for setting in self.grid]


def _point(setting: Setting, selection: str) -> Point:
    return Point(setting_name(setting), tuple(setting.each("found", selection, "metrics")))


def _weights(setting: Setting) -> tuple[float, float]:
    return float(setting.question["plausibility"]), float(setting.question["proximity"])


def setting_name(setting: Setting) -> str:
    plausibility, proximity = _weights(setting)
    return f"plausibility {plausibility:g}, proximity {proximity:g}"


def chapter(results: Sequence[Result]) -> Chapter:
    measured = [result for result in results if not is_taken_over(result)]
    datasets = dict.fromkeys(result["question"]["dataset"] for result in measured)
    shown: list[Block] = []
    details: list[Block] = []
    for dataset in datasets:
        own, name = Measured.of(results, dataset), CARDS[dataset].title
        shown.append(Picture(dataset, svg(figure(own)), f"{name}: what the weights trade for what"))
        for columns, convention in ((ZSCORE, "zscore"), (RANGE, "range")):
            for selection, words in SELECTIONS.items():
                details.append(Heading(f"{name}: {words}, convention `{convention}`"))
                details.append(_table(own, selection, columns))
    sparsity = " and ".join(f"{weight:g}" for weight in sorted({_sparsity(result) for result in measured}))
    return Chapter(
        title="What do the weights of the reward buy?",
        introduction=(
            "A fit for each pair of weights on plausibility and proximity and each seed; validity has weight 1, "
            f"sparsity {sparsity or 'one'}. In the picture: ten answers selected from many samples; a line for each "
            "weight on plausibility, along which the marks grow with the weight on proximity. Other methods are as the "
            "benchmark measured them, with their own defaults. All are means over seeds. "
            f"{samples_words(measured)}"
        ),
        paper=PAPER,
        ours=" ".join(found(Measured.of(results, dataset)) for dataset in datasets) or NOTHING,
        shown=shown,
        details=details,
    )


def _sparsity(result: Result) -> float:
    return float(result["question"]["sparsity"])


def found(own: Measured) -> str:
    """Where each weight leads, and who beats whom in the three pictures."""
    ways = [
        _way(own, place, words, measures)
        for place, words, measures in (
            (0, "plausibility", (("log LOF", "lof"), ("the distance of numbers", "proximity_continuous"))),
            (
                1,
                "proximity",
                (("the distance of numbers", "proximity_continuous"), ("log LOF", "lof"), ("diversity", "diversity")),
            ),
        )
    ]
    return f"{'; '.join([*(way for way in ways if way), *_beaten(own)])}."


def _way(own: Measured, place: int, words: str, measures: Sequence[tuple[str, str]]) -> str:
    """How measures change, on average over the other weight, from the smallest to the largest of this one."""
    weights = sorted({_weights(setting)[place] for setting in own.grid})
    if len(weights) < 2:
        return ""
    ends = [
        [_point(setting, "selected") for setting in own.grid if _weights(setting)[place] == weight]
        for weight in (weights[0], weights[-1])
    ]
    told = []
    for name, measure in measures:
        low, high = ([BY_NAME[measure].value(point.metrics) for point in end] for end in ends)
        known = [[value for value in end if value is not None] for end in (low, high)]
        if all(known):
            told.append(f"{name} from {mean(known[0]):.3f} to {mean(known[1]):.3f}")
    return f"a weight on {words} of {weights[-1]:g} instead of {weights[0]:g} takes {', '.join(told)}"


def _beaten(own: Measured) -> list[str]:
    if not own.others:
        return []
    points = own.points()
    told = []
    for measures in PANELS:
        of_ours = sum(any(other.beats(point, measures) for other in own.others) for point in points)
        of_others = [other.name for other in own.others if any(point.beats(other, measures) for point in points)]
        names = " and ".join(BY_NAME[name].title for name in measures)
        beaten = ", ".join(of_others) or "no other method"
        told.append(f"in {names} {of_ours} of {len(points)} settings are beaten by another method and {beaten} by ours")
    return told


def _table(own: Measured, selection: str, columns: Sequence[Column]) -> Table:
    rows = [
        (
            [setting_name(setting)],
            setting.each("found", selection, "metrics"),
            [setting.seed_count, f"{setting.mean('training', 'steps'):.0f}"],
        )
        for setting in own.grid
    ]
    others = [([point.name], point.of_seeds, [point.seed_count, ""]) for point in own.others]
    return measure_table(["Setting"], [*rows, *others], columns, ["Seeds", "Steps"])


def figure(own: Measured) -> Figure:
    """The three trade-offs of the paper's figure."""
    drawn, panels = blank(down=1, across=3, height=3.4)
    for axes, (x, y) in zip(panels, PANELS, strict=True):
        _panel(axes, own, x, y)
        axes.set_xlabel(measure_words(x), fontsize=FONT)
        axes.set_ylabel(measure_words(y), fontsize=FONT)
    handles, labels = panels[0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=FONT)
    return drawn


def _panel(axes: Axes, own: Measured, x: str, y: str) -> None:
    for number, weight in enumerate(sorted({_weights(setting)[0] for setting in own.grid})):
        along = [setting for setting in own.grid if _weights(setting)[0] == weight]
        places = [
            (place, _weights(setting)[1])
            for setting in along
            if (place := _point(setting, "selected").at(x, y)) is not None
        ]
        marker = OUR_MARKERS[number % len(OUR_MARKERS)]
        axes.plot(
            [place[0] for place, _ in places],
            [place[1] for place, _ in places],
            marker=marker,
            markersize=4,
            linewidth=1,
            color=OURS,
            label=f"ours, plausibility {weight:g}",
        )
        for place, proximity in places:
            axes.scatter([place[0]], [place[1]], s=20 + 70 * proximity, marker=marker, color=OURS)
    for number, other in enumerate(own.others):
        place = other.at(x, y)
        if place is not None:
            axes.scatter(
                [place[0]],
                [place[1]],
                s=46,
                marker=MARKERS[-1 - number % 4],
                color=colour_of(other.name),
                label=other.name,
            )
    axes.margins(0.12)

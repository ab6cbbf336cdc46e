"""The chapter on preferences: the front that one fit spans, beside dedicated fits and other methods."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.document import Block, Heading, Picture, Table
from counterflownet_bench.benchmark.plots import MARKERS, svg
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.drawing import BY_NAME, FONT, OURS, ZSCORE, blank, colour_of, measure_words
from counterflownet_bench.studies.findings import NOTHING, samples_words
from counterflownet_bench.studies.measure_table import measure_table
from counterflownet_bench.studies.others import is_taken_over
from counterflownet_bench.studies.points import Point, other_points
from counterflownet_bench.studies.seeds import Setting, settings_of
from counterflownet_bench.studies.weights_page import PANELS, SELECTIONS

Result = Mapping[str, Any]
ONE, ANY = "one", "any"
TRAINED_FOR = {ONE: "the usual one", ANY: "any preference"}
PREFERENCES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "few changes": {"validity": 1.0, "proximity": 0.1, "plausibility": 0.1, "sparsity": 1.0},
        "near": {"validity": 1.0, "proximity": 1.0, "plausibility": 0.1, "sparsity": 0.1},
        "usual": {"validity": 1.0, "proximity": 0.1, "plausibility": 1.0, "sparsity": 0.1},
        "diverse": {"validity": 1.0, "proximity": 0.1, "plausibility": 0.2, "sparsity": 0.0},
    }
)
BUYS = {"few changes": "epsilon_sparsity", "near": "proximity_continuous", "usual": "lof", "diverse": "diversity"}
PAPER = "names flows that are conditioned on preferences as future work (section Conclusion)."
MARKS = dict(zip(PREFERENCES, "osD^", strict=True))


def chapter(results: Sequence[Result]) -> Chapter:
    measured = [result for result in results if not is_taken_over(result)]
    datasets = dict.fromkeys(result["question"]["dataset"] for result in measured)
    shown: list[Block] = []
    details: list[Block] = []
    for dataset in datasets:
        own, name = _of(measured, dataset), CARDS[dataset].title
        others = other_points([result for result in results if result["question"]["dataset"] == dataset])
        shown.append(Picture(dataset, svg(figure(own, others)), f"{name}: one fit under four preferences"))
        for selection, words in SELECTIONS.items():
            details += [Heading(f"{name}: {words}"), _table(own, others, selection)]
    return Chapter(
        title="Which front does one fit span?",
        introduction=(
            "One fit as the library makes it, asked for few changes, near, usual and diverse answers by the weights of "
            "a call; beside it a fit that was trained for any preference (`preferences=True`), both with samples "
            "corrected by importance weights, and a fit of the same length for each of these, with samples as drawn. "
            "In the picture: samples; "
            "filled marks are the one fit, pale ones that for any preference, hollow ones dedicated fits. All are "
            "means over seeds. "
            f"{samples_words(measured)}"
        ),
        paper=PAPER,
        ours=" ".join(found(_of(measured, dataset), CARDS[dataset].title) for dataset in datasets) or NOTHING,
        shown=shown,
        details=details,
    )


def _of(results: Sequence[Result], dataset: str) -> list[Setting]:
    return settings_of([result for result in results if result["question"]["dataset"] == dataset])


def points(own: Sequence[Setting], selection: str) -> list[tuple[str, str, Point]]:
    """Which fit, under which preference, and where it stands."""
    return [
        (setting.question["fit"], name, Point(name, tuple(setting.each("found", name, selection, "metrics"))))
        for setting in own
        for name in setting.results[0]["found"]
    ]


def found(own: Sequence[Setting], title: str) -> str:
    """What each preference buys with the one fit and with its own, in what it is about."""
    told = []
    for name, measure in BUYS.items():
        values = {
            "its own fit" if fit == name else TRAINED_FOR[fit]: BY_NAME[measure].value(point.metrics)
            for fit, asked, point in points(own, "raw")
            if asked == name
        }
        one = values.pop(TRAINED_FOR[ONE], None)
        if one is not None:
            others = [f"{fit} {value:.3f}" for fit, value in values.items() if value is not None]
            beside = f" ({', '.join(others)})" if others else ""
            told.append(f"{name} gives {BY_NAME[measure].title} {one:.3f}{beside}")
    return f"{title}: {'; '.join(told)}." if told else ""


def _table(own: Sequence[Setting], others: Sequence[Point], selection: str) -> Table:
    rows: list[tuple[list[str], Sequence[Mapping[str, Any]], list[str]]] = [
        ([name, TRAINED_FOR.get(fit, "this one")], point.of_seeds, [point.seed_count])
        for fit, name, point in points(own, selection)
    ]
    rows += [([other.name, ""], other.of_seeds, [other.seed_count]) for other in others]
    return measure_table(["Asked for", "Trained for"], rows, ZSCORE, ["Seeds"])


def figure(own: Sequence[Setting], others: Sequence[Point]) -> Figure:
    """The three trade-offs, as in the study of weights."""
    drawn, panels = blank(down=1, across=3, height=3.4)
    for axes, (x, y) in zip(panels, PANELS, strict=True):
        _panel(axes, own, others, (x, y))
        axes.set_xlabel(measure_words(x), fontsize=FONT)
        axes.set_ylabel(measure_words(y), fontsize=FONT)
    handles, labels = panels[0].get_legend_handles_labels()
    drawn.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False, fontsize=FONT)
    return drawn


def _panel(axes: Axes, own: Sequence[Setting], others: Sequence[Point], measures: tuple[str, str]) -> None:
    for fit, name, point in points(own, "raw"):
        place = point.at(*measures)
        if place is not None:
            inside = {ONE: OURS, ANY: (OURS, 0.35)}.get(fit, "none")
            label = {ONE: name, ANY: f"{name}, for any preference"}.get(fit, f"{name}, its own fit")
            axes.scatter(*place, s=46, marker=MARKS[name], facecolor=inside, edgecolor=OURS, label=label)
    for number, other in enumerate(others):
        place = other.at(*measures)
        if place is not None:
            mark = MARKERS[-1 - number % 4]
            axes.scatter(*place, s=46, marker=mark, color=colour_of(other.name), label=other.name)
    axes.margins(0.12)

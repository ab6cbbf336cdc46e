"""The chapter on bins: each measure over the number of bins."""

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.benchmark.document import Block, Heading, Picture, Table
from counterflownet_bench.benchmark.plots import svg
from counterflownet_bench.benchmark.summary import Spread
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.drawing import BY_NAME, FONT, OURS, RANGE, ZSCORE, blank, legend_in, name_measure
from counterflownet_bench.studies.findings import NOTHING, between, course, samples_words
from counterflownet_bench.studies.measure_table import measure_table
from counterflownet_bench.studies.measured_fit import DATASET
from counterflownet_bench.studies.seeds import Setting, settings_of

Result = Mapping[str, Any]
DRAWN = ("validity", "proximity_continuous", "epsilon_sparsity", "lof", "diversity")
STYLES = {"raw": ("--", "none", "samples as drawn"), "selected": ("-", OURS, "selected from many")}
PAPER = (
    "with more bins answers are more plausible (LOF falls), but proximity and ε-sparsity get worse; diversity is "
    "highest with few bins; validity is high everywhere, and highest at 64 (section Ablation Studies, figure on "
    "discretization granularity)."
)


def chapter(results: Sequence[Result]) -> Chapter:
    datasets = dict.fromkeys(result["question"]["dataset"] for result in results)
    shown: list[Block] = []
    details: list[Block] = []
    for dataset in datasets:
        own = of_dataset(results, dataset)
        words = f"{CARDS[dataset].title}: each measure over the number of bins"
        shown += [Picture(dataset, svg(figure(own)), words)]
        for selection, (_, _, name) in STYLES.items():
            details += [Heading(f"{CARDS[dataset].title}: {name}, convention `zscore`"), _table(own, selection, ZSCORE)]
            details += [Heading(f"{CARDS[dataset].title}: {name}, convention `range`"), _table(own, selection, RANGE)]
    return Chapter(
        title="How many bins?",
        introduction=(
            "Numbers are cut into bins of equal width between the smallest and the largest training value, and a bin "
            "stands for its centre. One fit for each number of bins and each seed, all else as in the preset; the "
            "picture shows means over seeds, with bars as long as their deviation where there are several. "
            f"{samples_words(results)}"
        ),
        paper=PAPER,
        ours=" ".join(found(of_dataset(results, dataset)) for dataset in datasets) or NOTHING,
        shown=shown,
        details=details,
    )


def of_dataset(results: Sequence[Result], dataset: str) -> list[Setting]:
    """The settings of one data set, from few bins to many."""
    return sorted(settings_of([r for r in results if r["question"]["dataset"] == dataset]), key=_bins)


def _bins(setting: Setting) -> int:
    return int(setting.question["bins"])


def found(own: Sequence[Setting]) -> str:
    """The paper's claims, asked of our numbers: of the means over seeds."""
    raw = {_bins(setting): setting.mean("found", "raw", "metrics") for setting in own}
    courses = [
        course(words, {bins: BY_NAME[name].value(metrics) for bins, metrics in raw.items()}, "bins")
        for words, name in (
            ("log LOF", "lof"),
            ("the distance of numbers", "proximity_continuous"),
            ("the share of numbers that move", "epsilon_sparsity"),
            ("diversity", "diversity"),
        )
    ]
    valid = [
        between(
            [BY_NAME["validity"].value(setting.mean("found", selection, "metrics")) for setting in own], percent=True
        )
        for selection in STYLES
    ]
    place = "" if own[0].question["dataset"] == DATASET else f"{own[0].question['dataset']}: "
    return f"{place}{valid[0]} of the samples are valid as drawn and {valid[1]} after selection; {'; '.join(courses)}."


def _table(own: Sequence[Setting], selection: str, columns: Sequence[Column]) -> Table:
    rows = [
        (
            [str(_bins(setting))],
            setting.each("found", selection, "metrics"),
            [setting.seed_count, f"{setting.mean('training', 'steps'):.0f}", f"{setting.mean('seconds') / 60:.1f}"],
        )
        for setting in own
    ]
    return measure_table(["Bins"], rows, columns, ["Seeds", "Steps", "Fit, minutes"])


def figure(own: Sequence[Setting]) -> Figure:
    """A panel for each measure; the last one says what the lines are."""
    drawn, panels = blank(down=2, across=3, height=4.6)
    ticks = sorted(set(map(_bins, own)))
    for axes, name in zip(panels, DRAWN, strict=False):
        for selection in STYLES:
            _line(axes, own, selection, name)
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel("bins", fontsize=FONT)
        name_measure(axes, name)
    legend_in(panels[-1], panels[0])
    return drawn


def _line(axes: Axes, own: Sequence[Setting], selection: str, name: str) -> None:
    """The means over seeds, with bars as long as their deviation."""
    style, face, words = STYLES[selection]
    points = [
        (_bins(setting), spread.mean, nan if spread.deviation is None else spread.deviation)
        for setting in own
        if (spread := _spread(setting, selection, name)) is not None
    ]
    across, along, deviation = zip(*points, strict=True) if points else ((), (), ())
    axes.errorbar(
        across,
        along,
        yerr=deviation,
        linestyle=style,
        marker="o",
        markersize=5,
        color=OURS,
        markerfacecolor=face,
        capsize=2,
        label=words,
    )


def _spread(setting: Setting, selection: str, name: str) -> Spread | None:
    values = [BY_NAME[name].value(metrics) for metrics in setting.each("found", selection, "metrics")]
    return Spread.over(values, asked=len(values))

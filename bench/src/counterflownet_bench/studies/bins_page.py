"""The chapter on bins: each measure over the number of bins."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure

from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.benchmark.document import Block, Heading, Picture, Table
from counterflownet_bench.benchmark.plots import svg
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.drawing import BY_NAME, FONT, OURS, RANGE, ZSCORE, blank, legend_in, name_measure
from counterflownet_bench.studies.findings import NOTHING, between, course, samples_words
from counterflownet_bench.studies.measure_table import measure_table
from counterflownet_bench.studies.measured_fit import DATASET

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
            f"stands for its centre. One fit for each number of bins, all else as in the preset. "
            f"{samples_words(results)}"
        ),
        paper=PAPER,
        ours=" ".join(found(of_dataset(results, dataset)) for dataset in datasets) or NOTHING,
        shown=shown,
        details=details,
    )


def of_dataset(results: Sequence[Result], dataset: str) -> list[Result]:
    """The results of one data set, from few bins to many."""
    own = [result for result in results if result["question"]["dataset"] == dataset]
    return sorted(own, key=lambda result: (int(result["question"]["bins"]), int(result["question"]["seed"])))


def found(results: Sequence[Result]) -> str:
    """The paper's claims, asked of our numbers."""
    raw = {int(result["question"]["bins"]): result["found"]["raw"]["metrics"] for result in results}
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
        between([BY_NAME["validity"].of_result(result["found"][selection]) for result in results], percent=True)
        for selection in STYLES
    ]
    place = "" if results[0]["question"]["dataset"] == DATASET else f"{results[0]['question']['dataset']}: "
    return f"{place}{valid[0]} of the samples are valid as drawn and {valid[1]} after selection; {'; '.join(courses)}."


def _table(results: Sequence[Result], selection: str, columns: Sequence[Column]) -> Table:
    rows = [
        (
            [str(result["question"]["bins"]), str(result["question"]["seed"])],
            [result["found"][selection]["metrics"]],
            [f"{result['training']['steps']}", f"{result['seconds'] / 60:.1f}"],
        )
        for result in results
    ]
    return measure_table(["Bins", "Seed"], rows, columns, ["Steps", "Fit, minutes"])


def figure(results: Sequence[Result]) -> Figure:
    """A panel for each measure; the last one says what the lines are."""
    drawn, panels = blank(down=2, across=3, height=4.6)
    ticks = sorted({int(result["question"]["bins"]) for result in results})
    for axes, name in zip(panels, DRAWN, strict=False):
        for selection, (style, face, words) in STYLES.items():
            points = [
                (int(result["question"]["bins"]), value)
                for result in results
                if (value := BY_NAME[name].of_result(result["found"][selection])) is not None
            ]
            axes.plot(
                *zip(*points, strict=True) if points else ([], []),
                style,
                marker="o",
                markersize=5,
                color=OURS,
                markerfacecolor=face,
                label=words,
            )
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.minorticks_off()
        axes.set_xlabel("bins", fontsize=FONT)
        name_measure(axes, name)
    legend_in(panels[-1], panels[0])
    return drawn

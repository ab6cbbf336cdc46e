"""The chapter on the use of columns: the share of all changes that each column has, method by method."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Any

from matplotlib.figure import Figure

from counterflownet_bench.benchmark.document import Block, Heading, Paragraph, Picture, Shown, Table
from counterflownet_bench.benchmark.methods import OURS as OUR_METHOD
from counterflownet_bench.benchmark.paper import published_utilisation
from counterflownet_bench.benchmark.plots import svg
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.drawing import FONT, OURS, blank, colour_of, title
from counterflownet_bench.studies.findings import NOTHING
from counterflownet_bench.studies.measured_fit import DATASET
from counterflownet_bench.studies.others import variant_name
from counterflownet_bench.studies.seeds import Setting, settings_of, words_of_seeds

Result = Mapping[str, Any]
METHODS = (OUR_METHOD, "dice-kdtree", "cchvae", "dicoflex")  # the paper's DiCE, C-CHVAE and DiCoFlex
PAPER = (
    "its method uses numbers and categories in balance (education 19.9 %, age 18.3 %, occupation 15.4 % of all "
    "changes), DiCE and C-CHVAE change numbers above all (each of the four above 17 %), DiCoFlex is more uniform but "
    "still skewed (appendix on feature utilization)."
)


@dataclass(frozen=True, slots=True)
class Use:
    """How a method spends its changes on a data set; seeds are added up."""

    name: str
    method: str
    counts: Mapping[str, int]
    seeds: tuple[int, ...]
    answers: int

    @property
    def ours(self) -> bool:
        return self.method == OUR_METHOD

    @property
    def shares(self) -> dict[str, float]:
        total = sum(self.counts.values())
        return {column: count / total for column, count in self.counts.items()}

    @property
    def spread(self) -> float:
        """Over how many columns the changes are spread: as many as if all were used alike (exp of the entropy)."""
        return exp(-sum(share * log(share) for share in self.shares.values() if share > 0))

    def share_of(self, columns: Sequence[str]) -> float:
        return sum(self.shares[column] for column in columns)


def uses(results: Sequence[Result], dataset: str) -> list[Use]:
    """Every method that the paper compares, in its order; ours as selected and as minimal."""
    compared = [result for result in results if result["question"]["dataset"] == dataset and _is_compared(result)]
    every = [_use(setting) for setting in settings_of(compared)]
    return sorted((use for use in every if any(use.counts.values())), key=lambda use: METHODS.index(use.method))


def _is_compared(result: Result) -> bool:
    told = result["question"]
    raw = told["method"] == OUR_METHOD and told["selection"] == "raw"
    return told["method"] in METHODS and not raw and "changed_columns" in result


def _use(setting: Setting) -> Use:
    """Changes and answers of all seeds together."""
    counts: Counter[str] = Counter()
    for columns in setting.each("changed_columns"):
        counts.update(columns)  # adds, and keeps columns that were never changed
    return Use(
        name=variant_name(setting.results[0]),
        method=setting.question["method"],
        counts=counts,
        seeds=setting.seeds,
        answers=sum(setting.each("answers")),
    )


def chapter(results: Sequence[Result]) -> Chapter:
    datasets = [name for name in dict.fromkeys(r["question"]["dataset"] for r in results) if uses(results, name)]
    shown: list[Block] = []
    details: list[Block] = []
    for dataset in datasets:
        own, name = uses(results, dataset), CARDS[dataset].title
        shown.append(Picture(dataset, svg(figure(own, dataset)), f"{name}: the share of all changes that a column has"))
        details += [Heading(name), Paragraph(_counted(own)), _table(own, dataset)]
    return Chapter(
        title="Which columns are changed?",
        introduction=(
            "Of all changes in valid answers, the share that each column has. *selected*: ten answers chosen from many "
            "samples; *minimal*: the same after every change that is not needed was undone. As the benchmark counted "
            "them, for every method on the same rows of the same classifier."
        ),
        paper=PAPER,
        ours=" ".join(found(uses(results, dataset), dataset) for dataset in datasets) or NOTHING,
        shown=shown,
        details=details,
    )


def found(own: Sequence[Use], dataset: str) -> str:
    """The columns we change most, and how much of each method's changes numbers have."""
    numbers = CARDS[dataset].continuous
    told = []
    first = next((use for use in own if use.ours), None)
    if first is not None:
        top = sorted(first.shares.items(), key=lambda entry: -entry[1])[:3]
        told.append(f"{first.name} changes {', '.join(f'{name} ({100 * share:.1f} %)' for name, share in top)} most")
    of_numbers = ", ".join(f"{100 * use.share_of(numbers):.0f} % for {use.name}" for use in own)
    told.append(f"numbers have {of_numbers} of all changes")
    spread = ", ".join(f"{use.spread:.1f} for {use.name}" for use in own)
    told.append(f"changes are spread over as many columns as {spread}, of {len(CARDS[dataset].features)}")
    return f"{'; '.join(told)}."


def _counted(own: Sequence[Use]) -> str:
    told = [f"{use.answers:,} for {use.name} ({words_of_seeds([use.seeds])})" for use in own]
    return f"Answers of all seeds together: {', '.join(told)}."


def _ordered(own: Sequence[Use], dataset: str) -> list[str]:
    """Numbers, then categories, each from the most to the least changed by the first method."""
    shares = own[0].shares
    return [
        column
        for group in (CARDS[dataset].continuous, CARDS[dataset].categorical)
        for column in sorted(group, key=lambda column: -shares[column])
    ]


def _table(own: Sequence[Use], dataset: str) -> Table:
    numbers, printed = CARDS[dataset].continuous, published_utilisation() if dataset == DATASET else {}
    rows: list[list[Shown | str]] = []
    for column in _ordered(own, dataset):
        kind = "number" if column in numbers else "category"
        paper = [f"{printed[column]:.1f}" if column in printed else ""] if printed else []
        rows.append([column, kind, *(f"{100 * use.shares[column]:.1f}" for use in own), *paper])
    header = ["Column", "Kind", *(f"{use.name}, %" for use in own), *(["CFN (paper), %"] if printed else [])]
    return Table(header, rows, text_columns=2)


def figure(own: Sequence[Use], dataset: str) -> Figure:
    """A panel for each method, the columns one under the other."""
    columns = _ordered(own, dataset)
    drawn, panels = blank(down=1, across=len(own), height=0.27 * len(columns) + 1.1)
    most = max(100 * share for use in own for share in use.shares.values())
    numbers = len(CARDS[dataset].continuous)
    for place, (axes, use) in enumerate(zip(panels, own, strict=True)):
        heights = [100 * use.shares[column] for column in columns]
        axes.barh(range(len(columns)), heights, color=OURS if use.ours else colour_of(use.method))
        for row, height in enumerate(heights):
            axes.text(height + most / 40, row, f"{height:.0f}", va="center", fontsize=FONT - 2)
        axes.set_yticks(range(len(columns)), columns if place == 0 else [""] * len(columns), fontsize=FONT - 1)
        axes.axhline(numbers - 0.5, color="#999999", linewidth=0.8)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.2 * most)
        axes.grid(visible=False, axis="y")
        title(axes, use.name.replace(", ", "\n"))
    if numbers:
        panels[-1].text(1.18 * most, numbers - 0.6, "numbers ↑", ha="right", va="bottom", fontsize=FONT - 2)
        panels[-1].text(1.18 * most, numbers - 0.4, "categories ↓", ha="right", va="top", fontsize=FONT - 2)
    drawn.supxlabel("share of all changes, %", fontsize=FONT)
    return drawn

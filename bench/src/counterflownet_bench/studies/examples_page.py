"""The chapter of examples: a table for each row, what changes in bold, and the same as a picture."""

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.document import Block, Heading, Paragraph, Picture, Shown, Table
from counterflownet_bench.benchmark.plots import svg
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.drawing import FONT, OURS, WIDTH
from counterflownet_bench.studies.findings import NOTHING

Example = Mapping[str, Any]
ARROW = " → "
LINE = 0.21  # inches
LETTERS = 105  # of a line across the page
PAPER = (
    "its examples for Adult turn low into high income with 4 and 4 changes, those for GMC high into low risk with 3 "
    "and 4 (appendix on qualitative examples; of the two instances for each data set that it speaks of, it prints one)."
)


def chapter(results: Sequence[Mapping[str, Any]]) -> Chapter:
    shown: list[Block] = []
    for result in results:
        dataset = result["question"]["dataset"]
        card, examples = CARDS[dataset], result["examples"]
        words = f"{card.title}: rows and their counterfactuals, what changes is marked"
        name = dataset if result["question"]["seed"] == 0 else f"{dataset}_{result['question']['seed']}"
        shown += [Heading(card.title), Picture(name, svg(figure(examples)), words)]
        for example in examples:
            labels = dict(zip(map(str, card.classes), card.class_labels, strict=True))
            classes = (labels.get(str(example[key]), str(example[key])) for key in ("predicted", "target"))
            shown += [Paragraph(f"Test row {example['factual']}: {ARROW.join(classes)}"), table(example)]
    return Chapter(
        title="What do answers look like?",
        introduction=(
            "Test rows that the classifier puts in the class that nobody wants, drawn by the seed and not by hand, "
            "with counterfactuals that it puts in the other one. All columns may change, as in the paper's examples; "
            "changes that are not needed were undone."
        ),
        paper=PAPER,
        ours=" ".join(found(result) for result in results) or NOTHING,
        shown=shown,
    )


def found(result: Mapping[str, Any]) -> str:
    """How many answers there are, and how many columns they change."""
    answers = [answer for example in result["examples"] for answer in example["counterfactuals"]]
    asked = result["question"]["rows"] * result["question"]["count"]
    title = CARDS[result["question"]["dataset"]].title
    if not answers:
        return f"{title}: none of {asked} answers was found."
    changes = [len(answer["changed"]) for answer in answers]
    return (
        f"{title}: {sum(bool(answer['valid']) for answer in answers)} of {asked} answers are valid; they change "
        f"{mean(changes):.1f} of {len(result['examples'][0]['values'])} columns on average, {max(changes)} at most."
    )


def cells(example: Example) -> list[list[Shown]]:
    """A line for each column: its name, its value, and its value in each counterfactual."""
    lines = []
    for column, value in example["values"].items():
        line = [Shown(column), Shown(shown_value(value))]
        for answer in example["counterfactuals"]:
            changed = column in answer["changed"]
            new = shown_value(answer["values"][column])
            line.append(Shown(f"{shown_value(value)}{ARROW}{new}", best=True) if changed else Shown(new))
        lines.append(line)
    return lines


def header(example: Example) -> list[str]:
    numbers = range(1, len(example["counterfactuals"]) + 1)
    return ["Column", "Original", *(f"Counterfactual {number}" for number in numbers)]


def table(example: Example) -> Table:
    return Table(header(example), cells(example), text_columns=len(header(example)))


def shown_value(value: Any) -> str:
    """Numbers with as many digits as a reader wants."""
    if value is None:
        return "missing"
    if isinstance(value, float):
        return f"{value:,.0f}" if value == int(value) or abs(value) >= 1_000 else f"{value:.3g}"
    return str(value)


def figure(examples: Sequence[Example]) -> Figure:
    """Each example as a table; what a counterfactual leaves as it was is pale, what it changes is coloured."""
    line_counts = [len(example["values"]) + 2 for example in examples]
    drawn = Figure(figsize=(WIDTH, LINE * sum(line_counts)))
    panels = drawn.subplots(
        len(examples),
        1,
        squeeze=False,
        gridspec_kw={"height_ratios": line_counts, "left": 0, "right": 1, "bottom": 0, "top": 1, "hspace": 0},
    ).ravel()
    for axes, example in zip(panels, examples, strict=True):
        _panel(axes, example)
    return drawn


def _panel(axes: Axes, example: Example) -> None:
    names, lines = header(example), cells(example)
    width = 1 / len(names)
    letters = int(LETTERS * width)
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(len(lines) + 0.7, -1.3)
    axes.axhline(0, color="#999999", linewidth=0.8)
    for place, words in enumerate(names):
        axes.text(place * width + 0.008, -0.5, words, va="center", fontsize=FONT, fontweight="bold")
        for row, line in enumerate(lines):
            cell = line[place]
            if cell.best:
                axes.fill_between([place * width, (place + 0.97) * width], row + 0.06, row + 0.94, color=OURS, lw=0)
            text = cell.text.split(ARROW)[-1]  # the old value stands in the column of the original
            text = text if len(text) <= letters else f"{text[: letters - 1]}…"
            colour = "white" if cell.best else "#222222" if place < 2 else "#888888"
            axes.text(place * width + 0.008, row + 0.5, text, va="center", fontsize=FONT - 1, color=colour)

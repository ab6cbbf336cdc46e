"""The chapter on constraints: masks at inference beside retraining, and beside the paper's table."""

from collections.abc import Sequence
from statistics import mean

from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.benchmark.document import Block, Heading, Paragraph, Picture, Shown, Table
from counterflownet_bench.benchmark.paper import published_constraints
from counterflownet_bench.benchmark.plots import svg
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.constraints_measured import (
    CHANCE,
    DRAWN,
    FREELY,
    NAMES,
    RANDOMLY,
    RETRAINED,
    SELECTIONS,
    Difference,
    Measured,
    Result,
)
from counterflownet_bench.studies.constraints_picture import figure
from counterflownet_bench.studies.drawing import BY_NAME, RANGE, ZSCORE
from counterflownet_bench.studies.findings import NOTHING, samples_words
from counterflownet_bench.studies.measure_table import measure_table, printed_row
from counterflownet_bench.studies.measured_fit import DATASET, FREE, POOL, AnswerKind

INTRODUCTION = (
    "Set 1 fixes sex and race and lets age only rise; set 2 fixes native country too and lets education only rise; "
    "set 3 fixes marital status too. *Retrained*: the constraints of the set hold in every step of training, and no "
    "others. *At inference*: the flow was trained without knowing the set, and what the set forbids is masked when it "
    "is asked, after a training that never saw a constraint (as in the paper), or with random masks for a share of the "
    "rows (the library's default). *Corrected* are samples drawn from a pool of "
    f"{POOL:,} by their importance weights, which is nearer to proportional whatever the flow has learned. Whether an "
    "answer keeps its constraints is compared on decoded rows."
)
WHAT_THE_PAPER_FOUND = (
    "masking at inference is about as good as retraining and satisfies all constraints by construction; stricter sets "
    "cost proximity and sparsity, validity stays at 0.97 or more (table on the impact of actionability constraints)."
)


def chapter(results: Sequence[Result]) -> Chapter:
    datasets = dict.fromkeys(result["question"]["dataset"] for result in results)
    shown: list[Block] = []
    details: list[Block] = []
    for dataset in datasets:
        own, name = Measured.of(results, dataset), CARDS[dataset].title
        words = f"{name}: each measure under each set of constraints, samples as drawn"
        shown += [Picture(dataset, svg(figure(own)), words), Heading(f"{name}: {SELECTIONS['raw']}")]
        shown += [_table(own, "raw", ZSCORE, printed=True)]
        shown += [Heading(f"{name}: at inference less retrained"), Paragraph(_difference_words())]
        shown += [_difference_table(own, way) for way in (RANDOMLY, FREELY)]
        for selection, words in SELECTIONS.items():
            if selection != "raw":
                details += [Heading(f"{name}: {words}"), _table(own, selection, ZSCORE)]
            details += [Heading(f"{name}: {words}, convention `range`"), _table(own, selection, RANGE)]
    return Chapter(
        title="Must constraints be known in training?",
        introduction=f"{INTRODUCTION} {samples_words(results)}",
        paper=WHAT_THE_PAPER_FOUND,
        ours=" ".join(found(Measured.of(results, dataset)) for dataset in datasets) or NOTHING,
        shown=shown,
        details=details,
    )


def found(own: Measured) -> str:
    """Is masking as good as retraining? Counted over all sets and measures, by the noise between seeds."""
    broken, answers = own.broken()
    kept = f"{100 * (1 - broken / answers):g} % of {answers:,} answers keep their constraints" if answers else ""
    valid = [
        f"{words} {100 * mean(values.values()):.1f} %"
        for way, words in ((RETRAINED, "retrained"), (RANDOMLY, "with random masks"), (FREELY, "without masks"))
        if own.sets and (values := own.values(way, own.sets[-1], "raw", BY_NAME["validity"]))
    ]
    strictest = f"valid as drawn under {_set_name(own.sets[-1])}: {', '.join(valid)}" if valid else ""
    counts = [text for way in (RANDOMLY, FREELY) if (text := _counted(own, way))]
    return f"{'; '.join(part for part in (kept, *counts, strictest) if part)}."


def _counted(own: Measured, way: str) -> str:
    trained = "trained with random masks" if way == RANDOMLY else "trained without masks"
    compared = {words: named for selection, words in SELECTIONS.items() if (named := _named(own, way, selection))}
    if not compared:
        return ""
    if len(own.seeds) == 1:
        worst = [f"{_worst(named)} ({words})" for words, named in compared.items()]
        return f"{trained}, masks at inference are worse than retraining by at most {', '.join(worst)}; one seed"
    counts = {sign: [_clear(named, sign) for named in compared.values()] for sign in (1, -1)}
    worse = ", ".join(f"{count} of {words}" for words, count in zip(compared, counts[1], strict=True))
    most = max(map(len, compared.values()))
    return (
        f"{trained}, masks at inference are worse than retraining in {worse}, and better in "
        f"{', '.join(map(str, counts[-1]))}, out of {most} comparisons each (noise alone: {most * CHANCE / 2:.2g})"
    )


def _named(own: Measured, way: str, selection: AnswerKind) -> list[tuple[Difference, str]]:
    """Every difference under some constraints, with the measure it is of."""
    return [
        (found, name)
        for rules in own.sets
        if rules != FREE.name
        for name in DRAWN
        if (found := own.difference(way, rules, selection, BY_NAME[name])) is not None
    ]


def _worst(named: Sequence[tuple[Difference, str]]) -> str:
    worst, measure = max(named, key=lambda entry: entry[0].mean)
    return f"{worst.mean:.3f} in {BY_NAME[measure].title}"


def _clear(named: Sequence[tuple[Difference, str]], sign: int) -> int:
    return sum(difference.is_clear(sign) for difference, _ in named)


def _set_name(rules: str) -> str:
    return "no constraints" if rules == FREE.name else rules.replace("_", " ")


def _table(own: Measured, selection: str, columns: Sequence[Column], *, printed: bool = False) -> Table:
    rows = []
    for rules in own.sets:
        for way, words in NAMES.items():
            entries = own.entries(way, rules, selection)
            if entries and not (rules == FREE.name and way == FREELY):
                broken = sum(sum(entry["violations"].values()) for entry in entries.values())
                answers = sum(entry["answers"] for entry in entries.values())
                called = [_set_name(rules), words if rules != FREE.name or way != RETRAINED else NAMES[FREELY]]
                metrics = [entry["metrics"] for entry in entries.values()]
                rows.append((called, metrics, [str(len(entries)), f"{broken} of {answers:,}"]))
    table = measure_table(["Constraints", "Enforced"], rows, columns, ["Seeds", "Broken"])
    if not printed or own.dataset != DATASET:
        return table
    paper = [
        [_set_name(rules), f"{name.lower()} (paper)", *printed_row(row, columns), "", ""]
        for rules in own.sets
        for name, row in published_constraints(rules).items()
    ]
    order = [_set_name(rules) for rules in own.sets]
    together = sorted([*table.rows, *paper], key=lambda line: order.index(str(line[0])))
    return Table(table.header, together, table.text_columns)


def _difference_words() -> str:
    return (
        "How much worse answers are when masks are applied at inference: means over seeds, each with the same "
        "classifier and rows, and the standard error of the mean; below 0 they are better. In bold, and counted above: "
        f"what noise alone would show in {CHANCE:.0%} of such comparisons (Student's test, one or the other direction)."
    )


def _difference_table(own: Measured, way: str) -> Table:
    rows: list[list[Shown | str]] = [
        [_set_name(rules), words, *(_difference_cell(own.difference(way, rules, key, BY_NAME[name])) for name in DRAWN)]
        for rules in own.sets
        if rules != FREE.name
        for key, words in SELECTIONS.items()
    ]
    names = ["Constraints", NAMES[way][0].upper() + NAMES[way][1:], *(BY_NAME[name].title for name in DRAWN)]
    return Table(names, rows, text_columns=2)


def _difference_cell(found: Difference | None) -> Shown:
    if found is None:
        return Shown("n/a")
    error = "" if found.error is None else f" ± {found.error:.3f}"
    return Shown(f"{found.mean:+.3f}{error}", best=found.is_clear(1) or found.is_clear(-1))

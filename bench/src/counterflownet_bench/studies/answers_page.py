"""The chapter on the quality of answers: bars and whether they are met, all figures, and answers to read."""

from collections.abc import Mapping, Sequence
from typing import Any

from counterflownet_bench.benchmark.document import Block, Heading, Paragraph, Shown, Table
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.studies.answers_bars import BARS, Bar, decimal, percent
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.findings import NOTHING

Result = Mapping[str, Any]
INTRODUCTION = (
    "Explainers at the library's defaults, five answers for each row, judged on decoded rows by a checker that "
    "knows the training rows, the classifier and the constraints, and nothing of the library. *Minimal*: no "
    "change can be undone. *Loose*: a changed number or ordered category for which a nearer value of its column "
    "would have been enough; tried are all training values, beyond 256 as many equally spaced by rank, of rows or "
    "of distinct values. *Strategy*: the changed columns with their directions. *Dominated*: another answer of "
    "the row follows the same strategy, moves no number further and one less. *Far*: a number is moved by more than "
    "five standard deviations. What exists is known by exhaustive "
    "search: every value alone, and all pairs of columns, at some 24 values of each. *Regret*: by how much the "
    "reward of the best answer falls short of the best one known; *tight*: of the best that is minimal and tight "
    "itself, as all that is shown must be: a rival that goes further than it has to may be worth more, since more "
    "usual. *Recall*: of the sets of one or two columns that suffice and need each of them, the share that "
    "twenty answers show. A row *has an answer* if one was given, or if exhaustive or a long random search finds "
    "one."
)
PAPER = "it measures validity, proximity, sparsity, plausibility and diversity, and asks none of this."
FIGURES = (  # what a column is called, the figure, and how it is written
    ("Valid", "valid", percent),
    ("Minimal", "minimal", percent),
    ("Changes", "changes", decimal),
    ("Loose", "loose", percent),
    ("Loose, values", "loose_over_values", percent),
    ("Dominated", "dominated", percent),
    ("Far", "far", percent),
    ("Strategies of 5", "strategies", decimal),
    ("Four of 5", "four_shown", percent),
    ("Recall", "recall", percent),
    ("Recall, single", "recall_single", percent),
    ("Found", "found", percent),
    ("Regret", "regret", percent),
    ("Regret, tight", "regret_tight", percent),
    ("Within 1 %", "regret_within", percent),
)


def chapter(results: Sequence[Result]) -> Chapter:
    return Chapter(
        title="How good are the answers?",
        introduction=f"{INTRODUCTION}{_rows_words(results)}",
        paper=PAPER,
        ours=found(results),
        shown=[bars_table(results), figures_table(results)],
        details=[*_every_seed(results), *_examples(results)],
    )


def found(results: Sequence[Result]) -> str:
    """How many bars are met in every setting and by every seed, and which are not."""
    worst = {bar: bar.worst(results) for bar in BARS}
    known = {bar: entry[0] for bar, entry in worst.items() if entry is not None}
    if not known:
        return NOTHING
    missed = [f"{bar.words} ({percent(value)})" for bar, value in known.items() if not bar.met(value)]
    told = f"{len(known) - len(missed)} of {len(known)} bars are met by every setting and seed"
    return f"{told}; not met: {'; '.join(missed)}." if missed else f"{told}."


def bars_table(results: Sequence[Result]) -> Table:
    """Each bar, the worst setting and seed, and whether it is met there."""
    return Table(
        ["Bar", "Wanted", "Worst setting and seed", "Worst", "Met"],
        [_bar_line(bar, results) for bar in BARS],
        text_columns=3,
    )


def figures_table(results: Sequence[Result]) -> Table:
    """The figures of each setting, means over its seeds."""
    lines = []
    for name, seeds in _by_setting(results).items():
        means = [write(_mean([seed["figures"].get(figure) for seed in seeds])) for _, figure, write in FIGURES]
        rows = str(sum(seed["rows"] for seed in seeds))
        lines.append([name, *means, *_times(seeds), rows, str(len(seeds))])
    header = ["Setting", *(title for title, _, _ in FIGURES), "Seconds, alone", "Seconds, together", "Rows", "Seeds"]
    return Table(header, lines)


def setting(result: Result) -> str:
    """Table, classifier and whether under constraints, in words."""
    told = result["question"]
    title = CARDS[told["dataset"]].title if told["dataset"] in CARDS else told["dataset"].replace("_", " ").capitalize()
    rules = ", constrained" if told["constrained"] else ""
    part = ", held-out training rows" if told["part"] == "held_out" else ""
    return f"{title}, {told['classifier'].replace('_', ' ')}{rules}{part}"


def _bar_line(bar: Bar, results: Sequence[Result]) -> list[Shown | str]:
    worst = bar.worst(results)
    if worst is None:
        return [bar.words, bar.wanted, "", "n/a", "not measured"]
    value, result = worst
    met = Shown("met") if bar.met(value) else Shown("not met", best=True)
    return [bar.words, bar.wanted, f"{setting(result)}, seed {result['question']['seed']}", percent(value), met]


def _every_seed(results: Sequence[Result]) -> list[Block]:
    """Whether each setting and seed meets each bar."""
    lines: list[list[Shown | str]] = []
    for result in results:
        values = [bar.value(result) for bar in BARS]
        marked = [
            Shown(percent(value), best=value is not None and not bar.met(value))
            for bar, value in zip(BARS, values, strict=True)
        ]
        lines.append([setting(result), str(result["question"]["seed"]), *marked])
    words = Paragraph("In bold: what does not meet its bar.")
    header = ["Setting", "Seed", *(f"{bar.words} ({bar.wanted})" for bar in BARS)]
    return [Heading("Every seed"), words, Table(header, lines)]


def _examples(results: Sequence[Result]) -> list[Block]:
    """Answers of the first seed of each setting."""
    blocks: list[Block] = [Heading("Answers to read")]
    for name, seeds in _by_setting(results).items():
        lines = [
            [str(example["row"] + 1), str(place), answer]
            for example in seeds[0]["examples"]
            for place, answer in enumerate(example["answers"], start=1)
        ]
        blocks += [Heading(name, 3), Table(["Row", "Answer", "Changes"], lines, text_columns=3)]
    return blocks


def _by_setting(results: Sequence[Result]) -> dict[str, list[Result]]:
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(setting(result), []).append(result)
    return found


def _times(seeds: Sequence[Result]) -> list[str]:
    names = ("explain_alone", "explain_together")
    return [f"{_mean([seed['seconds'][name] for seed in seeds]) or 0.0:.3f}" for name in names]


def _rows_words(results: Sequence[Result]) -> str:
    if not results:
        return ""
    counts = sorted({result["rows"] for result in results})
    rows = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f" Measured on {rows} rows for each setting and seed, of a class that nobody wants."


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None

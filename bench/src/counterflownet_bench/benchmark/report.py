"""The report: measured numbers beside the paper's, the best in bold, and every hole named."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from counterflownet.files import write_atomically
from counterflownet_bench.as_published.reading import FORMULAS, READINGS
from counterflownet_bench.benchmark.bound import bounds
from counterflownet_bench.benchmark.cell import Result
from counterflownet_bench.benchmark.columns import EXTRAS, TABLES, Column
from counterflownet_bench.benchmark.comparison import (
    beyond_sentences,
    row_groups,
    sentences,
    tuned_sentences,
    verdict_table,
)
from counterflownet_bench.benchmark.curve import WORDS, curve_figure, curve_table
from counterflownet_bench.benchmark.differences import difference_blocks
from counterflownet_bench.benchmark.document import Block, Document, Heading, Paragraph, Picture, Shown, Table
from counterflownet_bench.benchmark.methods import all_digests
from counterflownet_bench.benchmark.paper import published_rows
from counterflownet_bench.benchmark.pareto import pareto_figure
from counterflownet_bench.benchmark.plots import figure, plotted_columns, svg
from counterflownet_bench.benchmark.presets import COUNT
from counterflownet_bench.benchmark.readings import reading_blocks
from counterflownet_bench.benchmark.report_facts import (
    classifier_table,
    code_blocks,
    cost_table,
    direction_table,
    hole_blocks,
    instance_table,
)
from counterflownet_bench.benchmark.settings_facts import settings_table
from counterflownet_bench.benchmark.store import Stored, read_all
from counterflownet_bench.benchmark.summary import NOT_RUN, Entry, Spread, Summary
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.card import ProtocolName

INTRODUCTION = (
    "Every measured number is a mean over seeds, with its deviation where there are several; the best of a column is "
    "in bold, whoever has it. Rows marked (paper) are copied from the paper: they were computed with code and "
    "classifiers that were not published, so they stand beside ours and are not reproduced by them. raw: samples as "
    "they were drawn; selected: those that the method chooses from more of them; minimal: the same after every change "
    "that is not needed was undone; default, minimal: what `explain()` returns when nothing is set; pooled: chosen "
    "from 100 candidates by one selector that is the same for every method. A place without an answer counts as "
    "invalid. Of large test tables a random part is explained, a quarter of it at least from each predicted class, as "
    "far as there are so many. n/a: nothing to average."
)
FURTHER = frozenset(name for name, reading in READINGS.items() if reading != FORMULAS)  # of the paper
BOUND = f"bound of any {COUNT} answers"
NAMES: dict[ProtocolName, str] = {
    "a": "Protocol A: discrete features",
    "b": "Protocol B: continuous and categorical features",
}
SPACES: dict[ProtocolName, str] = {
    "a": "Numbers are cut into four bins that hold equally many training values; a value more frequent than that (no "
    "capital gain, a week of 40 hours) has a bin to itself, since plain quantiles would leave such a column with one "
    "bin and nothing to change.",
    "b": "Numbers are cut into 64 bins of equal width; bins stand for their centres.",
}


def write_report(results: Iterable[str | Path], out: str | Path, html: str | Path | None = None) -> tuple[Path, ...]:
    """Read files of results and write the report, its pictures beside it; the paths of all that was written."""
    document = report(read_all(results))
    out = Path(out)
    prefix = f"{out.stem}_"
    pictures = [
        write_atomically(out.with_name(f"{prefix}{picture.name}.svg"), picture.svg) for picture in document.pictures
    ]
    written = [write_atomically(out, document.markdown(picture_prefix=prefix)), *pictures]
    if html is not None:
        written.append(write_atomically(html, document.html()))
    return tuple(written)


def report(stored: Stored, *, code: Mapping[str, str] | None = None, pictures: bool = True) -> Document:
    """The whole report; drawing its pictures takes most of the time.

    ``code`` are the checksums of the code that results are compared with; None: those of the code as it is.
    """
    versions = sorted({str(result["version"]) for result in stored.results})
    blocks: list[Block] = [Heading("Benchmark report", 1), Paragraph(INTRODUCTION)]
    blocks.append(Paragraph(f"Library version: {', '.join(versions) or 'none'}; cells read: {len(stored.results)}."))
    blocks += [Paragraph(f"Note: {note}.") for note in stored.notes]
    blocks += code_blocks(stored.results, all_digests() if code is None else code)
    for protocol in TABLES:
        compared, others = row_groups(stored.results, protocol)
        for number, group in enumerate(compared):
            blocks += _comparison(group, protocol, number, pictures=pictures)
        alone = Summary(others, protocol)
        blocks += _protocol(alone, pictures=pictures) if alone or not compared else []
    return Document(blocks)


def _comparison(group: Sequence[Result], protocol: ProtocolName, number: int, *, pictures: bool) -> list[Block]:
    """All methods on the same rows, each table with what it says in sentences; groups are numbered.

    Of the paper's method, what its formulas say is compared; all readings of it have a part of their own.
    """
    summary = Summary([result for result in group if result["cell"]["preset"] not in FURTHER], protocol)
    words = (
        "Every method explains the same rows of the same classifiers, and its answers are decoded to rows that can "
        "exist before anything is measured. The sentences below each table are made from its numbers; 'level' means "
        "equal in all printed digits, or, where three seeds or more were run, a difference within the 95 % interval of "
        "the paired differences between seeds. Of fewer seeds the noise is not known."
    )
    rows = " or ".join(sorted({_instances(entry) for entry in summary.entries if entry.results}))
    title = f"{NAMES[summary.protocol]}, all methods on the same rows ({rows} of each data set)"
    blocks: list[Block] = [Heading(title), Paragraph(words), Paragraph(SPACES[protocol])]
    blocks += hole_blocks(summary)
    for dataset in summary.datasets:
        blocks.append(Heading(CARDS[dataset].title, 3))
        for kind in TABLES[summary.protocol]:
            blocks.append(Paragraph(f"{kind.title[:1].upper()}{kind.title[1:]}."))
            blocks.append(metric_table(summary, dataset, kind.columns))
            blocks.append(Paragraph(sentences(summary, dataset, kind)))
            blocks += _paragraph(tuned_sentences(summary, dataset, kind))
        blocks += _paragraph(beyond_sentences(summary, dataset))
    blocks += [Heading("What must hold for ours", 3), verdict_table(summary)]
    blocks += reading_blocks(Summary(group, protocol))
    blocks += [Heading("By direction", 3), direction_table(summary)]
    blocks += [Heading("What our variants set", 3), settings_table(summary)]
    blocks += difference_blocks({entry.variant.method for entry in summary.entries})
    if pictures:
        words = "Methods in pairs of metrics; the grey line joins those that no other is better than in both"
        name = f"protocol_{summary.protocol}_pareto{f'_{number + 1}' if number else ''}"
        blocks += [Heading("Picture", 3), Picture(name, svg(pareto_figure(summary)), words)]
    blocks += [Heading("Beside the protocol's metrics", 3), extra_table(summary)]
    blocks += [Heading("What was explained", 3), instance_table(summary)]
    blocks += [Heading("Classifiers", 3), classifier_table(summary)]
    return [*blocks, Heading("Cost", 3), cost_table(summary)]


def _paragraph(text: str) -> list[Block]:
    return [Paragraph(text)] if text else []


def _protocol(summary: Summary, *, pictures: bool) -> list[Block]:
    blocks: list[Block] = [Heading(NAMES[summary.protocol]), Paragraph(SPACES[summary.protocol])]
    if not summary:
        return [*blocks, Paragraph(f"These files hold no result of protocol {summary.protocol}: nothing was run.")]
    blocks += hole_blocks(summary)
    for dataset in summary.datasets:
        blocks.append(Heading(CARDS[dataset].title, 3))
        blocks += _tables(summary, dataset)
    blocks += reading_blocks(summary)
    if pictures:
        blocks += [Heading("Picture", 3), _picture(summary)]
    if summary.protocol == "b":
        blocks += [Heading("From sparsest to most diverse", 3), Paragraph(WORDS), curve_table(summary)]
        blocks += [_curve_picture(summary)] if pictures else []
    blocks += [Heading("Beside the protocol's metrics", 3), extra_table(summary)]
    blocks += [Heading("What our variants set", 3), settings_table(summary)]
    blocks += [Heading("What was explained", 3), instance_table(summary)]
    blocks += [Heading("By direction", 3), direction_table(summary)]
    blocks += [Heading("Classifiers", 3), classifier_table(summary)]
    return [*blocks, Heading("Cost", 3), cost_table(summary)]


def _tables(summary: Summary, dataset: str) -> Iterable[Block]:
    for kind in TABLES[summary.protocol]:
        yield Paragraph(f"{kind.title[:1].upper()}{kind.title[1:]}.")
        yield metric_table(summary, dataset, kind.columns)


@dataclass(frozen=True, slots=True)
class _Line:
    """A row before it is known which of its numbers are the best."""

    label: str
    seeds: str
    instances: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]
    counts: bool = True
    """Whether it is a method's, so that it can be the best."""

    def shown(self, bests: Sequence[float | None], columns: Sequence[Column]) -> list[Shown | str]:
        marked = [
            Shown(text, best=value is not None and round(value, column.digits) == best)
            for text, value, best, column in zip(self.texts, self.values, bests, columns, strict=True)
        ]
        return [self.label, self.seeds, self.instances, *marked]


def metric_table(summary: Summary, dataset: str, columns: Sequence[Column]) -> Table:
    """The paper's rows and ours on one data set."""
    lines = [
        _published(name, [column.published(row) for column in columns], columns)
        for name, row in published_rows(summary.protocol, dataset).items()
    ]
    lines += [_measured(entry, columns) for entry in summary.on(dataset)]
    lines += _bound(summary, dataset, columns)
    bests = [
        _best([line.values[place] for line in lines if line.counts], column) for place, column in enumerate(columns)
    ]
    header = ["Method", "Seeds", "Instances", *(column.heading for column in columns)]
    return Table(header, [line.shown(bests, columns) for line in lines])


def _bound(summary: Summary, dataset: str, columns: Sequence[Column]) -> list[_Line]:
    """What no method can pass, where that is known."""
    if summary.protocol != "a" or dataset not in bounds():
        return []
    values = [bounds()[dataset] if column.path[-1] == "harmonic_mean" else None for column in columns]
    texts = ["" if value is None else column.text(value) for value, column in zip(values, columns, strict=True)]
    return [_Line(BOUND, "", "", tuple(values), tuple(texts), counts=False)]


def extra_table(summary: Summary) -> Table:
    """What is measured beyond the protocol, for every variant on every data set; nothing here is in the paper."""
    columns = EXTRAS[summary.protocol]
    header = ["Data set: method", *(column.heading for column in columns), "Rules broken"]
    rows = []
    for entry in summary.entries:
        broken = sum(sum(result["violations"].values()) for result in entry.results.values())
        texts = _measured(entry, columns).texts
        rows.append([f"{entry.dataset}: {entry.label}", *texts, str(broken) if entry.results else state(entry)])
    return Table(header, rows)


def state(entry: Entry) -> str:
    """Why an entry has no numbers at all."""
    if any(hole.failed for hole in entry.holes):
        return "failed"
    return "not for it" if any(hole.refused for hole in entry.holes) else NOT_RUN


def _published(name: str, values: Sequence[float | None], columns: Sequence[Column]) -> _Line:
    texts = [
        "not printed" if value is None else column.text(value, printed=True)
        for value, column in zip(values, columns, strict=True)
    ]
    return _Line(f"{name} (paper)", "", "", tuple(values), tuple(texts))


def _measured(entry: Entry, columns: Sequence[Column]) -> _Line:
    spreads = [entry.spread(column.of_result) for column in columns]
    if not entry.results:
        texts: list[str] = [state(entry)] * len(columns)
    else:
        texts = [_spread_text(spread, column) for spread, column in zip(spreads, columns, strict=True)]
    seeds = str(entry.asked) if not entry.holes else f"{len(entry.results)} of {entry.asked}"
    values = tuple(None if spread is None else spread.mean for spread in spreads)
    return _Line(entry.label, seeds, _instances(entry), values, tuple(texts))


def _spread_text(spread: Spread | None, column: Column) -> str:
    if spread is None:
        return "n/a"
    text = column.text(spread.mean)
    return text if spread.deviation is None else f"{text} ± {column.text(spread.deviation)}"


def _instances(entry: Entry) -> str:
    return " or ".join(str(count) for count in sorted({result["instances"] for result in entry.results.values()}))


def _best(values: Sequence[float | None], column: Column) -> float | None:
    known = [round(value, column.digits) for value in values if value is not None]
    if not known:
        return None
    return max(known) if column.higher else min(known)


def _curve_picture(summary: Summary) -> Block:
    words = "Diversity against the share of changed columns: a line through our presets, a cross for the paper's method"
    return Picture(f"protocol_{summary.protocol}_curve", svg(curve_figure(summary)), words)


def _picture(summary: Summary) -> Block:
    x, y = plotted_columns(summary.protocol)
    words = f"{y.title} ({y.direction}) against {x.title} ({x.direction}) on each data set; hollow: the paper's numbers"
    words += "; dashed: the bound of the harmonic mean" if summary.protocol == "a" else ""
    return Picture(f"protocol_{summary.protocol}", svg(figure(summary)), words)

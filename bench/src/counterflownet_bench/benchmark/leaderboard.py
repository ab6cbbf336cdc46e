"""One line for each method on all tables of a protocol: how good its answers are, and what one of them costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from types import MappingProxyType

from counterflownet_bench.benchmark.cell import Result
from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.benchmark.comparison import row_groups
from counterflownet_bench.benchmark.document import Block, Heading, Paragraph, Shown, Table
from counterflownet_bench.benchmark.methods import METHODS
from counterflownet_bench.benchmark.summary import Entry, Summary, Variant
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.card import ProtocolName

ABSENT = "n/a"
Value = Callable[[Result], float | None]


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of the board; ``value`` finds it in a result, or None if the result does not have it."""

    title: str
    value: Value
    higher: bool
    digits: int = 2

    @property
    def heading(self) -> str:
        return f"{self.title} {'↑' if self.higher else '↓'}"

    def mean(self, entries: Sequence[Entry]) -> float | None:
        """The mean over data sets of the means over seeds; None if a data set has no value."""
        spreads = [entry.spread(self.value) for entry in entries]
        means = [spread.mean for spread in spreads if spread is not None]
        return mean(means) if means and len(means) == len(spreads) else None

    def text(self, value: float | None) -> str:
        return ABSENT if value is None else f"{value:,.{self.digits}f}"


def _metric(*path: str, times: float = 1.0) -> Value:
    column = Column("", path, higher=True)

    def value(result: Result) -> float | None:
        found = column.of_result(result)
        return None if found is None else found * times

    return value


def _fit_minutes(result: Result) -> float | None:
    seconds = _computed(result, "fit")
    return None if seconds is None else seconds / 60


def _milliseconds(result: Result) -> float | None:
    """Of the time of a whole run, the share of each answer it gave."""
    seconds, answers = _computed(result, "explain"), result.get("answers")
    return 1_000 * seconds / answers if seconds is not None and answers else None


def _computed(result: Result, part: str) -> float | None:
    """Seconds of the processor; older results know those of the clock alone."""
    seconds: float | None = result["seconds"].get(f"{part}_cpu", result["seconds"][part])
    return seconds


def _calls(result: Result) -> float | None:
    calls, answers = result.get("calls"), result.get("answers")
    return calls / answers if calls is not None and answers else None


def _measures(own: Mapping[str, Value]) -> tuple[Measure, ...]:
    """The columns of a board; what a protocol does not measure is still there, and empty."""
    nothing = _metric("not measured")
    return (
        Measure("Valid %", own["validity"], higher=True),
        Measure("Valid of given %", own["given"], higher=True),
        Measure("Tight %", _metric("tightness", times=100), higher=True),
        Measure("Changes", _metric("changes"), higher=False),
        Measure("Distance", own.get("distance", nothing), higher=False, digits=3),
        Measure("log LOF", own.get("lof", nothing), higher=False, digits=3),
        Measure("Diversity", own["diversity"], higher=True, digits=3),
        Measure("Strategies", _metric("strategies"), higher=True),
        Measure("Minutes to fit", _fit_minutes, higher=False),
        Measure("Milliseconds for an answer", _milliseconds, higher=False, digits=1),
        Measure("Calls for an answer", _calls, higher=False, digits=1),
    )


MEASURES: Mapping[ProtocolName, tuple[Measure, ...]] = MappingProxyType(
    {
        "a": _measures(
            {
                "validity": _metric("validity"),
                "given": _metric("validity_returned"),
                "diversity": _metric("diversity", times=0.01),
            }
        ),
        "b": _measures(
            {
                "validity": _metric("zscore", "validity", times=100),
                "given": _metric("validity_returned", times=100),
                "distance": _metric("zscore", "proximity_continuous"),
                "lof": _metric("zscore", "lof"),
                "diversity": _metric("zscore", "diversity"),
            }
        ),
    }
)


def board(results: Sequence[Result], protocol: ProtocolName) -> list[Block]:
    """The boards of a protocol's results, one for each number of rows that methods were compared on."""
    groups, others = row_groups(results, protocol)
    title = f"Protocol {protocol.upper()}"
    if not groups and not Summary(others, protocol):
        return [Heading(title), Paragraph("Nothing was run yet.")]
    blocks: list[Block] = []
    for group in groups or [others]:
        summary = Summary(group, protocol)
        rows = {str(result["cell"]["instances"] or "all") for result in group if result["protocol"] == protocol}
        heading = f"{title}, {' or '.join(sorted(rows))} rows of each data set" if len(groups) > 1 else title
        blocks += _board(summary, Heading(heading))
    return blocks


def _board(summary: Summary, title: Heading) -> list[Block]:
    """All tables in one, then each by itself."""
    run = {dataset: [entry for entry in summary.on(dataset) if entry.results] for dataset in summary.datasets}
    known = {dataset: entries for dataset, entries in run.items() if entries}
    blocks: list[Block] = [title, Paragraph(_told(summary, known)), _whole(summary, known)]
    for dataset, entries in known.items():
        lines = {entry.label: [entry] for entry in entries}
        blocks += [Heading(CARDS[dataset].title, 3), _table(MEASURES[summary.protocol], lines, most=1)]
    return blocks


def _told(summary: Summary, known: Mapping[str, Sequence[Entry]]) -> str:
    """Which rows these are, which columns no result has, and which methods were not run."""
    results = [result for entries in known.values() for entry in entries for result in entry.results.values()]
    rows, seeds = (sorted({result[name] for result in results}) for name in ("instances", "seed"))
    absent = [each.title for each in MEASURES[summary.protocol] if all(each.value(r) is None for r in results)]
    unrun = [name for name in METHODS if name not in {result["method"] for result in results}]
    versions = ", ".join(sorted({result["version"] for result in results}))
    which = f"{' or '.join(map(str, rows))} rows of each of {len(known)} data sets, seeds {', '.join(map(str, seeds))}"
    missing = [f"Not measured in any result, and shown as {ABSENT}: {', '.join(absent)}."] if absent else []
    left_out = [f"Not run: {', '.join(unrun)}."] if unrun else []
    return " ".join([f"{which}; library {versions}.", *missing, *left_out])


def _whole(summary: Summary, known: Mapping[str, Sequence[Entry]]) -> Table:
    """All data sets in one table, which says on how many of them each method was run."""
    found = {
        str(variant): [entry for entries in known.values() for entry in _last(entries, variant)]
        for variant in summary.variants
    }
    lines = {name: entries for name, entries in found.items() if entries}
    table = _table(MEASURES[summary.protocol], lines, most=len(known))
    rows = [[name, f"{len(lines[str(name)])} of {len(known)}", *cells] for name, *cells in table.rows]
    return Table([table.header[0], "Tables", *table.header[1:]], rows, text_columns=2)


def _last(entries: Sequence[Entry], variant: Variant) -> list[Entry]:
    """What was run last of a variant, if it was run within several limits."""
    return [entry for entry in entries if entry.variant == variant][-1:]


def _table(measures: Sequence[Measure], lines: Mapping[str, Sequence[Entry]], *, most: int) -> Table:
    """The most valid first, of these the quickest; the best of those on most tables is marked."""
    means = {name: [each.mean(entries) for each in measures] for name, entries in lines.items()}
    whole = [name for name in lines if len(lines[name]) == most]
    best = [_best(each, [means[name][place] for name in whole]) for place, each in enumerate(measures)]
    quick = [each.value for each in measures].index(_milliseconds)
    order = sorted(lines, key=lambda name: (-(means[name][0] or 0.0), means[name][quick] or float("inf")))
    rows: list[list[Shown | str]] = []
    for name in order:
        texts = [each.text(value) for each, value in zip(measures, means[name], strict=True)]
        marks = [name in whole and text == top for text, top in zip(texts, best, strict=True)]
        rows.append([name, *(Shown(text, best=mark) for text, mark in zip(texts, marks, strict=True))])
    return Table(["Method", *(each.heading for each in measures)], rows)


def _best(measure: Measure, values: Sequence[float | None]) -> str | None:
    """The best value as it is shown, so that those who look level are."""
    known = [value for value in values if value is not None]
    return measure.text((max if measure.higher else min)(known)) if len(known) > 1 else None

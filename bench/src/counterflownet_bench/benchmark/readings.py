"""How near each reading of the paper comes to the numbers that the paper prints of its own method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import mean

from counterflownet.errors import counted
from counterflownet_bench.as_published.reading import READINGS
from counterflownet_bench.benchmark.columns import TABLES, Column
from counterflownet_bench.benchmark.document import Block, Heading, Paragraph, Shown, Table
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.paper import PAPER_OURS, Row, published_rows
from counterflownet_bench.benchmark.summary import Entry, Summary
from counterflownet_bench.datasets import CARDS

WORDS = (
    "The paper's method as its text says, under readings of what the text leaves open; for each column how far it is "
    "from the number that the paper prints of its own method (CFN), and the mean of these distances without signs. "
    "Smaller is nearer to the paper, not better."
)


@dataclass(frozen=True, slots=True)
class Away:
    """A reading on a data set: its distance to the paper in every column."""

    name: str
    seeds: int
    distances: tuple[float | None, ...]

    @property
    def label(self) -> str:
        return f"{self.name} ({counted(self.seeds, 'seed')})"

    @property
    def mean(self) -> float | None:
        """The mean distance over all columns; None unless each is known."""
        known = [abs(distance) for distance in self.distances if distance is not None]
        return mean(known) if len(known) == len(self.distances) and known else None


def reading_blocks(summary: Summary) -> list[Block]:
    """A table for each data set and convention where a reading was run, and which of them comes nearest to the paper.

    Nothing if none was run.
    """
    blocks: list[Block] = []
    tables: dict[str, list[Away]] = {}
    for dataset, kind in product(summary.datasets, TABLES[summary.protocol]):
        paper = published_rows(summary.protocol, dataset).get(PAPER_OURS)
        found = [entry for entry in summary.on(dataset) if _is_reading(entry) and entry.results]
        if paper is None or not found:
            continue
        columns = [column for column in kind.columns if column.published(paper) is not None]
        away = tables[f"{CARDS[dataset].title}, {kind.title}"] = [_away(entry, columns, paper) for entry in found]
        blocks += [
            Paragraph(f"{CARDS[dataset].title}, {kind.title}."),
            _table(away, columns),
            Paragraph(_nearest(away)),
        ]
    if not blocks:
        return []
    return [
        Heading("The paper's method, reading by reading", 3),
        Paragraph(WORDS),
        *blocks,
        Paragraph(_nearest_of_all(tables)),
    ]


def _is_reading(entry: Entry) -> bool:
    """Whether its results are of the paper's method itself, as it is implemented now."""
    own = entry.variant.method == OURS and entry.variant.preset in READINGS
    return own and all("reading" in result["settings"] for result in entry.results.values())


def _away(entry: Entry, columns: list[Column], paper: Row) -> Away:
    distances = []
    for column in columns:
        spread, printed = entry.spread(column.of_result), column.published(paper)
        distances.append(None if spread is None or printed is None else spread.mean - printed)
    return Away(entry.label, len(entry.results), tuple(distances))


def _table(away: list[Away], columns: list[Column]) -> Table:
    rows: list[list[Shown | str]] = []
    for each in away:
        texts = [
            "n/a" if distance is None else f"{distance:+.{column.digits}f}"
            for distance, column in zip(each.distances, columns, strict=True)
        ]
        rows.append([each.label, *texts, "n/a" if each.mean is None else f"{each.mean:.{columns[0].digits}f}"])
    return Table(["Reading", *(column.title for column in columns), "Mean distance"], rows)


def _nearest(away: list[Away]) -> str:
    known = [(each.mean, each.label) for each in away if each.mean is not None]
    if len(known) < 2:
        return "Too few readings were run here to say which is nearest."
    least, label = min(known)
    return f"Of the {len(known)} that were run here, {label} is nearest: {least:.3g} away on average."


def _nearest_of_all(tables: Mapping[str, Sequence[Away]]) -> str:
    """Which reading explains the paper best, over as many tables as several of them were run on."""
    means: dict[str, dict[str, float]] = {}
    for title, away in tables.items():
        for each in away:
            if each.mean is not None:
                means.setdefault(each.name, {})[title] = each.mean
    shared = [
        (len(own), len(together), own, together)
        for own in map(frozenset, means.values())
        if len(own) > 1 and len(together := sorted(name for name in means if own <= means[name].keys())) > 1
    ]
    if not shared:
        return "No two readings were run on the same two tables or more, so none can be said to explain the paper best."
    count, _, titles, names = max(shared, key=lambda one: (one[0], one[1], sorted(one[2])))
    distance = {name: mean(means[name][title] for title in titles) for name in names}
    nearest = min(distance, key=distance.__getitem__)
    others = "; ".join(f"{name} {away:.3g}" for name, away in sorted(distance.items()) if name != nearest)
    return (
        f"Together, on the {count} tables on which each of {len(names)} readings was run, {nearest} explains the paper "
        f"best: {distance[nearest]:.3g} away on average ({others})."
    )

"""All methods on the same rows: where ours is ahead, where it is behind, and what those ahead pay for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import stdev
from types import MappingProxyType

from scipy.stats import t

from counterflownet_bench.benchmark.cell import Result
from counterflownet_bench.benchmark.columns import EXTRAS, TABLES, Column, TableKind
from counterflownet_bench.benchmark.document import Table
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.presets import COUNT
from counterflownet_bench.benchmark.summary import Entry, Summary, Variant
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.card import ProtocolName

HEADLINE = Variant(OURS, "default", "minimal", COUNT)  # what users get: explain() with nothing set
TUNED = Variant(OURS, "tuned", "selected", COUNT)  # compared instead only where that was not run
FEW_SEEDS = 3  # fewer say nothing of noise
STRONGEST = "dice-kdtree"  # of Protocol B's others, see docs/baselines.md

# By which columns a method is judged; the protocols' tables show more than these.
JUDGED: Mapping[ProtocolName, tuple[str, ...]] = MappingProxyType(
    {
        "a": ("harmonic_mean", "sparsity", "diversity", "validity", "coverage", "unary"),
        "b": ("validity", "sparsity_all", "proximity_continuous", "lof", "diversity"),
    }
)
# What the protocols do not measure and people see: whether what is said is right, and no more than must be.
BEYOND = ("validity_returned", "minimality", "tightness", "strategies", "changes")


def row_groups(results: Sequence[Result], protocol: ProtocolName) -> tuple[list[list[Result]], list[Result]]:
    """Results of two methods or more on the same number of rows, those of most methods first; and all others."""
    groups: dict[int | None, list[Result]] = {}
    for result in results:
        if result["protocol"] == protocol:
            groups.setdefault(result["cell"]["instances"], []).append(result)
    methods = {limit: len({result["method"] for result in group}) for limit, group in groups.items()}
    compared = sorted((limit for limit in groups if methods[limit] > 1), key=lambda limit: -methods[limit])
    taken = {id(result) for limit in compared for result in groups[limit]}
    return [groups[limit] for limit in compared], [result for result in results if id(result) not in taken]


@dataclass(frozen=True, slots=True)
class Standing:
    """Our value in one column and the best of the other methods.

    They are level if all printed digits are equal, or if the difference is within the ``noise`` between seeds: half the
    width of the 95 % interval of paired differences. None: too few seeds to know it.
    """

    column: Column
    ours: float
    other: float
    method: str
    noise: float | None = None

    @property
    def ahead(self) -> bool:
        return self._difference > 0

    @property
    def behind(self) -> bool:
        return self._difference < 0

    @property
    def _difference(self) -> float:
        gap = round(self.ours, self.column.digits) - round(self.other, self.column.digits)
        if self.noise is not None and abs(self.ours - self.other) <= self.noise:
            return 0.0
        return gap if self.column.higher else -gap

    def __str__(self) -> str:
        ours, other = self.column.text(self.ours), self.column.text(self.other)
        return f"{self.column.title} ({ours}; {self.method} {other})"


def standings(
    summary: Summary,
    dataset: str,
    columns: Sequence[Column],
    *,
    against: str | None = None,
    ours: Variant | None = None,
) -> list[Standing]:
    """Ours, what users get unless another is named, beside the best of the others, or beside one of them."""
    entries = {str(entry.variant): entry for entry in summary.on(dataset) if entry.results}
    mine = entries.get(str(ours or compared_variant(summary, dataset)))
    others = {name: entry for name, entry in entries.items() if entry.variant.method != OURS}
    if against is not None:
        others = {name: entry for name, entry in others.items() if name == against}
    if mine is None:
        return []
    return [found for column in columns if (found := _standing(column, mine, others))]


def compared_variant(summary: Summary, dataset: str) -> Variant:
    """Which of ours is compared with the others on a data set."""
    run = {entry.variant for entry in summary.on(dataset) if entry.results}
    return TUNED if TUNED in run and HEADLINE not in run else HEADLINE


def judged(protocol: ProtocolName, kind: TableKind) -> list[Column]:
    """The judged columns of a table, in the order in which they are told."""
    named = {column.path[-1]: column for column in kind.columns}
    return [named[name] for name in JUDGED[protocol]]


def _standing(column: Column, mine: Entry, others: Mapping[str, Entry]) -> Standing | None:
    own = mine.spread(column.of_result)
    spreads = {name: entry.spread(column.of_result) for name, entry in others.items()}
    known = {name: spread.mean for name, spread in spreads.items() if spread is not None}
    if own is None or not known:
        return None
    best = (max if column.higher else min)(known, key=lambda name: known[name])
    return Standing(column, own.mean, known[best], best, _noise(column, mine, others[best]))


def _noise(column: Column, mine: Entry, other: Entry) -> float | None:
    """Half the width of the interval in which the mean difference of seeds that both were run with lies."""
    seeds = sorted(set(mine.results) & set(other.results))
    pairs = [(column.of_result(mine.results[seed]), column.of_result(other.results[seed])) for seed in seeds]
    apart = [ours - others for ours, others in pairs if ours is not None and others is not None]
    if len(apart) < FEW_SEEDS:
        return None
    return float(t.ppf(0.975, len(apart) - 1)) * stdev(apart) / len(apart) ** 0.5


def sentences(summary: Summary, dataset: str, kind: TableKind) -> str:
    """Three sentences about a table: where ours wins, where it loses, and what was measured beside it."""
    found = standings(summary, dataset, judged(summary.protocol, kind))
    if not found:
        return "Ours and another method were not both run here, so nothing is compared."
    behind = [each for each in found if each.behind]
    ours = compared_variant(summary, dataset)
    told = _told(f"Ours ({ours})", found)
    if ours != HEADLINE:
        told = f"What users get without settings ({HEADLINE}) was not run on these rows. {told}"
    return f"{told} {_beside(summary, dataset, behind)}" if behind else told


def tuned_sentences(summary: Summary, dataset: str, kind: TableKind) -> str:
    """The same of the variant that was tuned for the protocol, where it is not the one that is compared anyway."""
    if compared_variant(summary, dataset) == TUNED:
        return ""
    found = standings(summary, dataset, judged(summary.protocol, kind), ours=TUNED)
    return _told(f"Tuned for this protocol ({TUNED}), it", found) if found else ""


def beyond_sentences(summary: Summary, dataset: str) -> str:
    """The same of what people see and the protocol does not measure."""
    columns = [column for column in EXTRAS[summary.protocol] if column.path[-1] in BEYOND]
    found = standings(summary, dataset, columns)
    return _told("In what people see and the protocol does not measure, ours", found) if found else ""


def _told(who: str, found: Sequence[Standing]) -> str:
    """Where it is ahead of all others, level with the best of them, and behind."""
    ahead, behind = [each for each in found if each.ahead], [each for each in found if each.behind]
    level = [each.column.title for each in found if each not in ahead and each not in behind]
    wins = f"{who} is ahead of every other method in {_listed(ahead)}" if ahead else f"{who} leads nowhere"
    wins += f", {'and' if ahead else 'but is'} level with the best in {_joined(level)}." if level else "."
    return f"{wins} It is behind in {_listed(behind) if behind else 'nothing'}."


def _beside(summary: Summary, dataset: str, behind: Sequence[Standing]) -> str:
    entries = {str(entry.variant): entry for entry in summary.on(dataset) if entry.results}
    facts = {name: _facts(summary.protocol, entry) for name, entry in entries.items()}
    methods = dict.fromkeys(standing.method for standing in behind)
    told = [f"{name}: {facts[name]}" for name in (*methods, str(compared_variant(summary, dataset)))]
    return f"Measured beside it: {'; '.join(told)}."


def _facts(protocol: ProtocolName, entry: Entry) -> str:
    """How much an answer changes, and how many places of the table got a valid one."""
    changes = next(column for column in EXTRAS[protocol] if column.path[-1] == "changes")
    validity = next(column for column in TABLES[protocol][0].columns if column.path[-1] == "validity")
    texts = []
    for column, words in ((changes, "changes an answer"), (validity, "validity")):
        spread = entry.spread(column.of_result)
        texts.append(f"{'n/a' if spread is None else column.text(spread.mean)} {words}")
    return ", ".join(texts)


def verdict_table(summary: Summary) -> Table:
    """What we ask of our own method, on every data set: met or not."""
    return _verdicts_a(summary) if summary.protocol == "a" else _verdicts_b(summary)


def _judged_variants(summary: Summary) -> Iterator[tuple[str, Variant, str]]:
    """On each data set what users get, and what was tuned for the protocol, as far as run, and what a row is called."""
    for dataset in summary.datasets:
        run = {entry.variant for entry in summary.on(dataset) if entry.results}
        for ours in [each for each in (HEADLINE, TUNED) if each in run] or [HEADLINE]:
            yield dataset, ours, f"{CARDS[dataset].title}: {ours.preset}, {ours.selection}"


def _verdicts_a(summary: Summary) -> Table:
    rows = []
    for dataset, ours, name in _judged_variants(summary):
        columns = judged("a", TABLES["a"][0])
        found = {each.column.path[-1]: each for each in standings(summary, dataset, columns, ours=ours)}
        mean = found.get("harmonic_mean")
        if mean is None:
            rows.append([name, "not run", "", "", ""])
            continue
        limits = (("validity", 99.5), ("coverage", 99.5), ("unary", 100.0))
        kept = [f"{found[limit].ours:.2f}: {_met(found[limit].ours >= least)}" for limit, least in limits]
        against = f"{mean.ours:.2f} against {mean.other:.2f} ({mean.method}): {_met(mean.ahead)}"
        rows.append([name, against, *kept])
    bars = ("Highest harmonic mean", "Validity at least 99.5", "Coverage at least 99.5", "Unary constraints 100")
    return Table(["Data set", *bars], rows, text_columns=5)


def _verdicts_b(summary: Summary) -> Table:
    rows = []
    for dataset, ours, name in _judged_variants(summary):
        others = [str(e.variant) for e in summary.on(dataset) if e.results and e.variant.method != OURS]
        for kind in TABLES["b"]:
            beside = partial(standings, summary, dataset, judged("b", kind), ours=ours)
            beaten = [other for other in others if _as_good(beside(against=other))]
            better = [each.column.title for each in beside(against=STRONGEST) if each.ahead]
            nobody = f"{', '.join(beaten) or 'nobody'}: {_met(not beaten)}"
            named = f"{len(better)} ({_joined(better)}): {_met(len(better) >= 3)}"
            rows.append([name, kind.columns[0].path[0], nobody, named])
    columns = len(JUDGED["b"])
    header = [
        "Data set",
        "Convention",
        f"As good as ours in all {columns}",
        f"Ours better than {STRONGEST}, at least 3",
    ]
    return Table(header, rows, text_columns=4)


def _as_good(found: Sequence[Standing]) -> bool:
    """Whether the other is at least as good as ours in every judged column."""
    return bool(found) and not any(each.ahead for each in found)


def _met(holds: bool) -> str:  # noqa: FBT001
    return "met" if holds else "missed"


def _listed(found: Iterable[Standing]) -> str:
    return _joined([str(each) for each in found])


def _joined(texts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(texts[:-1]), *texts[-1:]))) or "nothing"

"""The tables around the numbers: what is missing, what was explained, by whose classifier, at what cost."""

from collections.abc import Iterable, Mapping
from statistics import mean, stdev
from typing import Any, Literal

from counterflownet_bench.as_published.reading import READINGS
from counterflownet_bench.benchmark.cell import Result
from counterflownet_bench.benchmark.document import Block, Paragraph, Shown, Table
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.summary import Entry, Hole, Summary

MEGABYTE = 2**20


def hole_blocks(summary: Summary) -> list[Block]:
    """Every cell without numbers and why, or one sentence that there is none."""
    warnings = _warnings(summary)
    if not summary.holes:
        return [Paragraph("Every cell is there."), *warnings]
    rows = [
        [dataset, method, ", ".join(map(str, seeds)), reason]
        for (dataset, method, reason), seeds in _grouped(summary.holes).items()
    ]
    failed, refused = (sum(getattr(hole, kind) for hole in summary.holes) for kind in ("failed", "refused"))
    counted = (
        f"{len(summary.holes)} cells have no numbers ({failed} failed, {refused} are none that their method claims to "
        f"explain, {len(summary.holes) - failed - refused} were not run):"
    )
    return [Paragraph(counted), Table(["Data set", "Method", "Seeds", "Why"], rows, text_columns=4), *warnings]


def code_blocks(results: Iterable[Result], code: Mapping[str, str]) -> list[Block]:
    """By which code results were made: as it was when the report was written, other code, or unknown."""
    by_kind: dict[str, list[Result]] = {"this": [], "other": [], "unknown": []}
    for result in results:
        by_kind[whose_code(result.get("code"), result["method"], result["cell"]["preset"], code)].append(result)
    told = ", ".join(f"{part} {digest}" for part, digest in code.items())
    words = {
        "this": "were made by the code that decides such results as it was when this report was written",
        "other": "were made by other code, so that today's may give other numbers",
        "unknown": "do not say by which code they were made",
    }
    counted = [f"{len(found)} {words[kind]}" for kind, found in by_kind.items() if found]
    return [Paragraph(f"Code ({told}): of {sum(map(len, by_kind.values()))} cells, {'; '.join(counted) or 'none'}.")]


def whose_code(
    made_by: Mapping[str, str] | None, method: str, preset: str, code: Mapping[str, str]
) -> Literal["this", "other", "unknown"]:
    """Whether a result was made by ``code``, as far as it decides results of its method; unknown if it does not say."""
    if made_by is None:
        return "unknown"
    part = deciding_part(method, preset)
    if part == "bench" and "method" in made_by and method in code:  # whatever was changed of other methods
        return "this" if made_by["method"] == code[method] else "other"
    return "this" if made_by.get(part) == code[part] else "other"


def deciding_part(method: str, preset: str) -> str:
    """Which part of the code decides results of a method above all."""
    if method != OURS:
        return "bench"
    return "paper" if preset in READINGS else "library"


def _warnings(summary: Summary) -> list[Block]:
    """Where settings differ between seeds, or from those that the method has today."""
    mixed = [entry for entry in summary.entries if entry.mixed()]
    outdated = [entry for entry in summary.entries if entry.outdated()]
    said = (
        (mixed, "seeds were not all run under the same settings"),
        (outdated, "settings have changed since these were run"),
    )
    return [Paragraph(f"Mind: {words}: {_named(entries)}.") for entries, words in said if entries]


def _named(entries: Iterable[Entry]) -> str:
    datasets: dict[str, list[str]] = {}
    for entry in entries:
        datasets.setdefault(entry.label, []).append(entry.dataset)
    return "; ".join(f"{label} ({', '.join(names)})" for label, names in datasets.items())


def instance_table(summary: Summary) -> Table:
    """How many rows were explained in each direction, and whether the data is the published one."""
    found: dict[tuple[str, ...], list[int]] = {}
    for result in _whole(summary):
        key = (result["dataset"], _directions(result), _origin(result["data"]), str(result["instances"]))
        found.setdefault(key, []).append(result["seed"])
    rows: list[list[Shown | str]] = [[*key[:3], _seeds(seeds), key[3]] for key, seeds in found.items()]
    rows += [[dataset, "not run", "", "", "0"] for dataset in _without(summary)]
    return Table(["Data set", "Directions", "Rows", "Seeds", "Instances"], rows, text_columns=4)


def direction_table(summary: Summary) -> Table:
    """Validity and coverage by direction, the means over seeds, since one direction may hide behind the other."""
    rows: list[list[str]] = []
    for entry in summary.entries:
        ways: dict[str, list[Mapping[str, Any]]] = {}
        for way in (way for result in entry.results.values() for way in result["directions"]):
            ways.setdefault(f"{way['from']} → {way['to']}", []).append(way)
        for name, found in ways.items():
            count = " or ".join(str(number) for number in sorted({way["instances"] for way in found}))
            shares = [f"{mean(way[share] for way in found):.2%}" for share in ("validity", "coverage")]
            rows.append([f"{entry.dataset}: {entry.label}", name, count, *shares])
    return Table(["Data set: method", "Direction", "Instances", "Validity ↑", "Coverage ↑"], rows, text_columns=2)


def classifier_table(summary: Summary) -> Table:
    """The test accuracy of the classifiers that were explained, beside the published one."""
    rows: list[list[Shown | str]] = []
    for dataset in summary.datasets:
        by_seed = {r["seed"]: r["classifier"] for r in _whole(summary) if r["dataset"] == dataset}
        if not by_seed:
            rows.append([dataset, "not run", "", ""])
            continue
        facts = list(by_seed.values())
        published = facts[0].get("published")
        told = "none" if published is None else f"{published:.2%}"
        rows.append([dataset, _accuracies([fact["accuracy"] for fact in facts]), told, _seeds(by_seed)])
    return Table(["Data set", "Test accuracy", "Published", "Seeds"], rows)


def cost_table(summary: Summary) -> Table:
    """Time, steps and memory, as means over seeds."""
    header = [
        "Data set: method",
        "Fit, s",
        "Explain, s",
        "ms per instance",
        "Steps",
        "Ended by",
        "Peak, MB",
        "Outcomes",
    ]
    return Table(header, [_cost(entry) for entry in summary.entries if entry.results])


def _cost(entry: Entry) -> list[str]:
    results = list(entry.results.values())
    fit, explain = (mean(result["seconds"][part] for result in results) for part in ("fit", "explain"))
    each = 1000 * mean(result["seconds"]["explain"] / result["instances"] for result in results)
    peaks = [peak for result in results if (peak := result["memory"]["peak_bytes"]) is not None]
    steps = [step for result in results if (step := result["training"].get("steps")) is not None]
    ended = dict.fromkeys(str(result["training"].get("ended", "")) for result in results)
    return [
        f"{entry.dataset}: {entry.label}",
        f"{fit:.1f}",
        f"{explain:.1f}",
        f"{each:.1f}",
        f"{mean(steps):.0f}" if steps else "none",
        ", ".join(filter(None, ended)) or "none",
        f"{max(peaks) / MEGABYTE:.0f}" if peaks else "n/a",
        _outcomes(results),
    ]


def _outcomes(results: Iterable[Result]) -> str:
    total: dict[str, int] = {}
    for result in results:
        for name, count in result["outcomes"].items():
            total[name] = total.get(name, 0) + count
    return ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in sorted(total.items()))


def _grouped(holes: Iterable[Hole]) -> dict[tuple[str, str, str], list[int]]:
    found: dict[tuple[str, str, str], list[int]] = {}
    for hole in holes:
        reason = f"failed: {hole.reason}" if hole.failed else hole.reason
        found.setdefault((hole.dataset, str(hole.variant), reason), []).append(hole.seed)
    return found


def _whole(summary: Summary) -> list[Result]:
    return [result for entry in summary.entries for result in entry.results.values()]


def _without(summary: Summary) -> list[str]:
    there = {result["dataset"] for result in _whole(summary)}
    return [dataset for dataset in summary.datasets if dataset not in there]


def _directions(result: Result) -> str:
    return "; ".join(f"{way['from']} → {way['to']}: {way['instances']}" for way in result["directions"])


def _origin(data: Mapping[str, Any]) -> str:
    published = "as published" if data["as_published"] else "not the published rows"
    return f"{data['train']} train, {data['test']} test, {published}"


def _seeds(seeds: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(set(seeds))))


def _accuracies(values: list[float]) -> str:
    return f"{mean(values):.2%}" + (f" ± {stdev(values):.2%}" if len(values) > 1 else "")

"""The section of the performance page on how cost grows; see :mod:`growth`."""

from typing import Any

from common import latest, table, verdict
from growth_series import BASE, SERIES

PHRASES = {
    "columns": "{:,} columns",
    "rows": "{:,} training rows",
    "bins": "{:,} bins",
    "categories": "{:,} categories",
    "samples": "`samples={}`",
    "count": "`count={}`",
    "rounds": "`rounds={}`",
    "chunk_rows": "`chunk_rows={}`",
    "explained": "{:,} rows explained",
    "steps": "{:,} training steps",
}
LINEAR = 1.1
HEADINGS = {
    "fit_seconds": "fit, s",
    "outside_seconds": "fit without its steps, s",
    "milliseconds_per_step": "training step, ms",
    "milliseconds_per_row": "explaining a row, ms",
    "explain_seconds": "explaining all, s",
    "changes": "changes in training",
    "answers_per_row": "answers a row",
    "peak_mb": "peak memory, MB",
    "grown_mb": "beyond imports, MB",
    "core_share": "share of a core",
}


def cell(name: str, value: float | None) -> str:
    """A number with as many digits as say something."""
    if value is None:
        return ""
    if name == "core_share":
        return f"{value:.0%}"
    return f"{value:,.0f}" if value >= 100 or name.endswith("_mb") else f"{value:.3g}"


def series_table(result: dict[str, Any]) -> str:
    """The points that were reached, then the exponents."""
    series = SERIES[result["series"]]
    reached = [told for told in result["points"] if "failed" not in told]
    rows = [[f"{told['size']:,}", *(cell(name, told[name]) for name in series.shown)] for told in reached]
    for key, title in (("all", "exponent"), ("last", "exponent of the last two")):
        found = [result["exponents"].get(name, {}).get(key) for name in series.shown]
        rows.append([title, *("" if number is None else f"{number:.2f}" for number in found)])
    return table([series.title, *(HEADINGS[name] for name in series.shown)], rows)


def not_reached(result: dict[str, Any]) -> str:
    """The sizes that the series is meant to have and has not, each with its reason."""
    failed = {told["size"]: told["failed"] for told in result["points"] if "failed" in told}
    tried = {told["size"] for told in result["points"]}
    gone = failed | {size: "not tried" for size in SERIES[result["series"]].sizes if size not in tried}
    told = "; ".join(f"{size:,} ({reason})" for size, reason in sorted(gone.items()))
    return f"Not reached: {told}." if gone else "Every size was reached."


def memory_text(memory: dict[str, Any] | None) -> str:
    """The growth of the peak beside what has to be held."""
    if memory is None:
        return ""
    names = {"table_bytes_per_row": "the given table", "result_bytes_per_row": "the result"}
    held = {told: memory[name] for name, told in names.items() if name in memory}
    listed = ", ".join(f"{count:.0f} in {told}" for told, count in held.items())
    times = memory["grown_bytes_per_row"] / sum(held.values())
    return (
        f"From {memory['from']:,} to {memory['to']:,} rows the peak grew by {memory['grown_bytes_per_row']:.0f} bytes "
        f"a row, {times:.1f} times what a row has ({listed}; words count as pointers)."
    )


def base_text(base: dict[str, Any]) -> str:
    """Sizes in words."""
    return ", ".join(PHRASES[name].format(value) for name, value in base.items() if name in PHRASES and value)


def conditions(result: dict[str, Any]) -> str:
    """Where the base of this series is another, and what ran beside it."""
    other = base_text({name: value for name, value in result["base"].items() if value != BASE[name]})
    loads = [told["load"] for told in result["points"] if "load" in told]
    load = f"load {min(loads):.1f} to {max(loads):.1f}, this run included" if loads else "nothing measured"
    return f"{f'Here: {other}. ' if other else ''}{result['cores']} cores, {result['threads']} thread, {load}."


def bar(result: dict[str, Any] | None) -> str:
    """Whether time and memory stay linear in the rows explained, over all points and at the largest."""
    told = f"Bar: nothing grows faster than linearly in rows explained: exponent <= {LINEAR}"
    found = [] if result is None else [value for kind in result["exponents"].values() for value in kind.values()]
    known = [value for value in found if value is not None]
    return verdict(told, met=max(known) <= LINEAR if known else None)


def series_section(name: str, result: dict[str, Any] | None) -> str:
    """The table of one series and what is to be known of it."""
    if result is None:
        return f"### By {SERIES[name].title}\n\nNot measured."
    told = [conditions(result), memory_text(result.get("memory")), not_reached(result)]
    return f"### By {SERIES[name].title}\n\n{series_table(result)}\n\n{' '.join(filter(None, told))}"


def section(results: list[dict[str, Any]]) -> str:
    """The newest line of each series as Markdown."""
    newest = {result["series"]: result for result in latest(results, "series")}
    opening = f"""## How cost grows

One size at a time, each point in a process of its own. Unless something else is said, the sizes are:
{base_text(BASE)}.
Columns hold numbers and words by turns, and the classifier is one line of numpy. The flow stays as it begins, unless it
is said to learn: a step costs what it costs but changes nothing, so that trajectories are as long at all sizes.

Seconds are those of the processor with one thread; the share of a core says how much of the clock they were, the rest
went to what ran beside. Memory is the peak of the process, and how far that is above the one after all imports and a
tiny fit. The exponent is that of a power law, by least squares on logarithms: 1 is linear, and below 1 a constant part
is still to be seen. Made by
`python bench/scripts/growth.py`."""
    parts = [series_section(name, newest.get(name)) for name in SERIES]
    return "\n\n".join([opening, *parts, bar(newest.get("rows_explained"))]) + "\n"

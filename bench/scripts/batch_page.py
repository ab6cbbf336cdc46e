"""The section of the performance page on many rows, and what more of them would take; see :mod:`batch`."""

import math
from typing import Any

from common import circumstances, latest, table, verdict

Line = dict[str, Any]
NIGHT = 8.0  # hours
PLANNED = (10**7, 10**9)
MOST_SLOWER, FLAT = 1.10, 1.10
MS_PER_HOUR = 3_600_000.0
BYTES_PER_ID = 9  # a hash, and whether it equals the one before


def run_table(runs: list[Line]) -> str:
    """Speed and memory of every size."""
    names = ["rows", "need an answer", "done", "processes", "rows a second", "CPU ms a row", "starts, CPU s", "answers"]
    names += ["peak of a process, MB", "peak of the first, MB", "sessions", "same: neighbours", "same: a sample"]
    return table(names, map(_run_cells, runs))


def _run_cells(run: Line) -> list[str]:
    return [
        f"{run['rows']:,}",
        "all" if run["declined"] is None else f"{run['declined']:.0%}",
        f"{run['explained']:,}",
        f"{run['workers']}",
        f"{run['rows_per_second']:,.0f}",
        f"{run['cpu_ms_per_row']:.2f}",
        f"{run['start_cpu_seconds']:.0f}",
        f"{run['answers']:,}",
        f"{run['peak_mb']:,.0f}",
        "" if run["driver_peak_mb"] is None else f"{run['driver_peak_mb']:,.0f}",
        f"{run['sessions']}",
        f"{run['same_batch']:.2%} of {run['batch_answers']:,}",
        f"{run['same_sample']:.2%} of {run['sample_answers']:,}",
    ]


def share_table(runs: list[Line]) -> str:
    """What the processor did."""
    phases = list(dict.fromkeys(phase for run in runs for phase in run["shares"]))
    named = ([_named(run), *(f"{run['shares'].get(phase, 0.0):.1%}" for phase in phases)] for run in runs)
    return table(["rows", *phases], named)


def _named(run: Line) -> str:
    share = run["declined"]
    return f"{run['rows']:,}" if share is None else f"{run['rows']:,}, {share:.0%} need an answer"


def bars(runs: list[Line], overhead: Line | None, kills: Line | None) -> str:
    """What had to hold, and whether it does."""
    told = [
        _flat([run for run in runs if run["declined"] is None]),
        _flat([r for r in runs if r["declined"] is not None]),
    ]
    slower = None if overhead is None else overhead["ratio"]
    measured = (
        ""
        if overhead is None or slower is None
        else (
            f": {slower - 1.0:+.1%} ({overhead['files_cpu_ms_per_row']:.2f} instead of "
            f"{overhead['memory_cpu_ms_per_row']:.2f} CPU ms, {overhead['rows']:,} rows, loading in neither)"
        )
    )
    told.append(
        f"- From file to file against one call in memory{measured}, bar "
        + verdict(f"<= {MOST_SLOWER - 1.0:.0%}", met=None if slower is None else slower <= MOST_SLOWER)
    )
    told.append(_kills_text(kills))
    return "\n".join(filter(None, told))


def _flat(runs: list[Line]) -> str:
    """Memory of the smallest and the largest of runs that differ in their size alone."""
    ordered = sorted(runs, key=lambda run: run["explained"])
    if len(ordered) < 2:
        return ""
    small, large = ordered[0], ordered[-1]
    grown = large["peak_mb"] / small["peak_mb"]
    what = "all need an answer" if small["declined"] is None else f"{small['declined']:.0%} need an answer"
    return (
        f"- Peak memory of a process at {large['explained']:,} rows against {small['explained']:,} ({what}): "
        f"{grown:.2f} times, bar {verdict(f'<= {FLAT:.2f}', met=grown <= FLAT)}"
    )


def _kills_text(kills: Line | None) -> str:
    if kills is None:
        return "- Killed five times at random: not measured"
    among = "; ".join(f"{one['of']} after {one['pieces_kept']} pieces" for one in kills["kills"])
    met = kills["equal"] and kills["ids_once"] and all(one["alive"] for one in kills["kills"])
    return (
        f"- {kills['rows']:,} rows in pieces of {kills['piece_rows']:,}, killed with `kill -9` {len(kills['kills'])} "
        f"times at random ({among}) and gone on with: sorted by id, byte for byte what the uninterrupted run left, and "
        f"every id once ({'met' if met else 'missed'})"
    )


def ray_text(ray: Line | None) -> str:
    if ray is None:
        return "Ray's overhead is not measured."
    return (
        f"Ray Data {ray['ray_version']} with one actor and the plain runner with one process, {ray['rows']:,} rows, "
        f"medians of {ray['turns']} turns, the start of the cluster not counted: {ray['ray_ms_per_row']:.2f} and "
        f"{ray['plain_ms_per_row']:.2f} ms a row by the clock, {ray['ray_cpu_ms_per_row']:.2f} and "
        f"{ray['plain_cpu_ms_per_row']:.2f} ms by the processor, all processes of Ray included. Both gave "
        f"{'the same' if ray['same_outcomes'] else 'different'} numbers of answers to every row."
    )


def plan(run: Line) -> str:
    """What larger tables would take, from what was measured."""
    rows = [_planned(run, count) for count in PLANNED]
    cores = run["cpu_ms_per_row"] / run["ids_ms_per_row"]
    told = ", ".join(f"{phase} {share:.0%}" for phase, share in run["shares"].items() if share >= 0.01)
    names = [
        "rows",
        "core hours",
        f"cores for {NIGHT:.0f} hours",
        "ids first, minutes",
        "memory for ids, GB",
        "read, GB",
        "written, GB",
    ]
    return f"""### What more rows would take

Every row costs the same, so the table is what was measured at {run["explained"]:,} rows, multiplied.

{table(names, rows)}

Rows are explained independently, so time falls with the number of cores. The first thing that does not is the look for
ids that are there twice, by one process before the others begin: it would take as long as all else with
{cores:,.0f} cores, and its memory is that of the table above. Until then it
is the processor: {told} of the time. The classifier is whatever you bring, and a slower one is slower here,
too. With Ray, Spark or Dask ids are not looked for, so that
nothing is done by one process alone.
"""


def _planned(run: Line, count: int) -> list[str]:
    hours = run["cpu_ms_per_row"] * count / MS_PER_HOUR
    times = count / run["rows"] / 1e9
    done = count / run["explained"] / 1e9
    return [
        f"{count:,}",
        f"{hours:,.0f}",
        f"{math.ceil(hours / NIGHT):,}",
        f"{run['ids_ms_per_row'] * count / 60_000:,.1f}",
        f"{BYTES_PER_ID * count / 1e9:,.2f}",
        f"{run['bytes_read'] * times:,.1f}",
        f"{run['bytes_written'] * done:,.1f}",
    ]


def section(results: list[Line]) -> str:
    """The newest line of every size and kind as Markdown."""
    runs = latest([one for one in results if one["kind"] == "run"], "rows", "declined", "workers")
    last = {
        kind: next((one for one in reversed(results) if one["kind"] == kind), None)
        for kind in ("overhead", "ray", "kills")
    }
    full = [run for run in runs if run["declined"] is None]
    parts = [
        f"""## Many rows, from Parquet to Parquet

Rows of Adult, drawn with replacement; five answers for each that needs one; the classifier of Protocol B. Where only a
few rows need an answer, the others are in the class that is asked for, so that what is left is the runner. CPU is the
time of the processor in all processes without what they take to start (the column after it); rows a second are by the
clock and say as much about what ran beside. Memory is the peak of the largest process. The last columns say which share
of answers one call of one process gives as well: for a thousand rows that follow each other, and for rows from all over
the table; beside other rows, matrix products may be rounded otherwise. {circumstances(results)}
Made by `python bench/scripts/batch.py run|overhead|ray|kills`.""",
        run_table(runs) if runs else "No run yet.",
        share_table(runs) if runs else "",
        bars(runs, last["overhead"], last["kills"]),
        ray_text(last["ray"]),
        plan(max(full, key=lambda run: run["explained"])) if full else "",
    ]
    return "\n\n".join(filter(None, parts)).rstrip() + "\n"

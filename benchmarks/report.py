"""Writes benchmarks/RESULTS.md from the newest result of each benchmark: python benchmarks/report.py."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def newest(name: str) -> dict[str, Any]:
    """The last line of a benchmark's results."""
    return json.loads((HERE / "results" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[-1])


def adult_section(result: dict[str, Any]) -> str:
    quality = result["quality"]
    rows = [
        ("rows explained", f"{result['rows']}", ""),
        ("accuracy of the classifier", f"{result['classifier_accuracy']:.2%}", ""),
        ("training", f"{result['fit_seconds']:.0f} s, {result['steps']} steps", "at most 5 minutes"),
        ("validity of 10 raw samples per row", f"{quality['raw_validity']:.2%}", ">= 95 %"),
        ("mean reward of raw samples", f"{quality['raw_reward']:.3f}", ""),
        ("changed columns per raw sample", f"{quality['raw_changes']:.2f} of 12", ""),
        ("validity of 10 selected from 100", f"{quality['selected_validity']:.2%}", "100 %"),
        ("rows with at least one answer", f"{quality['coverage']:.2%}", ">= 99.5 %"),
        ("answers found of those asked for", f"{quality['complete']:.2%}", ""),
        ("time per row, 10 answers, many rows", f"{quality['milliseconds_per_row']:.1f} ms", ""),
        ("time of one row alone, 10 answers (median)", f"{result['one_row_milliseconds']:.0f} ms", ""),
        ("raw samples that differ with another chunk size", f"{result['chunk_differences']:.3%}", ""),
    ]
    table = "\n".join(f"| {name} | {value} | {bar} |" for name, value, bar in rows)
    return f"""## Adult (Protocol B)

The paper's weights and bins, a scikit-learn network on standardised and one-hot columns, the objective
`{result["settings"]["training"]["objective"]}`, {result["threads"]} thread(s), version {result["version"]}. The
machine's
load over the 15 minutes up to the end of the run was {result["load"]:.1f}, this run included. Made by
`python benchmarks/adult.py`.

| what | measured | bar |
|---|---|---|
{table}

A row's random numbers do not depend on the rows beside it. What is left is the rounding of matrix products, which
depends on how many rows they have: the last line says how often that turns a draw.
"""


def verdict(bar: str, value: float | None, *, met: bool) -> str:
    """The bar with what became of it, so that a missed one is not to be overlooked."""
    return f"{bar} ({'not measured' if value is None else 'met' if met else 'missed'})"


def speed_rows(result: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What was measured of ours, with the two bars."""
    ours, alone, faster = result["ours"], result["ours"]["alone"], result["ratios"]["random"]["per_row"]
    median, p90 = 1000 * alone["median_seconds"], 1000 * alone["p90_seconds"]
    rows = f"{ours['rows']} rows in one call"
    return [
        ("training, once", f"{result['fit_seconds']:.0f} s, {result['steps']} steps", ""),
        (f"time per row, {rows}", f"{1000 * ours['seconds_per_row']:.1f} ms", ""),
        (
            "dice-ml random takes so many times as long per row",
            "" if faster is None else f"{faster:.1f}",
            verdict(">= 100", faster, met=faster is not None and faster >= 100),
        ),
        (
            f"time of one row alone, median of {alone['rows']}",
            f"{median:.1f} ms",
            verdict("<= 50 ms", median, met=median <= 50),
        ),
        ("time of one row alone, 90th percentile", f"{p90:.1f} ms", ""),
        ("answers found of those asked for", f"{ours['answers'] / (result['asked'] * ours['rows']):.2%}", ""),
        ("valid of those found", f"{ours['valid'] / max(ours['answers'], 1):.2%}", ""),
    ]


def dice_line(method: str, result: dict[str, Any], ratio: dict[str, float | None]) -> str:
    """One method of dice-ml; a failure is a line too."""
    if result["failed"]:
        reason = result["failed"].replace("|", "/").replace("\n", " ")  # either would end the cell
        return f"| {method} | {result['rows']} | failed: {reason} | | | | | | |"
    times = [f"{1000 * result[key]:.0f} ms" for key in ("seconds_per_row", "median_seconds", "p90_seconds")]
    rows = f"{result['rows']}, then out of time" if result["cut_off"] else f"{result['rows']}"
    valid = f"{result['valid'] / max(result['answers'], 1):.2%}"
    counts = [f"{result['answers'] / result['rows']:.2f}", valid, f"{ratio['per_row']:.1f}", f"{ratio['alone']:.1f}"]
    return f"| {method} | {' | '.join([rows, *times, *counts])} |"


def dice_errors(results: dict[str, Any]) -> str:
    """What dice-ml raised, and in how many rows; such rows count with their time and no answers."""
    raised = [(method, *error) for method, result in results.items() for error in result.get("errors", {}).items()]
    if raised:
        return "\n".join(f"- {method}, {count} row(s): {' '.join(text.split())}" for method, text, count in raised)
    return "" if any(result["failed"] for result in results.values()) else "No row of dice-ml raised an error."


def conditions(result: dict[str, Any]) -> str:
    """Classifier, machine and versions, in one paragraph."""
    versions = next((told["versions"] for told in result["dice"].values() if "versions" in told), {})
    before, after = result["load_before"][0], result["load_after"][0]
    return f"""{result["asked"]} answers per row, the defaults of both libraries, all columns may change, the same
scikit-learn pipeline (accuracy {result["classifier_accuracy"]:.2%}), the same machine in the same run:
{result["cores"]} cores, {result["threads"]} thread(s), load {before:.1f} before and {after:.1f} after, this run
included. Version {result["version"]}{"".join(f", {name} {number}" for name, number in versions.items())}. Made by
`python benchmarks/speed.py`."""


def speed_section(result: dict[str, Any]) -> str:
    table = "\n".join(f"| {name} | {value} | {bar} |" for name, value, bar in speed_rows(result))
    theirs = "\n".join(dice_line(key, told, result["ratios"][key]) for key, told in result["dice"].items())
    return f"""## Speed on Adult against dice-ml

{conditions(result)}

| what | measured | bar |
|---|---|---|
{table}

dice-ml explains one row after the other and needs no training. Each method had {result["dice_minutes"]:g} minutes. The
last two columns say how many times as long as ours it takes: per row of many (means), and for one row alone (medians).

| dice-ml | rows | mean | median | 90th percentile | answers per row | valid | times ours, many | times ours, one |
|---|---|---|---|---|---|---|---|---|
{theirs}

{dice_errors(result["dice"])}
"""


def main() -> None:
    text = (
        "# Results\n\nGenerated by `python benchmarks/report.py` from `benchmarks/results/`; not written by hand.\n\n"
    )
    sections = [adult_section(newest("adult"))]
    if (HERE / "results" / "speed.jsonl").exists():
        sections.append(speed_section(newest("speed")))
    (HERE / "RESULTS.md").write_text(text + "\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()

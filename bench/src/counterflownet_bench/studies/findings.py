"""Sentences that are made of numbers, so that no page says what was not measured."""

from collections.abc import Mapping, Sequence
from typing import Any

from counterflownet_bench.studies.seeds import seeds_words

NOTHING = "nothing was measured yet."
LEAST = 0.01  # relative: what changes less is called the same


def between(values: Sequence[float | None], *, percent: bool = False) -> str:
    """The smallest and the largest, or the one that all are."""
    known = [value for value in values if value is not None]
    if not known:
        return "none"
    low, high = (_number(value, percent=percent) for value in (min(known), max(known)))
    return f"{low}{' %' if percent else ''}" if low == high else f"{low} to {high}{' %' if percent else ''}"


def course(words: str, values: Mapping[int, float | None], unit: str) -> str:
    """Where a measure begins and ends, whether all the way in one direction, and where it is highest if not."""
    known = sorted((place, value) for place, value in values.items() if value is not None)
    if not known:
        return f"{words} is not defined anywhere"
    (first, begin), (last, end) = known[0], known[-1]
    if first == last:
        return f"{words} is {_number(begin)} with {first} {unit}"
    height = [value for _, value in known]
    verb = "stays near" if abs(end - begin) <= LEAST * max(map(abs, height)) else "falls" if end < begin else "rises"
    way = f"{words} {verb} from {_number(begin)} with {first} {unit} to {_number(end)} with {last}"
    if verb == "stays near":
        way = f"{words} is {_number(begin)} with {first} {unit} and {_number(end)} with {last}"
    if height in (sorted(height), sorted(height, reverse=True)):
        return way
    peak, most = max(known, key=lambda entry: entry[1])
    low, least = min(known, key=lambda entry: entry[1])
    return f"{way}, not steadily: it is highest with {peak} ({_number(most)}) and lowest with {low} ({_number(least)})"


def samples_words(results: Sequence[Mapping[str, Any]]) -> str:
    """How many rows were explained with how many answers and seeds, under which preset."""
    if not results:
        return ""
    rows = " or ".join(map(str, sorted({result["instances"] for result in results})))
    counts = " or ".join(map(str, sorted({result["question"]["count"] for result in results})))
    presets = " and ".join(f"`{name}`" for name in dict.fromkeys(result["question"]["preset"] for result in results))
    steps = " or ".join(map(str, sorted({result["settings"]["training"]["steps"] for result in results})))
    samples = " or ".join(map(str, sorted({result["settings"]["samples"] for result in results})))
    return (
        f"Measured with {seeds_words(results)} on {rows} test rows with {counts} answers each (the selected ones: of "
        f"{samples} samples), preset {presets}, at most {steps} steps of training; exact metrics on decoded "
        "rows, convention `zscore` unless said otherwise (a number counts as moved if it did by more than 0.05 "
        "standard deviations)."
    )


def _number(value: float, *, percent: bool = False) -> str:
    return f"{100 * value:.1f}" if percent else f"{value:.3f}"

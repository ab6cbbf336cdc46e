"""What our variants were told that users do not tell: every setting that differs from the library's defaults."""

from collections.abc import Iterator, Mapping
from typing import Any

from counterflownet_bench.as_published.reading import READINGS
from counterflownet_bench.benchmark.cell import Result
from counterflownet_bench.benchmark.document import Table
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.presets import library_defaults
from counterflownet_bench.benchmark.scoring import plain_json
from counterflownet_bench.benchmark.summary import Summary

BESIDE = ("name", "constraints", "classifier")  # no settings of the method


def settings_table(summary: Summary) -> Table:
    """A line for each of our presets on each data set where its settings are others than on the one before."""
    rows: list[list[str]] = []
    for preset in dict.fromkeys(variant.preset for variant in summary.variants if variant.method == OURS):
        for told, datasets in _told(summary, preset).items():
            rows.append([preset, ", ".join(datasets), told])
    return Table(["Preset", "Data sets", "Set (library's default in brackets)"], rows, text_columns=3)


def _told(summary: Summary, preset: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in summary.entries:
        if (entry.variant.method, entry.variant.preset) == (OURS, preset):
            for told in dict.fromkeys(_differences(result) for result in entry.results.values()):
                names = found.setdefault(told, [])
                names += [entry.dataset] if entry.dataset not in names else []
    return found


def _differences(result: Result) -> str:
    settings = {name: value for name, value in result["settings"].items() if name not in BESIDE}
    if result["cell"]["preset"] in READINGS and "reading" in settings:
        return "the paper's method: " + ", ".join(f"{name} {value}" for name, value in _flat(settings))
    shipped = dict(_flat(plain_json(library_defaults().to_json())))
    others = [(name, value) for name, value in _flat(settings) if name in shipped and value != shipped[name]]
    told = ", ".join(f"{name} {value} ({shipped[name]})" for name, value in others)
    return told or "nothing: these are the defaults"


def _flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.")
        elif name != "name":
            yield f"{above}{name}", value

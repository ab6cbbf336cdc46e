"""Writes the bounds of Protocol A's harmonic mean: python bench/scripts/bounds.py."""

import json
from pathlib import Path

from counterflownet_bench.benchmark import bound
from counterflownet_bench.datasets import load_benchmark, protocol_names


def main() -> None:
    found = {name: round(bound.harmonic_bound(load_benchmark(name)), 4) for name in protocol_names("a")}
    text = json.dumps(found, indent=2) + "\n"
    Path(bound.__file__).with_name("bounds.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

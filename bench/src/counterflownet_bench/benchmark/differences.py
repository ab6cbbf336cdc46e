"""Where other methods differ from what was published: told wherever their numbers are."""

import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from counterflownet_bench.benchmark.document import Block, Heading, Table


@dataclass(frozen=True, slots=True)
class Difference:
    """What is said ``of`` some publications, and the names of the methods that it concerns."""

    of: tuple[str, ...]
    methods: frozenset[str]
    text: str


@cache
def differences() -> tuple[Difference, ...]:
    """All that is known."""
    told = files("counterflownet_bench.benchmark").joinpath("differences.toml").read_text(encoding="utf-8")
    return tuple(
        Difference(tuple(one["of"]), frozenset(one["methods"]), " ".join(one["text"].split()))
        for one in tomllib.loads(told)["difference"]
    )


def difference_blocks(methods: Collection[str]) -> list[Block]:
    """A table of what is known of these methods, if anything is."""
    rows = [[", ".join(one.of), one.text] for one in differences() if not one.methods.isdisjoint(methods)]
    if not rows:
        return []
    return [
        Heading("Where other methods differ from what was published", 3),
        Table(["Method", "What differs: it"], rows, text_columns=2),
    ]

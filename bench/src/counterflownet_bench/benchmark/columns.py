"""The metrics that a protocol's tables show: under which name, to how many digits, and which way is better."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from counterflownet_bench.datasets.card import ProtocolName


@dataclass(frozen=True, slots=True)
class Column:
    """One metric. ``path`` leads to it inside a result's ``metrics``; its last part is the name the paper's row has."""

    title: str
    path: tuple[str, ...]
    higher: bool
    digits: int = 3

    @property
    def heading(self) -> str:
        return f"{self.title} {'↑' if self.higher else '↓'}"

    @property
    def direction(self) -> str:
        return "higher is better" if self.higher else "lower is better"

    def value(self, metrics: Mapping[str, Any]) -> float | None:
        """The value in a result's metrics; None if there is none, or none that is defined."""
        found: Any = metrics
        for part in self.path:
            found = found.get(part) if isinstance(found, Mapping) else None
        return None if found is None else float(found)

    def of_result(self, result: Mapping[str, Any]) -> float | None:
        return self.value(result["metrics"])

    def published(self, row: Mapping[str, float]) -> float | None:
        return row.get(self.path[-1])

    def text(self, value: float, *, printed: bool = False) -> str:
        """The number as a table shows it; the paper's have two digits."""
        return f"{value:.{2 if printed else self.digits}f}"


@dataclass(frozen=True, slots=True)
class TableKind:
    """One table for each data set of a protocol."""

    title: str
    columns: tuple[Column, ...]


def _mixed(convention: str) -> tuple[Column, ...]:
    shown = (
        ("Validity", "validity", True),
        ("Prox.-Cont.", "proximity_continuous", False),
        ("Spars.-Cat.", "sparsity_categorical", False),
        ("ε-Spars.", "epsilon_sparsity", False),
        ("log LOF", "lof", False),
        ("Diversity", "diversity", True),
        ("Changed, all", "sparsity_all", False),
    )
    return tuple(Column(title, (convention, name), higher) for title, name, higher in shown)


_CODED = (
    Column("Sparsity", ("sparsity",), higher=True, digits=2),
    Column("Diversity", ("diversity",), higher=True, digits=2),
    Column("H. mean", ("harmonic_mean",), higher=True, digits=2),
    Column("Validity", ("validity",), higher=True, digits=2),
    Column("Coverage", ("coverage",), higher=True, digits=2),
    Column("Unary", ("unary",), higher=True, digits=2),
)

TABLES: Mapping[ProtocolName, Sequence[TableKind]] = MappingProxyType(
    {
        "a": (TableKind("in percent", _CODED),),
        "b": (
            TableKind("convention `zscore`: mean |z|, 0.05 deviations", _mixed("zscore")),
            TableKind("convention `range`: sums over min-max scaled numbers, 0.05 ranges", _mixed("range")),
        ),
    }
)

# What is measured beside the protocol's own metrics.
EXTRAS: Mapping[ProtocolName, Sequence[Column]] = MappingProxyType(
    {
        "a": (
            Column("Valid of returned, %", ("validity_returned",), higher=True, digits=2),
            Column("Coverage, %", ("coverage",), higher=True, digits=2),
            Column("Minimal, %", ("minimality",), higher=True, digits=1),
            Column("Training rows, %", ("training_rows",), higher=False, digits=1),
            Column("Changes", ("changes",), higher=False, digits=2),
            Column("Tight, share", ("tightness",), higher=True),
            Column("Strategies", ("strategies",), higher=True, digits=2),
        ),
        "b": (
            Column("Valid of returned", ("validity_returned",), higher=True),
            Column("Coverage", ("coverage",), higher=True),
            Column("Minimal", ("minimality",), higher=True),
            Column("Training rows", ("training_rows",), higher=False),
            Column("Changes", ("changes",), higher=False, digits=2),
            Column("Tight, share", ("tightness",), higher=True),
            Column("Strategies", ("strategies",), higher=True, digits=2),
        ),
    }
)

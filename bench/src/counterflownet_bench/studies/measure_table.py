"""Tables of Protocol B's measures, a row for each thing that was tried."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from counterflownet_bench.benchmark.columns import Column
from counterflownet_bench.benchmark.document import Shown, Table
from counterflownet_bench.benchmark.summary import Spread

Metrics = Mapping[str, Any]


def measure_table(
    names: Sequence[str],
    rows: Sequence[tuple[Sequence[str], Sequence[Metrics], Sequence[str]]],
    columns: Sequence[Column],
    more: Sequence[str] = (),
) -> Table:
    """``rows``: what it is called, the metrics of its seeds, and what else is told of it (under ``more``)."""
    lines: list[Sequence[Shown | str]] = [
        [*called, *(spread_text(values, column) for column in columns), *told] for called, values, told in rows
    ]
    header = [*names, *(column.heading for column in columns), *more]
    return Table(header, lines, text_columns=len(names))


def spread_text(values: Sequence[Metrics], column: Column) -> str:
    """A measure over seeds, with as many digits as its column has."""
    return mean_text([column.value(metrics) for metrics in values], column.text)


def mean_text(values: Sequence[float | None], write: Callable[[float], str]) -> str:
    """The mean over seeds, with its deviation if there are several."""
    spread = Spread.over(values, asked=len(values))
    if spread is None:
        return "n/a"
    text = write(spread.mean)
    return text if spread.deviation is None else f"{text} ± {write(spread.deviation)}"


def printed_row(row: Mapping[str, float], columns: Sequence[Column]) -> list[str]:
    """Numbers of the paper under the same columns."""
    texts = []
    for column in columns:
        value = column.published(row)
        texts.append("" if value is None else column.text(value, printed=True))
    return texts

"""A result in one line, for those who watch."""

from counterflownet_bench.benchmark.cell import Cell, Result
from counterflownet_bench.benchmark.columns import TABLES


def result_line(result: Result) -> str:
    """The cell and its main numbers, or why there are none."""
    cell = Cell(**result["cell"])
    if "error" in result:
        return f"{cell}: FAILED: {' '.join(str(result['error']).split())}"
    shown = []
    for column in TABLES[cell.protocol][0].columns:
        value = column.of_result(result)
        shown.append(f"{column.title} {'n/a' if value is None else column.text(value)}")
    seconds = result["seconds"]
    return f"{cell}: {', '.join(shown)} (fit {seconds['fit']:.1f} s, explain {seconds['explain']:.1f} s)"

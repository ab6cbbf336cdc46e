"""The paper's evaluation as a command anyone can run: cells, results on disk, and a report of them."""

from counterflownet_bench.baselines.method import FittedMethod, Given, Method, Task
from counterflownet_bench.benchmark.cell import Cell, Result
from counterflownet_bench.benchmark.methods import METHODS
from counterflownet_bench.benchmark.plan import Plan
from counterflownet_bench.benchmark.presets import PRESETS, SELECTIONS, Preset, preset_of
from counterflownet_bench.benchmark.report import report, write_report
from counterflownet_bench.benchmark.runner import RunSettings, RunSummary, run_cells
from counterflownet_bench.benchmark.store import ResultStore, Stored, read_all

__all__ = [
    "METHODS",
    "PRESETS",
    "SELECTIONS",
    "Cell",
    "FittedMethod",
    "Given",
    "Method",
    "Plan",
    "Preset",
    "Result",
    "ResultStore",
    "RunSettings",
    "RunSummary",
    "Stored",
    "Task",
    "preset_of",
    "read_all",
    "report",
    "run_cells",
    "write_report",
]

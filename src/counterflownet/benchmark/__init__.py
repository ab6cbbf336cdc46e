"""The paper's evaluation as a command anyone can run: cells, results on disk, and a report of them."""

from counterflownet.baselines.method import FittedMethod, Given, Method, Task
from counterflownet.benchmark.cell import Cell, Result, run_cell
from counterflownet.benchmark.methods import METHODS
from counterflownet.benchmark.plan import Plan
from counterflownet.benchmark.presets import PRESETS, SELECTIONS, Preset, preset_of
from counterflownet.benchmark.report import report, write_report
from counterflownet.benchmark.runner import RunSettings, RunSummary, run_cells
from counterflownet.benchmark.store import ResultStore, Stored, read_all

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
    "run_cell",
    "run_cells",
    "write_report",
]

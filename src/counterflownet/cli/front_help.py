"""What ``counterflownet --help`` shows: every command in a line, without importing any."""

from collections.abc import Iterable

from counterflownet.cli.catalogue import BENCH, OF_THE_BENCH, OWN, added, summary_of

EPILOG = """\
Start with your own table: `fit` learns from it, `explain` answers. See `counterflownet fit --help`.

examples:
  counterflownet fit loans.csv --target risk --out loans.cfn
  counterflownet explain loans.cfn rejected.csv --target good --immutable sex --increasing age --out answers.html
"""
BENCH_EXAMPLES = """\
  counterflownet datasets
  counterflownet benchmark run --protocol a --dataset german_credit --seed 0 --preset paper --out results.jsonl
  counterflownet benchmark report results.jsonl --out REPORT.md --html REPORT.html
  counterflownet study bins --out studies
"""


def command_list() -> str:
    """The commands that can be called, then those that need a package, with the way to get it."""
    installed = added()
    missing = [name for name in OF_THE_BENCH if name not in installed]
    text = "commands:\n" + _lines([*OWN, *installed])
    if missing:
        text += f"\n\ncommands that need {BENCH} (pip install {BENCH}):\n" + _lines(missing)
    return text


def epilog() -> str:
    """How to begin; examples of the bench only where they would run."""
    return EPILOG if OF_THE_BENCH.keys() - added().keys() else EPILOG + BENCH_EXAMPLES


def _lines(names: Iterable[str]) -> str:
    return "\n".join(f"  {name:<12}{summary_of(name)}" for name in names)

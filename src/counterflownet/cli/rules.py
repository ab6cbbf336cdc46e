"""``counterflownet rules``: what all rows of a table obey, to read, to keep in a file and to give to ``explain``."""

import argparse

from counterflownet.cli.columns import add_columns, columns_and_labels, schema_of
from counterflownet.cli.notes import tell, warnings_as_notes
from counterflownet.cli.places import PIPE, check_place, put
from counterflownet.cli.tables import add_missing
from counterflownet.tabular.rule_file import rules_text
from counterflownet.tabular.suggest import suggest_rules

EPILOG = """\
DATA is read as `counterflownet fit` reads it. Suggested is what every row keeps and chance would hardly bring about:
columns that follow from another, numbers and dates that are never above others, groups of 0/1 columns of which exactly
one is set, columns that rise and fall together; and, by their names, columns that people cannot change. Whether it is a
rule of your world, only you can tell: delete from FILE what is none.

Without --out, the rules are printed as lines of Python. With it, FILE is TOML, for --rules of `fit` and `explain`.
Exit code: 0 on success, also if nothing is found; 2 if the command could not run (one line says why).

examples:
  counterflownet rules loans.csv --target risk
  counterflownet rules loans.csv --target risk --drop customer --out rules.toml
  counterflownet explain loans.cfn rejected.csv --target good --rules rules.toml
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add = command.add_argument
    add("data", metavar="DATA", help="the rows to read: .csv, .parquet, or - for CSV from standard input")
    add("--target", metavar="COLUMN", help="the column with the classes, of which no rule speaks")
    add("--out", metavar="FILE", help="write the rules to this file, such as rules.toml; - for standard output")
    add_columns(command)
    add_missing(command)
    command.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Read, find, print or write."""
    with warnings_as_notes():
        if options.out is not None:
            check_place("--out", options.out, [options.data])
        X, _ = columns_and_labels(options)
        found = suggest_rules(X, schema=schema_of(options, X))
    if options.out is None:
        put(repr(found), PIPE)
        return 0
    put(rules_text(found), options.out)
    tell(f"{found.heading}; read them in {options.out!r} before you use them: --rules {options.out}")
    return 0

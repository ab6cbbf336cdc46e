"""``counterflownet serve``: the page and the service of an explainer, on this machine unless told otherwise."""

import argparse
import ipaddress
import os
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from counterflownet._optional import require
from counterflownet.cli.column_types import typed_as_trained
from counterflownet.cli.constraint_options import add_rules, rules
from counterflownet.cli.explainer_file import loaded_explainer
from counterflownet.cli.models import add_model
from counterflownet.cli.notes import tell, warnings_as_notes
from counterflownet.cli.question_options import target_of
from counterflownet.cli.rule_options import add_joint_rules, joint_rules, known_lookup
from counterflownet.cli.serving import run_server
from counterflownet.cli.tables import add_missing, read_table
from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.serve import Limits, ServeSettings, create_app
from counterflownet.serve.demo import demo_constraints, demo_explainer, demo_model, demo_rows
from counterflownet.serve.settings import LOOPBACK
from counterflownet.tabular.frame import as_frame
from counterflownet.tabular.rule import Constraint

VARIABLE = "COUNTERFLOWNET_TOKEN"
NOT_HERE = ("any_of", "not", "by")  # targets of `explain` that the page has no controls for
EPILOG = """\
Without FILE, a demo is served: German Credit, with an explainer that comes with the library. FILE is written by
`counterflownet fit`; --rows are the rows to choose from on the page. Constraints given here are those that the page
starts with: whoever uses it can change them.

The service listens on this machine alone. For another --host, a token is needed that every request must carry: set
the variable COUNTERFLOWNET_TOKEN, or give --token-file FILE or --token TOKEN; the address that is printed contains it.
--insecure serves everybody who can reach the machine. Nothing is sent anywhere, and no row is written down unless you
ask for it with --log rows. Use a proxy for TLS.

Exit code: 0 after Ctrl+C, 2 if it could not start (one line says why).

examples:
  counterflownet serve
  counterflownet serve loans.cfn --rows rejected.csv --id customer --immutable sex --increasing age --port 8000
  COUNTERFLOWNET_TOKEN=... counterflownet serve loans.cfn --model model.skops --host 0.0.0.0
"""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add = command.add_argument
    add("file", nargs="?", type=Path, metavar="FILE", help="the explainer (default: the demo)")
    add("--rows", metavar="ROWS", help="rows to choose from on the page: .csv, .parquet, or - for standard input")
    add("--id", metavar="COLUMN", help="column that names these rows (default: row number, from 1)")
    add(
        "--target",
        metavar="CLASS",
        help="the class that the page asks for first (default: another than the first row's)",
    )
    add("--at-least", metavar="X", help="of a regressor: the lowest prediction that will do")
    add("--at-most", metavar="X", help="of a regressor: the highest prediction that will do")
    add("--between", metavar="LOW:HIGH", help="of a regressor: both")
    command.set_defaults(**dict.fromkeys(NOT_HERE))
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: 127.0.0.1)")
    add("--port", type=int, default=8000, metavar="N", help="0 for any that is free (default: 8000)")
    add("--token", metavar="TOKEN", help="the token itself, which everybody on this machine can see while it runs")
    add("--token-file", type=Path, metavar="FILE", help=f"a file with the token (default: the variable {VARIABLE})")
    add("--insecure", action="store_true", help="listen on another host without a token")
    add("--log", choices=("nothing", "requests", "rows"), default="nothing", help="what to write to standard error")
    add("--reference", metavar="DATA", help="for a FILE of fit --private: the rows to judge plausibility by")
    add_missing(command)
    _add_limits(command)
    add_rules(command, "constraints that the page starts with")
    add_joint_rules(command, "rules that the page starts with")
    add_model(command, "default: the .skops file next to FILE")
    command.add_argument("--other-model", action="store_true", help="serve a model other than FILE was fitted with")
    command.set_defaults(command=run, when_stopped="stopped.")


def _add_limits(command: argparse.ArgumentParser) -> None:
    usual = Limits()
    add = command.add_argument_group("limits of one request").add_argument
    add("--most-rows", type=int, default=usual.rows, metavar="N", help=f"rows (default: {usual.rows})")
    add("--most-answers", type=int, default=usual.count, metavar="N", help=f"answers per row (default: {usual.count})")
    add("--most-seconds", type=float, default=usual.seconds, metavar="S", help=f"time (default: {usual.seconds:g})")


def run(options: argparse.Namespace) -> int:
    """Load, check who may come in, serve."""
    require("fastapi", extra="serve", purpose="serving an explainer")
    require("uvicorn", extra="serve", purpose="serving an explainer")
    settings = _settings(options)
    with warnings_as_notes():
        explainer, rows, constraints = _demo() if options.file is None else _given(options)
    target = _target(options, explainer)
    app = create_app(explainer, rows=rows, constraints=constraints, target=target, settings=settings)
    # Threads of BLAS wait for the next product by keeping a core busy, which a request of a few rows needs itself.
    with threadpool_limits(1, user_api="blas"):
        return run_server(app, options.host, options.port, settings)


def _target(options: argparse.Namespace, explainer: CounterFlowNet) -> Any:
    given = (options.target, options.at_least, options.at_most, options.between)
    return None if given == (None,) * 4 else target_of(options, explainer.classes)


def _demo() -> tuple[CounterFlowNet, pd.DataFrame, list[Constraint]]:
    explainer = demo_explainer()
    return explainer, demo_rows(demo_model()), demo_constraints()


def _given(options: argparse.Namespace) -> tuple[CounterFlowNet, pd.DataFrame | None, list[Constraint]]:
    explainer = loaded_explainer(options)
    joint = joint_rules(options, explainer.schema, partial(known_lookup, explainer.relations))
    return explainer, _rows(options, explainer), [*rules(options, explainer.schema), *joint]


def _rows(options: argparse.Namespace, explainer: CounterFlowNet) -> pd.DataFrame | None:
    if options.rows is None:
        return None
    frame = as_frame(read_table(options.rows, options.missing))
    frame.index = pd.RangeIndex(1, len(frame) + 1)  # as a person counts rows
    typed = typed_as_trained(frame, explainer.schema, explainer.dtypes)
    if options.id is None:
        return explainer.schema.ordered_rows(typed, "--rows")
    if options.id not in frame.columns:
        raise unknown_name("column in --id", options.id, frame.columns)
    return explainer.schema.ordered_rows(typed, "--rows").set_axis(pd.Index(frame[options.id]), axis=0)


def _settings(options: argparse.Namespace) -> ServeSettings:
    token, local = _token(options), _is_local(options.host)
    if not local and token is None and not options.insecure:
        raise InvalidInputError(
            f"--host {options.host!r} lets others in, so a token is needed: set {VARIABLE}, for example to "
            "$(python -c 'import secrets; print(secrets.token_urlsafe())'). To let everybody in: --insecure"
        )
    if not local and token is None:
        tell(f"everybody who can reach {options.host!r} can read the rows and ask the model (--insecure).")
    limits = Limits(rows=options.most_rows, count=options.most_answers, seconds=options.most_seconds)
    return ServeSettings(limits=limits, token=token, hosts=LOOPBACK if local else None, log=options.log)


def _token(options: argparse.Namespace) -> str | None:
    if options.token is not None and options.token_file is not None:
        raise InvalidInputError("--token and --token-file both give a token; give one of them.")
    if options.token is not None:
        return str(options.token)
    if options.token_file is not None:
        return options.token_file.read_text(encoding="utf-8").strip()
    return os.environ.get(VARIABLE) or None


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"

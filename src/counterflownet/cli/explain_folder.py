"""``counterflownet explain --workers``: tables larger than memory, to a folder that a stopped run goes on with."""

import argparse
import errno
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from counterflownet._optional import require
from counterflownet.cli.asking import asked
from counterflownet.cli.column_types import typed_as_trained
from counterflownet.cli.csv_table import csv_frame
from counterflownet.cli.explainer_file import loaded_explainer, model_beside
from counterflownet.cli.models import digest
from counterflownet.cli.notes import tell, warnings_as_notes
from counterflownet.cli.tables import without_masks
from counterflownet.errors import InvalidInputError
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.tabular.frame import as_frame

GOES_ON = "stopped; the same command goes on."
FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
NOT_ASKED = {"command", "when_stopped", "workers", "out", "rows", "file", "model", "piece_rows"}


def add_folder(command: argparse.ArgumentParser) -> None:
    """Add the options for many rows."""
    add = command.add_argument_group("many rows").add_argument
    add("--workers", type=int, metavar="N", help="processes; --out is a folder then, and ROWS may exceed memory")
    add("--piece-rows", type=int, default=10_000, metavar="N", help="rows worked and kept at a time (default: 10,000)")


def explain_folder(options: argparse.Namespace) -> int:
    """Explain all rows, piece by piece; 1 if some could not be explained."""
    require("pyarrow", extra="parquet", purpose="explaining many rows")
    from counterflownet.batch import Work, explain_files  # noqa: PLC0415 - which needs pyarrow

    _check(options)
    options.when_stopped = GOES_ON
    work = Work(
        load=partial(loaded_explainer, options),
        asked=partial(asked, options),
        prepare=as_trained,
        read_csv=partial(csv_frame, missing=options.missing),
        id_column=options.id,
        folder=Path(options.out),
    )
    workers = 1 if options.workers is None else options.workers
    with warnings_as_notes(), _full_disk_told():
        done = explain_files(work, options.rows, _question(options), workers=workers, piece_rows=options.piece_rows)
    tell(*done.notes)
    tell(f"{done.rows:,} rows explained, {done.answers:,} answers in {str(Path(options.out) / 'answers')!r}.")
    if done.errors:
        rows = "1 row" if done.errors == 1 else f"{done.errors:,} rows"
        tell(f"{rows} could not be explained; see {str(Path(options.out) / 'errors')!r}.")
    return 1 if done.errors else 0


@contextmanager
def _full_disk_told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            tell("what is done is kept; with more room the same command goes on.")
        raise


def as_trained(explainer: CounterFlowNet, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows in the types of training."""
    return typed_as_trained(as_frame(without_masks(rows)), explainer.schema, explainer.dtypes)


def _check(options: argparse.Namespace) -> None:
    if options.id is None:
        raise InvalidInputError("with --workers or a folder of rows, name the column that identifies them: --id COLUMN")
    if options.out is None:
        raise InvalidInputError("with --workers or a folder of rows, say where answers go: --out FOLDER")
    if options.format is not None or options.spreadsheet_safe:
        raise InvalidInputError(
            "a folder of answers is Parquet; leave out --format and --spreadsheet-safe, or leave out --workers."
        )
    if Path(options.out).is_file():
        raise InvalidInputError(f"--out {options.out!r} is a file; with --workers or a folder of rows it is a folder.")


def _question(options: argparse.Namespace) -> dict[str, Any]:
    """What must be the same for a run to be gone on with."""
    model = Path(options.model or model_beside(options.file))
    told = {name: repr(value) for name, value in sorted(vars(options).items()) if name not in NOT_ASKED}
    return {
        "explainer": digest(options.file.read_bytes()),
        "model": digest(model.read_bytes()) if model.is_file() else str(options.model),
        "question": told,
    }

"""Rows of a Ray dataset: each actor loads explainer and classifier once, and answers batch after batch."""

from collections.abc import Mapping, Sequence
from math import floor
from pathlib import Path
from typing import Any

import pyarrow as pa

from counterflownet._optional import require
from counterflownet.batch.table_answers import answer_table
from counterflownet.errors import check_count
from counterflownet.explain.explainer import CounterFlowNet

BATCH_ROWS = 1_000
SHARES = 10_000  # of a processor: Ray counts no smaller ones


class Answering:
    """What an actor does."""

    def __init__(self, file: str, model: Any, loading: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        self.explainer = CounterFlowNet.load(file, model, **loading)
        self.asked = dict(asked)

    def __call__(self, rows: pa.Table) -> pa.Table:
        """One line per row, under the name that its id has in the rows."""
        told = answer_table(self.explainer, rows, **self.asked).by_row()
        return told.rename_columns([self.asked["id_column"], *told.column_names[1:]])


def explain_dataset(  # noqa: PLR0913 - each is one question a user may ask
    dataset: Any,
    *,
    explainer: str | Path,
    model: Any,
    id_column: str,
    classes: Sequence[Any] | None = None,
    actors: int | None = None,
    batch_rows: int = BATCH_ROWS,
    **asked: Any,
) -> Any:
    """A Ray dataset with one line per row: its id, its outcome, and a list of its ``counterfactuals``.

    Rows that cannot be explained have the outcome ``error`` and the reason. Ids must be unique: each batch is looked at
    by itself. Because every row of the dataset stays one row with its id, Ray's ``CheckpointConfig`` can resume a run.

    Args:
        dataset: The rows; their columns must be those of the explainer, and others are left alone.
        explainer: The file that :meth:`CounterFlowNet.save` wrote; every machine must be able to read it.
        model: The classifier, as :meth:`CounterFlowNet.load` takes it; it is sent to the actors.
        id_column: The column that identifies rows.
        classes: The labels of the classes, if the model does not know them.
        actors: How many processes explain at the same time; None for one less than the cluster has processors (two
            less with a ``CheckpointConfig``). However many there are, together they reserve no more processors than
            that: if none were left for those who read the rows, the run would wait for ever.
        batch_rows: How many rows an actor gets at a time.
        asked: What :meth:`CounterFlowNet.explain` takes besides.
    """
    ray = require("ray.data", extra="ray", purpose="explaining a Ray dataset")
    check_count("batch_rows", batch_rows)
    count, processors = _pool(actors)
    file = str(Path(explainer).resolve())  # actors may be in another folder
    return dataset.map_batches(
        Answering,
        fn_constructor_args=(file, model, {"classes": classes}, {**asked, "id_column": id_column}),
        batch_format="pyarrow",
        batch_size=batch_rows,
        compute=ray.ActorPoolStrategy(size=count),
        num_cpus=processors,
    )


def _pool(actors: int | None) -> tuple[int, float]:
    """How many actors, and how many processors each reserves, so that enough are left for those who read.

    That is one; a run that goes on needs another one for an actor of Ray's that leaves out rows which are done.
    """
    ray = require("ray", extra="ray", purpose="explaining a Ray dataset")
    if not ray.is_initialized():
        ray.init()
    total = float(ray.cluster_resources().get("CPU", 1.0))
    resumes = ray.data.DataContext.get_current().checkpoint_config is not None
    free = max(0.0, total - (2.0 if resumes else 1.0))
    count = max(1, int(free)) if actors is None else actors
    check_count("actors", count)
    return count, min(1.0, floor(SHARES * free / count) / SHARES)

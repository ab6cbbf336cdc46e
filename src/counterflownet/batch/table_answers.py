"""From a table to tables of answers: what comes of a row depends on the row alone, wherever and however often it is."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from counterflownet.batch.arrow import AnswerTypes
from counterflownet.batch.ids import ids_of
from counterflownet.errors import InvalidInputError, listed
from counterflownet.explain.explainer import CounterFlowNet
from counterflownet.explain.explanation import Explanation

Prepare = Callable[[pd.DataFrame], pd.DataFrame]
NO_ID = "the row has no id"


@dataclass(frozen=True, slots=True, eq=False)
class TableAnswers:
    """A line per counterfactual in ``answers``, per explained row in ``rows``, per other row in ``errors``."""

    answers: pa.Table
    rows: pa.Table
    errors: pa.Table

    def by_row(self) -> pa.Table:
        """All of it with one line per row: its outcome, or the error, and a list of its ``counterfactuals``."""
        lists = pa.ListArray.from_arrays(_offsets(self.rows["answers"].to_numpy()), self._structs())
        told = self.rows.append_column("counterfactuals", lists)
        failed = self.errors.select(["factual", "reason"])
        failed = failed.append_column("outcome", pa.array(["error"] * failed.num_rows, pa.string()))
        return pa.concat_tables([told, failed], promote_options="default").combine_chunks()

    def _structs(self) -> pa.Array:
        fields = [field for field in self.answers.schema if field.name != "factual"]
        columns = [self.answers[field.name].combine_chunks() for field in fields]
        return pa.StructArray.from_arrays(columns, fields=fields)

    def __repr__(self) -> str:
        rows, answers, errors = (part.num_rows for part in (self.rows, self.answers, self.errors))
        return f"TableAnswers({rows:,} rows explained, {answers:,} answers, {errors:,} errors)"


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """Rows are explained with what is ``asked``, after they are ``prepare``d; one that fails takes no other with it."""

    explainer: CounterFlowNet
    id_column: str
    asked: Mapping[str, Any] = field(default_factory=dict)
    prepare: Prepare | None = None

    def __call__(self, table: Any, refused: Mapping[int, str] | None = None) -> TableAnswers:
        """The answers to a pyarrow table or a pandas frame; rows at ``refused`` places have their reason already."""
        column = ids_of(table, self.id_column)
        types = AnswerTypes.of(self.explainer, column.type)
        ids = _labels(column)
        again = {place: _again(ids.iloc[place]) for place in np.flatnonzero(ids.duplicated()).tolist()}
        reasons = again | dict.fromkeys(np.flatnonzero(ids.isna()).tolist(), NO_ID) | dict(refused or {})
        frame = as_numbered_frame(table).drop(index=list(reasons))
        told = list(self._told(frame, ids, reasons))
        places = sorted(reasons)
        return TableAnswers(
            pa.concat_tables([types.answers.empty_table(), *map(types.answers_of, told)]),
            pa.concat_tables([types.rows.empty_table(), *map(types.rows_of, told)]),
            types.errors_of(ids.iloc[places].tolist(), places, [reasons[place] for place in places]),
        )

    def _told(self, frame: pd.DataFrame, ids: pd.Series, reasons: dict[int, str]) -> Iterator[Explanation]:
        """The rows explained, all at once or, if that fails, half by half; places are those of the index."""
        if len(frame) == 0:
            return
        try:
            yield self._explained(frame, ids)
        except Exception as error:  # noqa: BLE001 - whatever a row or the classifier raises is a line among the errors
            if len(frame) == 1:
                reasons[int(frame.index[0])] = f"{type(error).__name__}: {error}"
                return
            half = len(frame) // 2
            yield from self._told(frame.iloc[:half], ids, reasons)
            yield from self._told(frame.iloc[half:], ids, reasons)

    def fault(self, table: Any, place: int) -> str | None:
        """Why one row of a table cannot be explained; None if it can."""
        frame, ids = as_numbered_frame(table), _labels(ids_of(table, self.id_column))
        try:
            self._explained(frame.iloc[[place]], ids)
        except Exception as error:  # noqa: BLE001 - a row or the classifier may raise anything
            return str(error)
        return None

    def _explained(self, frame: pd.DataFrame, ids: pd.Series) -> Explanation:
        """The rows of a numbered frame explained, each under its id."""
        rows = frame.set_axis(pd.Index(ids.loc[frame.index]), axis=0)
        return self.explainer.explain(rows if self.prepare is None else self.prepare(rows), **self.asked)


def as_numbered_frame(table: Any) -> pd.DataFrame:
    """A table as a frame whose index counts from 0: of all that a frame or a file is, only its order counts."""
    frame = table.to_pandas(ignore_metadata=True) if isinstance(table, pa.Table) else table
    return frame.reset_index(drop=True)


def answer_table(explainer: CounterFlowNet, table: Any, *, id_column: str, **asked: Any) -> TableAnswers:
    """The answers to all rows of a pyarrow table or a frame, under the ids that ``id_column`` has.

    ``asked`` is what :meth:`CounterFlowNet.explain` takes beside the rows. Rows that cannot be explained stop nothing:
    they are among the errors, with the reason.

    A row's answers depend on the row, the explainer and what is asked, not on the rows beside it, up to the rounding of
    matrix products.
    """
    return Asking(explainer, id_column, {"progress": False, **asked}, OwnColumns(tuple(explainer.schema.names)))(table)


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """Leaves the columns that an explainer knows, and says which are missing."""

    names: tuple[Any, ...]

    def __call__(self, rows: pd.DataFrame) -> pd.DataFrame:
        missing = [name for name in self.names if name not in rows.columns]
        if missing:
            raise InvalidInputError(f"the table lacks columns of the explainer: {listed(map(repr, missing))}.")
        return rows[list(self.names)]


def _offsets(counts: NDArray[np.int64]) -> pa.Array:
    return pa.array(np.concatenate([[0], np.cumsum(counts)]), pa.int32())


def _labels(column: pa.ChunkedArray) -> pd.Series:
    """The ids one by one; whole numbers stay whole where some are missing."""
    return column.to_pandas(integer_object_nulls=True).reset_index(drop=True)


def _again(label: Any) -> str:
    return f"the id {label!r} stands in a row before"

"""From a table to tables of answers: what comes of a row depends on the row alone, wherever and however often it is."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from counterflownet.batch.arrow import AnswerTypes
from counterflownet.errors import InvalidInputError, listed, unknown_name
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
        frame = (table.to_pandas() if isinstance(table, pa.Table) else table).reset_index(drop=True)
        ids = self.ids(frame)
        types = AnswerTypes.of(self.explainer, pa.array(ids, from_pandas=True).type)
        reasons = dict(refused or {})
        reasons |= {place: NO_ID for place, missing in enumerate(ids.isna()) if missing}
        reasons |= {place: _again(ids.iloc[place]) for place, seen in enumerate(ids.duplicated()) if seen}
        told = list(self._told(frame.drop(index=frame.index[list(reasons)]), reasons))
        places = sorted(reasons)
        return TableAnswers(
            pa.concat_tables([types.answers.empty_table(), *map(types.answers_of, told)]),
            pa.concat_tables([types.rows.empty_table(), *map(types.rows_of, told)]),
            types.errors_of(ids.iloc[places].tolist(), places, [reasons[place] for place in places]),
        )

    def ids(self, frame: pd.DataFrame) -> pd.Series:
        """What identifies the rows, numbered from 0."""
        if self.id_column not in frame.columns:
            raise unknown_name("id column", self.id_column, frame.columns)
        return frame[self.id_column].reset_index(drop=True)  # of all that a frame is, only its order counts

    def _told(self, frame: pd.DataFrame, reasons: dict[int, str]) -> Iterator[Explanation]:
        """The rows explained, all at once or, if that fails, half by half; places are those of the index."""
        if len(frame) == 0:
            return
        try:
            yield self.explained(frame)
        except Exception as error:  # noqa: BLE001 - whatever a row or the classifier raises is a line among the errors
            if len(frame) == 1:
                reasons[int(frame.index[0])] = f"{type(error).__name__}: {error}"
                return
            half = len(frame) // 2
            yield from self._told(frame.iloc[:half], reasons)
            yield from self._told(frame.iloc[half:], reasons)

    def explained(self, frame: pd.DataFrame) -> Explanation:
        """The rows explained, each under its id."""
        ids = pd.Index(frame[self.id_column])
        rows = frame.set_axis(ids, axis=0)
        return self.explainer.explain(rows if self.prepare is None else self.prepare(rows), **self.asked)


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


def _again(label: Any) -> str:
    return f"the id {label!r} stands in a row before"

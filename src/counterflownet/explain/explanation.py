"""What ``explain`` returns: counterfactuals, how good they are, and an outcome for every row that was asked."""

from __future__ import annotations  # so that help() shows the names of types, not what they stand for

import json
import math
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from counterflownet._printable import printable
from counterflownet.errors import check_one_of
from counterflownet.explain import present
from counterflownet.explain.labels import Labels
from counterflownet.explain.letter import LetterForm, letter
from counterflownet.explain.letter.texts import Texts
from counterflownet.explain.letter.writing import form_of
from counterflownet.explain.oddities import Oddities
from counterflownet.explain.origin import Origin
from counterflownet.explain.rows import ByLabel, each_row, part_of
from counterflownet.files import write_atomically
from counterflownet.tabular.native import Native

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Columns = Literal["all", "changed"]


class Outcome(Enum):
    """How it went for one row; the value is the reason a user reads."""

    COMPLETE = "as many counterfactuals as asked for"
    PARTIAL = "fewer different counterfactuals than asked for; loosen any constraints, or allow more time (seconds=)"
    NONE_VALID = "no valid counterfactual was found; loosen any constraints, or allow more time (seconds=)"
    NOTHING_ALLOWED = "the constraints leave nothing to change in this row; loosen them"
    CONTRADICTION = "the constraints exclude each other in this row"
    OUT_OF_REACH = "no prediction was found where it should lie, and no training row has one there; ask for less"
    ALREADY_TARGET = "the model already gives this row what is asked for; there is nothing to explain"


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """The outcome of one row, with what is particular to it (which constraints exclude each other, say)."""

    outcome: Outcome
    detail: str = ""

    @property
    def complete(self) -> bool:
        """Whether there are as many counterfactuals as were asked for."""
        return self.outcome is Outcome.COMPLETE

    @property
    def reason(self) -> str:
        """The outcome in words, with what is particular to the row, fit to be printed."""
        return f"{self.outcome.value}: {printable(self.detail)}" if self.detail else self.outcome.value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanation:
    """Counterfactuals of some rows, best first within each row.

    ``row`` says for each counterfactual which of the ``factuals`` (by position) it belongs to; every array beside it
    has one entry per counterfactual. ``probability`` is that of the target. Counterfactuals of a row that change the
    same columns in the same directions have the same ``strategy``, counted from 1.

    ``targets``, ``predicted``, ``probability_before`` and ``outcomes`` have one entry per factual. ``confidence`` is
    the probability that was asked for, None for more than any other class has. ``follows`` marks cells that differ from
    the factual without being changes, because a rule says so; None if there were no rules. ``oddities`` counts answers
    that break a relation which all training rows keep. ``note`` says what whoever reads all this should know,
    ``origin`` under which constraints the answers hold and which explainer gave them. ``locked`` marks the cells that
    no answer was to change, and ``native`` is the table of another library that the rows came in.

    Of a regressor (``regression``), ``predicted`` is its prediction, ``targets`` say where that was to lie, and
    ``probability`` and ``probability_before`` hold predictions, which have the names ``prediction`` and
    ``prediction_before`` as well; tables and files use these.

    ``explanation[0]`` is the explanation of the first row, ``explanation[:3]`` that of three,
    ``explanation.loc[label]`` that of the rows with a label, and ``for one in explanation`` goes row by row.
    ``len(explanation)`` counts rows, and ``len(explanation.counterfactuals)`` the counterfactuals of all of them.
    """

    factuals: pd.DataFrame
    counterfactuals: pd.DataFrame
    row: NDArray[np.int64]
    rank: NDArray[np.int64]
    valid: NDArray[np.bool_]
    reward: NDArray[np.float64]
    terms: Mapping[str, NDArray[np.float64]]
    changed: NDArray[np.bool_]  # (counterfactual, column)
    strategy: NDArray[np.int64]
    probability: NDArray[np.float64]
    probability_before: NDArray[np.float64]
    targets: tuple[Any, ...]
    predicted: tuple[Any, ...]
    outcomes: tuple[RowOutcome, ...]
    asked: int = field(default=1)
    confidence: float | None = None
    follows: NDArray[np.bool_] | None = None  # (counterfactual, column)
    oddities: Oddities = field(default_factory=Oddities)
    note: str = ""
    regression: bool = False
    locked: NDArray[np.bool_] | None = None  # (factual, column)
    native: Native | None = None
    origin: Origin = field(default_factory=Origin)

    def __len__(self) -> int:
        """How many rows were asked about; as in a loop over them."""
        return len(self.factuals)

    @property
    def told(self) -> str:
        """What the model's number is called: the probability of the target, or the prediction."""
        return "prediction" if self.regression else "probability"

    @property
    def prediction(self) -> NDArray[np.float64]:
        """What a regressor predicts for each counterfactual."""
        return self._predictions(self.probability)

    @property
    def prediction_before(self) -> NDArray[np.float64]:
        """What a regressor predicts for each factual."""
        return self._predictions(self.probability_before)

    def _predictions(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        if not self.regression:
            raise AttributeError("a classifier's explanation has no predictions; see .probability and .predicted")
        return numbers

    def __getitem__(self, at: int | slice) -> Explanation:
        """The explanation of the row at a position, or of a slice of rows."""
        return part_of(self, at)

    def __iter__(self) -> Iterator[Explanation]:
        """The explanation of every row, one after the other."""
        return each_row(self)

    @property
    def loc(self) -> ByLabel:
        """The explanation of rows by their label in the index: ``explanation.loc["first"]``."""
        return ByLabel(self)

    def changes(self, number: int) -> Iterator[tuple[Hashable, Any, Any]]:
        """Column, old value and new value of every change that counterfactual ``number`` makes."""
        return self._cells(number, self.changed)

    def followed(self, number: int) -> Iterator[tuple[Hashable, Any, Any]]:
        """Column, old value and new value of everything that follows from these changes by rules."""
        return self._cells(number, np.zeros_like(self.changed) if self.follows is None else self.follows)

    def _cells(self, number: int, flags: NDArray[np.bool_]) -> Iterator[tuple[Hashable, Any, Any]]:
        for column in np.flatnonzero(flags[number]).tolist():
            old = self.factuals.iloc[int(self.row[number]), column]
            yield self.factuals.columns[column], old, self.counterfactuals.iloc[number, column]

    def numbers_by_row(self, most: int | None = None) -> list[NDArray[np.int64]]:
        """For each of the first ``most`` factuals, the numbers of its counterfactuals, in the order given."""
        count = len(self.factuals) if most is None else min(most, len(self.factuals))
        order = np.argsort(self.row, kind="stable")  # one sort, so that a page of thousands of rows stays quick
        edges = np.searchsorted(self.row[order], np.arange(count + 1))
        return [order[start:stop] for start, stop in pairwise(edges.tolist())]

    def to_frame(self, columns: Columns = "all") -> Any:
        """One row per counterfactual: the table's own columns with their dtypes, then how it was judged.

        The last column, ``follows``, is there if rules carried something out. A name the table already uses gets an
        underscore behind it (``rank_``). Rows that came as a frame of polars or pyarrow give such a frame.

        Args:
            columns: ``"all"`` columns of the table, or those alone that some counterfactual has ``"changed"``.
        """
        check_one_of("columns", columns, get_args(Columns))
        shown = np.flatnonzero(self.moved.any(axis=0) | (columns == "all"))
        if self.native is None:
            rows = self.counterfactuals.iloc[:, shown].reset_index(drop=True)
            return pd.concat([rows, self._judged()], axis=1)
        table = self.native.edited(self.row, self.counterfactuals, self.moved)
        return self.native.beside(table[:, shown.tolist()], self._judged())

    @property
    def moved(self) -> NDArray[np.bool_]:
        """Which cells differ from the factual's: those that were changed, and those that follow from changes."""
        return self.changed if self.follows is None else self.changed | self.follows

    def _judged(self) -> pd.DataFrame:
        """How each counterfactual was judged, in columns whose names the table leaves free."""
        judged: list[tuple[str, Any]] = [  # pairs, so that a user's term called "reward" replaces nothing
            ("factual", _one_column(self.factuals.index.take(self.row))),
            ("rank", self.rank),
            ("strategy", self.strategy),
            ("valid", self.valid),
            (f"{self.told}_before", self.probability_before[self.row]),
            (self.told, self.probability),
            ("reward", self.reward),
            *self.terms.items(),
            ("changed", pd.Series(self._names(self.changed), dtype=object)),
        ]
        if self.follows is not None and self.follows.any():
            judged.append(("follows", pd.Series(self._names(self.follows), dtype=object)))
        taken = set(self.counterfactuals.columns)
        added = {}
        for name, values in judged:
            free = _free_name(name, taken)
            taken.add(free)
            added[free] = values
        return pd.DataFrame(added, index=pd.RangeIndex(len(self.row)))

    def _names(self, marked: NDArray[np.bool_]) -> list[tuple[Hashable, ...]]:
        """The names of the marked columns of every counterfactual; many have the same ones."""
        names = {flags.tobytes(): tuple(self.factuals.columns[flags]) for flags in np.unique(marked, axis=0)}
        return [names[flags.tobytes()] for flags in marked]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers: one entry per factual, its counterfactuals inside."""
        frame = self._judged()
        once = frame.columns[[0, 4]]  # the factual and its own probability, which its entry tells
        judged, factuals, found = map(_plain_rows, (frame, self.factuals, self.counterfactuals))
        told = [{name: row[name] for name in row if name not in once} for row in judged]
        return {
            "asked": self.asked,
            "confidence": _plain(self.confidence),
            "oddities": {"count": self.oddities.count, "by_rule": dict(self.oddities.by_rule)},
            **({"note": self.note} if self.note else {}),
            "rows": [
                {
                    "factual": _plain(self.factuals.index[position]),
                    "values": factuals[position],
                    "predicted": _plain(self.predicted[position]),
                    "target": _plain(self.targets[position]),
                    f"{self.told}_before": _plain(self.probability_before[position]),
                    "outcome": self.outcomes[position].outcome.name.lower(),
                    "reason": self.outcomes[position].reason,
                    "counterfactuals": [{"values": found[number]} | told[number] for number in numbers.tolist()],
                }
                for position, numbers in enumerate(self.numbers_by_row())
            ],
        }

    def to_json(self, path: str | Path | None = None, *, indent: int | None = 2) -> str:
        """The explanation as JSON, written to ``path`` as well if one is given."""
        return _kept(json.dumps(self.to_dict(), indent=indent, ensure_ascii=False), path)

    def to_html(
        self, path: str | Path | None = None, *, title: str = "Counterfactual explanations", labels: Any = None
    ) -> str:
        """A self-contained page with the changes highlighted, written to ``path`` as well if one is given.

        ``labels`` as for :meth:`to_text`.
        """
        return _kept(present.html_page(self.labelled(labels), title=title), path)

    def to_text(self, path: str | Path | None = None, *, labels: Any = None, language: str = "en") -> str:
        """Sentences for the person concerned, written to ``path`` as well if one is given.

        Args:
            path: Where to.
            labels: What columns, values and classes are called, and the units of numbers: a mapping from column to name
                (or to ``{"label": ..., "unit": ..., "values": {...}}``), one with the parts ``columns``, ``classes``
                and ``prediction`` (of a regressor), or a TOML file with these parts.
            language: ``"en"`` or ``"de"``.

        Returns:
            What was decided of each row, what was locked, and what would have to change.
        """
        return _kept(present.person_text(self, Labels.of(labels), language), path)

    def labelled(self, labels: Any, language: str = "en") -> Explanation:
        """The same under the names that people know, to be looked at; ``labels`` as for :meth:`to_text`."""
        return present.labelled(self, Labels.of(labels), language)

    def to_letter(  # noqa: PLR0913 - each is one decision, all have defaults
        self,
        path: str | Path | None = None,
        *,
        row: Hashable | None = None,
        form: LetterForm | None = None,
        language: str = "en",
        texts: Mapping[str, str] | str | Path | None = None,
        day: date | None = None,
        font: str | Path | None = None,
    ) -> str | bytes:
        """A letter to the person concerned, of one to two pages; written to ``path`` as well if one is given.

        It says what was decided, up to three ways that would have led to another decision, what was assumed, and what
        it does not say.

        Args:
            path: Where to; a name that ends in ``.pdf`` makes it PDF.
            row: The label of the row; may be left out if there is only one.
            form: ``"html"`` or ``"pdf"`` (needs the extra ``serve``); from ``path`` otherwise.
            language: ``"en"`` or ``"de"``.
            texts: Sentences of your own in place of ours, by name, or a JSON file of them. ``sender``, ``salutation``
                and ``closing`` are empty until you fill them; ``column:NAME``, ``value:VALUE`` and ``class:LABEL`` say
                what columns, values and classes are called.
            day: The date on the letter; today otherwise.
            font: For PDF, a font file for scripts that are not European.

        Returns:
            HTML as text, or PDF as bytes.
        """
        written = letter(self, row, form_of(form, path), Texts(language, texts), day=day, font=font)
        if path is not None:
            write_atomically(path, written)
        return written

    def plot(self) -> Figure:
        """Which columns are changed how often, and the reward of every counterfactual against its changes.

        Of a single row with answers: what each of them changes, and the probability before and after.
        """
        return present.figure(self)

    def __repr__(self) -> str:
        return present.terminal_text(self)

    def _repr_html_(self) -> str:
        return present.html_fragment(self)


def _kept(text: str, path: str | Path | None) -> str:
    if path is not None:
        write_atomically(path, text)
    return text


def _one_column(labels: pd.Index) -> Any:
    """The labels of rows as a column; those of several levels as tuples."""
    return pd.Series(labels.tolist(), dtype=object) if isinstance(labels, pd.MultiIndex) else labels


def _free_name(name: str, taken: Collection[Hashable]) -> str:
    while name in taken:
        name += "_"
    return name


def _plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows as mappings; column by column, since looking up single cells would take most of the time."""
    columns = [[_plain(cell) for cell in column.tolist()] for _, column in frame.items()]
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _plain(value: Any) -> Any:
    """The value as JSON knows it; what JSON does not know becomes its text, a missing value null."""
    if type(value) in {str, int, bool}:  # most cells
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or pd.isna(value):
        return None
    known = isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value))
    return value if known else str(value)

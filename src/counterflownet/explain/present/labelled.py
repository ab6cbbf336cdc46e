"""An explanation under the names that people know: columns, values and classes renamed, numbers with their units."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from counterflownet.explain import wording
from counterflownet.explain.labels import Labels
from counterflownet.explain.texts import texts

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation


def labelled(explanation: "Explanation", labels: Labels, language: str = "en") -> "Explanation":
    """The same to be looked at: what has a label or a unit is text."""
    if labels == Labels():
        return explanation
    columns = list(explanation.factuals.columns)
    names = [labels.column(name).label or name for name in columns]
    before, after = explanation.factuals.copy(), explanation.counterfactuals.copy()
    for place, name in enumerate(columns):
        if labels.column(name).unit or labels.column(name).values:
            for frame, cells in zip((before, after), _written(explanation, place, labels, language), strict=True):
                frame.isetitem(place, np.array(cells, dtype=object))
    return replace(
        explanation,
        factuals=before.set_axis(names, axis=1),
        counterfactuals=after.set_axis(names, axis=1),
        targets=_renamed(explanation.targets, labels),
        predicted=_renamed(explanation.predicted, labels),
        native=None,
    )


def _renamed(classes: tuple[Any, ...], labels: Labels) -> tuple[Any, ...]:
    return tuple(labels.classes.get(str(label), label) for label in classes)


def _written(explanation: "Explanation", place: int, labels: Labels, language: str) -> tuple[list[str], list[str]]:
    """The cells of one column of the factuals, and of the counterfactuals."""
    name, moved = explanation.factuals.columns[place], explanation.moved[:, place]
    old, new = explanation.factuals.iloc[:, place].tolist(), explanation.counterfactuals.iloc[:, place].tolist()
    before = [wording.value(cell, name, labels, language) for cell in old]
    after = [before[row] for row in explanation.row.tolist()]
    for number in np.flatnonzero(moved).tolist():
        pair = old[explanation.row[number]], new[number]
        after[number] = wording.value_pair(*pair, labels.column(name), texts(language))[1]
    return before, after

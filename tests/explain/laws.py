"""What every answer promises, checked on decoded rows by asking the classifier again and trying all training values.

Nothing here looks into the library: only at rows, at the training table and at what the classifier says.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from counterflownet import Explanation

Valid = Callable[[pd.DataFrame, np.ndarray], np.ndarray]  # rows and the number of each one's factual, to flags
Permitted = Callable[[str, object, object], bool]  # column, old and new value


def numbers_of(column: pd.Series) -> np.ndarray:
    """A column that has an order as numbers, missing values as NaN."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return np.where(column.cat.codes < 0, np.nan, column.cat.codes)
    if column.dtype.kind == "M":
        return column.to_numpy("datetime64[ns]").astype(np.int64).astype(float)
    return column.to_numpy(dtype=float, na_value=np.nan)


def has_order(column: pd.Series) -> bool:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return bool(column.dtype.ordered)
    return pd.api.types.is_numeric_dtype(column.dtype) != pd.api.types.is_bool_dtype(column.dtype) or (
        column.dtype.kind == "M"
    )


def valid_by(model, answer: Explanation, confidence: float = 0.0) -> Valid:
    """Whether the model gives a row the target of its factual, with at least this probability."""
    classes = list(model.classes_)

    def valid(rows: pd.DataFrame, row: np.ndarray) -> np.ndarray:
        probabilities = model.predict_proba(rows)
        target = np.array([classes.index(answer.targets[number]) for number in row], dtype=int)
        own = probabilities[np.arange(len(rows)), target]
        others = np.where(np.eye(len(classes), dtype=bool)[target], -np.inf, probabilities).max(axis=1)
        return (own > others) & (own >= confidence)

    return valid


def everything(_column: str, _old: object, _new: object) -> bool:
    return True


def smaller_changes(
    answer: Explanation, train: pd.DataFrame, permitted: Permitted = everything
) -> Iterator[tuple[int, pd.DataFrame]]:
    """For each ordered change of each answer: the answer with every training value that is nearer instead."""
    for number in range(len(answer.row)):
        for column in answer.factuals.columns[answer.changed[number]]:
            if has_order(train[column]):
                yield number, _nearer(answer, number, column, train, permitted)


def _nearer(answer: Explanation, number: int, column: str, train: pd.DataFrame, permitted: Permitted) -> pd.DataFrame:
    old = answer.factuals[column].take([int(answer.row[number])])
    new = answer.counterfactuals[column].take([number])
    seen = train[column].dropna().drop_duplicates()
    own, now, values = (numbers_of(part) for part in (old, new, seen))
    inside = (values - own) * (values - now) < 0  # never true where there was no value before
    inside &= np.array([permitted(column, old.iloc[0], value) for value in seen], dtype=bool)
    rows = answer.counterfactuals.take([number] * int(inside.sum())).reset_index(drop=True)
    return rows.assign(**{column: seen[inside].reset_index(drop=True).astype(rows[column].dtype)})


def loose(
    answer: Explanation, train: pd.DataFrame, valid: Valid, permitted: Permitted = everything
) -> list[tuple[int, pd.Series]]:
    """Answers of which a change could have been smaller, each with a row that shows it."""
    parts = list(smaller_changes(answer, train, permitted))
    if not parts:
        return []
    rows = pd.concat([rows for _, rows in parts], ignore_index=True).astype(answer.factuals.dtypes)
    number = np.repeat([number for number, _ in parts], [len(rows) for _, rows in parts])
    if len(rows) == 0:
        return []
    found = np.flatnonzero(valid(rows, answer.row[number]))
    return [(int(number[at]), rows.iloc[at]) for at in found]


def superfluous(answer: Explanation, valid: Valid, permitted: Permitted = everything) -> list[tuple[int, str]]:
    """Answers and changes of them that could have been undone; a value that may not stay cannot."""
    found = []
    for number in range(len(answer.row)):
        row = int(answer.row[number])
        for column in answer.factuals.columns[answer.changed[number]]:
            old = answer.factuals[column].iloc[row]
            if answer.changed[number].sum() > 1 and permitted(column, old, old):
                cells = answer.counterfactuals.iloc[[number]].copy()
                cells[column] = answer.factuals[column].take([row]).to_numpy()
                if valid(cells.astype(answer.factuals.dtypes), np.array([row]))[0]:
                    found.append((number, column))
    return found


def moves(answer: Explanation) -> list[dict[str, float | str]]:
    """For each answer: by how much each ordered column moves, and the new value of every other that changes."""
    told: list[dict[str, float | str]] = [{} for _ in range(len(answer.row))]
    factuals = answer.factuals.iloc[answer.row].reset_index(drop=True)
    for place, column in enumerate(answer.factuals.columns):
        old, new = factuals[column], answer.counterfactuals[column]
        ordered = has_order(old)
        way = numbers_of(new) - numbers_of(old) if ordered else np.full(len(old), np.nan)
        for number in np.flatnonzero(answer.changed[:, place]):
            told[number][column] = repr(new.iloc[number]) if np.isnan(way[number]) else float(way[number])
    return told


def strategies(answer: Explanation) -> list[tuple[int, frozenset[tuple[str, float]]]]:
    """Row, changed columns and their directions of each answer; no direction where there is no order."""
    return [
        (int(row), frozenset((name, _direction(way)) for name, way in told.items()))
        for row, told in zip(answer.row, moves(answer), strict=True)
    ]


def _direction(way: float | str) -> float:
    return 0.0 if isinstance(way, str) else float(np.sign(way))


def dominated(answer: Explanation) -> list[tuple[int, int]]:
    """Pairs of answers to one row of which the first moves every number as the second does, one of them by less."""
    told = moves(answer)
    return [
        (one, other)
        for one in range(len(answer.row))
        for other in range(len(answer.row))
        if answer.row[one] == answer.row[other] and _smaller(told[one], told[other])
    ]


def _smaller(one: dict[str, float | str], other: dict[str, float | str]) -> bool:
    if set(one) != set(other):
        return False
    pairs = [(one[name], other[name]) for name in one]
    texts = [a == b for a, b in pairs if isinstance(a, str) or isinstance(b, str)]
    ways = [(a, b) for a, b in pairs if not isinstance(a, str) and not isinstance(b, str)]
    same = all(np.sign(a) == np.sign(b) and abs(a) <= abs(b) for a, b in ways)
    return all(texts) and same and any(abs(a) < abs(b) for a, b in ways)

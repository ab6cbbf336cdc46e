"""Relatives of rare rows: which rows they come of, which are kept, and where they stand in the table."""

import numpy as np
import pandas as pd
import pytest

from counterflownet.explain import relatives as module
from counterflownet.explain.relatives import with_relatives
from counterflownet.training.directions import Direction, Directions

GRADES = pd.CategoricalDtype(["low", "mid", "high"], ordered=True)
BORDER, LAST = 260, 268  # 260 rows of the first class, of which some are held back; eight of the second


class Asked:
    """A classifier that goes by one column, unless a row says two things in a way it minds; it remembers every call."""

    classes = ("common", "rare", "single", "none")

    def __init__(self, *, fussy: bool = False, again: bool = True) -> None:
        self.fussy, self.again, self.calls = fussy, again, []

    def probabilities(self, rows: pd.DataFrame) -> np.ndarray:
        self.calls.append(rows.copy())
        return np.eye(4)[self.says(rows) if self.again or len(self.calls) == 1 else np.full(len(rows), 3)]

    def says(self, rows: pd.DataFrame) -> np.ndarray:
        minds = (rows["number"] + rows["float"].astype(int)) % 2 == 1
        return np.where(self.fussy & minds, 3, np.digitize(rows["number"], [BORDER, LAST]))


def table() -> pd.DataFrame:
    """Rows of which no two share a value, but for missing ones and those of columns of few values."""
    number = np.arange(LAST + 1)
    return pd.DataFrame(
        {
            "number": number,
            "float": number + 0.25,
            "word": [f"word {one}" for one in number],
            "grade": pd.Categorical.from_codes(number % 3, dtype=GRADES),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(number, unit="D"),
            "count": pd.array([pd.NA if one % 5 == 0 else one for one in number], dtype="Int64"),
            "small": number.astype(np.float32),
        },
        index=[f"row {one}" for one in number[::-1]],
    )


ROWS = table()


def related(classifier: Asked | None = None, rows: pd.DataFrame = ROWS, seed: int = 0):
    classifier = classifier or Asked()
    directions = Directions.of(classifier.probabilities(rows).argmax(axis=1), 4, 0)
    return directions, *with_relatives(directions, rows, classifier, seed)


def learned_by_class(directions: Directions) -> dict[int, np.ndarray]:
    return {way.predicted: way.learned for way in directions}


def added(before: Directions, after: Directions, number: int) -> np.ndarray:
    """The rows that a class was joined by."""
    own, new = learned_by_class(before)[number], learned_by_class(after)[number]
    assert new[: len(own)].tolist() == own.tolist()
    return new[len(own) :]


def of_class(number: int, seed: int = 0) -> tuple[np.ndarray, pd.DataFrame]:
    """The learned rows of a class, and its relatives as its new row numbers find them."""
    before, after, relatives = related(seed=seed)
    both = pd.concat([ROWS.reset_index(drop=True), relatives], ignore_index=True)
    return learned_by_class(before)[number], both.iloc[added(before, after, number)].reset_index(drop=True)


@pytest.mark.parametrize("number", [0, 1])
def test_each_cell_of_a_relative_comes_from_one_of_two_learned_rows_of_its_class(number) -> None:
    learned, found = of_class(number)
    assert len(found) > 20
    for relative in found.to_dict("records"):
        # The row that most is from has its own number in columns whose values are never repeated.
        parents = {relative["number"], int(relative["float"]), int(relative["word"].split()[1])}
        parents |= {(relative["day"] - pd.Timestamp("2024-01-01")).days, int(relative["small"])}
        assert 1 <= len(parents) <= 2
        assert parents <= set(learned.tolist())
        if not pd.isna(relative["count"]):
            parents |= {relative["count"]}
            assert len(parents) <= 2
        if len(parents) == 2:
            assert relative["grade"] in {GRADES.categories[one % 3] for one in parents}


def test_no_row_that_is_held_back_is_a_parent() -> None:
    directions, _, relatives = related()
    (held,) = {tuple(way.measured) for way in directions if way.predicted == 0}
    assert len(held) >= 10
    assert not set(relatives["number"]) & set(held)
    assert not set(relatives["word"]) & set(ROWS["word"].iloc[list(held)])
    assert len(set(relatives["number"])) > 200  # of all learned rows, not of a few


def test_every_column_is_of_the_other_row_with_a_chance_of_three_in_ten() -> None:
    _, found = of_class(0)
    of = np.stack([found["number"], found["float"].astype(int), found["small"].astype(int)], axis=1)
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert abs((of[:, one] != of[:, other]).mean() - 2 * 0.3 * 0.7) < 0.04


def test_relatives_are_put_in_the_class_by_the_classifier() -> None:
    classifier = Asked(fussy=True)
    before, after, relatives = related(classifier)
    assert (classifier.says(classifier.calls[1]) == 3).any()
    says = classifier.says(pd.concat([ROWS, relatives], ignore_index=True))
    for number in (0, 1):
        rows = added(before, after, number)
        assert len(rows) > 0
        assert (says[rows] == number).all()


def test_a_class_no_relative_is_put_in_has_none() -> None:
    before, after, relatives = related(Asked(again=False))
    assert len(relatives) == 0
    assert [way.learned.tolist() for way in after] == [way.learned.tolist() for way in before]


def test_a_row_has_ten_relatives_at_most() -> None:
    before, after, _ = related()
    assert len(added(before, after, 1)) == 8 * module.PER_ROW == 80


@pytest.mark.parametrize(("enough", "expected"), [(300, 300 - 247), (248, 1), (247, 0), (100, 0)])
def test_a_class_grows_until_it_has_enough_and_no_further(monkeypatch, enough, expected) -> None:
    monkeypatch.setattr(module, "ENOUGH", enough)
    before, after, _ = related()
    assert len(learned_by_class(before)[0]) == 247
    assert len(added(before, after, 0)) == expected


@pytest.mark.parametrize(("rows", "learned", "spare"), [(3_999, 1, 0), (4_000, 0, 4_000), (30_000, 0, 20_000)])
def test_of_four_thousand_rows_or_more_relatives_are_spare(rows, learned, spare) -> None:
    many = ROWS.iloc[np.arange(rows) % 200]
    directions = Directions((Direction(0, 1, np.arange(rows), np.arange(1), False),), np.arange(rows))
    found, relatives = with_relatives(directions, many, Asked(), 0)
    (way,) = found
    assert way.learned.tolist() == list(range(rows + learned))
    assert way.spare.tolist() == list(range(rows, rows + spare))
    assert way.missable.tolist() == [*way.learned.tolist(), *way.spare.tolist()]
    assert len(relatives) == learned + spare


def test_a_class_of_one_row_has_no_relatives() -> None:
    before, after, _ = related()
    assert len(added(before, after, 2)) == 0
    pair = pd.concat([ROWS.iloc[[0] * 3], ROWS.iloc[-4:-2]])  # three rows of a class, and two of the other
    before, after, _ = related(rows=pair)
    assert len(added(before, after, 1)) == 2 * module.PER_ROW


def test_without_a_rare_class_nothing_changes_and_nobody_is_asked() -> None:
    classifier = Asked()
    before, after, relatives = related(classifier, rows=ROWS.iloc[[-1]])
    assert after is before
    assert len(relatives) == 0
    assert relatives.dtypes.tolist() == ROWS.dtypes.tolist()
    assert len(classifier.calls) == 1  # about the rows themselves


def test_the_new_row_numbers_are_those_of_the_relatives_each_once() -> None:
    before, after, relatives = related(Asked(fussy=True))
    numbers = np.concatenate([added(before, after, number) for number in (0, 1)])
    assert numbers.tolist() == list(range(len(ROWS), len(ROWS) + len(relatives)))


def test_rows_that_are_measured_on_and_all_else_of_the_directions_stay_as_they_are() -> None:
    before, after, _ = related()
    assert after.learned.tolist() == before.learned.tolist()
    for one, other in zip(before, after, strict=True):
        assert (one.predicted, one.target, one.held_out) == (other.predicted, other.target, other.held_out)
        assert one.measured.tolist() == other.measured.tolist()


def test_relatives_have_the_columns_of_the_table_with_their_types() -> None:
    classifier = Asked()
    _, _, relatives = related(classifier)
    assert relatives.dtypes.to_dict() == ROWS.dtypes.to_dict() == classifier.calls[1].dtypes.to_dict()
    assert relatives.columns.tolist() == ROWS.columns.tolist()
    assert relatives.index.tolist() == list(range(len(relatives)))
    both = pd.concat([ROWS.reset_index(drop=True), relatives], ignore_index=True)
    assert both.dtypes.to_dict() == ROWS.dtypes.to_dict()


def test_the_seed_decides_on_the_relatives() -> None:
    one, again, other = (related(seed=seed)[2] for seed in (0, 0, 1))
    pd.testing.assert_frame_equal(one, again)
    assert not one.head(20).equals(other.head(20))


def test_the_relatives_of_a_class_do_not_depend_on_the_other_classes() -> None:
    _, found = of_class(1)
    common = pd.concat([ROWS.iloc[:50], ROWS.iloc[BORDER:LAST]])
    before, after, relatives = related(rows=common)
    alone = relatives.iloc[added(before, after, 1) - len(common)].reset_index(drop=True)
    pd.testing.assert_frame_equal(found, alone)


def test_the_classifier_is_asked_once_about_twice_as_many_as_are_wanted() -> None:
    classifier = Asked()
    related(classifier)
    (asked,) = classifier.calls[1:]
    assert asked.index.tolist() == list(range(2 * (10 * 247 + 10 * 8)))

"""The checker of the fuzz knows the borders of constraints, and takes nothing else for one."""

from datetime import timedelta

import pandas as pd
import pytest

from attacks.border_values import BorderValues
from attacks.plain_cells import plain

WHOLE = BorderValues({0, 50, 100}, "int64")
FLOATS = BorderValues({0.5, 50.0, 100.0}, "float64")
NARROW = BorderValues({0.25, 50.0, 100.0}, "float32")
DAYS = BorderValues({plain(pd.Timestamp(day)) for day in ("2020-01-01", "2020-03-01")}, "datetime64[us]")
HOURS = BorderValues({plain(pd.Timestamp(day)) for day in ("2020-01-01 05:00", "2020-03-01")}, "datetime64[us]")


def moment(text: str):
    return plain(pd.Timestamp(text))


FEBRUARY, SEVEN, NOON = moment("2020-02-01"), moment("2020-02-01 07:00"), moment("2020-02-04 12:00")
LATE = pd.Timestamp("2020-02-09 07:00:00.5")


@pytest.mark.parametrize(
    ("column", "rule", "old", "good", "bad"),
    [
        (WHOLE, ("Range", (10, 90)), 95, [10, 90], [9, 11, 89, 91]),
        (WHOLE, ("Range", (10.5, 90.5)), 95, [11, 90], [10, 10.5, 91, 12]),
        (WHOLE, ("Range", (10, None)), 95, [10], [90, 100]),
        (WHOLE, ("MaxStep", (7.9,)), 40, [33, 47], [32, 48, 40, 32.1]),
        (WHOLE, ("MaxStep", (10,)), 95, [85], [105]),  # beyond all of training
        (WHOLE, ("MaxStep", (10,)), 200, [190], [210]),
        (WHOLE, ("MaxStep", (10,)), None, [], [10, 40]),
        (FLOATS, ("MaxStep", (0.1,)), 0.7, [0.6, 0.8, 0.7 - 0.1], [0.61, 0.7, 0.600001]),
        (NARROW, ("Range", (1 / 3, 70.0)), 5.0, [0.3333333432674408, 70.0], [0.33333, 0.33334, 69.9999]),
        (DAYS, ("MaxStep", (3.5,)), FEBRUARY, [moment("2020-01-29"), moment("2020-02-04")], [NOON]),
        (HOURS, ("MaxStep", (timedelta(hours=7),)), FEBRUARY, [SEVEN], [NOON, FEBRUARY]),
        (HOURS, ("Range", (None, LATE)), FEBRUARY, [moment("2020-02-09 07:00")], [moment("2020-02-09 07:00:01")]),
    ],
    ids=str,
)
def test_borders_are_taken_for_borders_and_nothing_else_is(column, rule, old, good, bad) -> None:
    assert all(column.holds(new, old, [rule]) for new in good)
    assert not any(column.holds(new, old, [rule]) for new in bad)


def test_without_a_rule_there_is_no_border() -> None:
    assert not WHOLE.holds(10, 95, [])

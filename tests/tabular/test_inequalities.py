"""Which numbers and dates are never above others: where it says something, and where ranges say it all."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Schema
from counterflownet.tabular.relations.inequalities import inequalities
from counterflownet.tabular.relations.seen import SeenTable

DRAW = np.random.default_rng(0)
COUNT = 400
TOTAL = DRAW.integers(1, 40, COUNT)
GOOD = DRAW.binomial(TOTAL, 0.8)


def found(**columns) -> list[tuple[str, str, bool]]:
    frame = pd.DataFrame(columns)
    told = inequalities(SeenTable.of(Schema.infer(frame), frame))
    return [(one.low.name, one.high.name, one.strict) for one in told]


def test_a_part_is_never_above_its_whole() -> None:
    assert found(good=GOOD, total=TOTAL) == [("good", "total", False)]


def test_whole_numbers_that_are_always_below_are_told_as_strictly_below() -> None:
    assert found(good=GOOD, total=TOTAL + 1) == [("good", "total", True)]


def test_fractions_are_never_strict_since_they_are_hardly_ever_equal() -> None:
    wage = DRAW.random(COUNT)
    assert found(net=wage * (0.95 + 0.05 * DRAW.random(COUNT)), gross=wage) == [("net", "gross", False)]


def test_dates_are_compared_with_dates_alone() -> None:
    begin = pd.Timestamp("2024-01-01") + pd.to_timedelta(DRAW.integers(0, 300, COUNT), unit="D")
    end = begin + pd.to_timedelta(DRAW.integers(0, 30, COUNT), unit="D")
    assert found(end=end, begin=begin, day=np.arange(COUNT)) == [("begin", "end", False)]


def test_of_a_chain_only_the_steps_are_told() -> None:
    told = found(a=GOOD, b=TOTAL, c=TOTAL + DRAW.integers(0, 3, COUNT))
    assert told == [("a", "b", False), ("b", "c", False)]


SHARE = DRAW.random(COUNT)
FREE, LATER = DRAW.random(4 * COUNT), DRAW.random(4 * COUNT) + 0.3
NOT_ABOVE = FREE <= LATER
CLUSTER = np.arange(COUNT) < 10


@pytest.mark.parametrize(
    ("low", "high"),
    [
        pytest.param(TOTAL, TOTAL + 20, id="never near"),
        pytest.param(FREE[NOT_ABOVE], LATER[NOT_ABOVE], id="unrelated"),
        pytest.param(SHARE**4 / 5, SHARE**4, id="of another size"),
        pytest.param(np.where(CLUSTER, 0.99, SHARE / 2), np.where(CLUSTER, 1.0, 1 + SHARE / 2), id="separate ranges"),
        pytest.param(TOTAL, TOTAL, id="the same"),
        pytest.param(TOTAL % 2, TOTAL % 2 + DRAW.integers(0, 2, COUNT), id="too few values"),
    ],
)
def test_what_ranges_or_units_say_by_themselves_is_not_told(low, high) -> None:
    assert found(low=low, high=high) == []


def test_numbers_are_not_compared_with_the_days_of_dates() -> None:
    days = DRAW.integers(19_000, 19_300, COUNT)
    assert found(begin=pd.to_datetime(days, unit="D"), number=days + DRAW.integers(0, 20, COUNT)) == []


def test_exceptions_beyond_the_first_look_are_seen() -> None:
    total = np.tile(TOTAL, 13)
    good = np.tile(GOOD, 13)
    good[2_224] = total[2_224] + 1  # which is not among the rows of the first look
    assert found(good=good, total=total) == []


def test_one_exception_is_enough_to_say_nothing() -> None:
    good = GOOD.copy()
    good[7] = TOTAL[7] + 1
    assert found(good=good, total=TOTAL) == []


def test_missing_values_break_nothing() -> None:
    good = pd.Series(GOOD, dtype=float).mask(np.arange(COUNT) % 5 == 0)
    assert found(good=good, total=TOTAL) == [("good", "total", False)]

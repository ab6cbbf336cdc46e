"""What may be asked for, before any model is asked: what the objects say of themselves, and what they refuse."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterflownet import AnyOf, AtLeast, AtMost, Between, By, CounterFlowNetError, Not

NUMBERS = st.floats(-1e6, 1e6)


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (AnyOf("good", "fair"), "AnyOf('good', 'fair')"),
        (Not("bad"), "Not('bad')"),
        (Between(1, 2.5), "Between(1, 2.5)"),
        (AtLeast(0.6), "AtLeast(0.6)"),
        (AtMost(-3), "AtMost(-3)"),
        (By(0.2), "By(+0.2)"),
        (By(percent=-20), "By(percent=-20.0)"),
    ],
)
def test_a_target_is_shown_as_it_is_written(target, shown) -> None:
    assert repr(target) == shown
    assert eval(shown) == target  # noqa: S307 - our own words


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (AnyOf, "at least one class"),
        (lambda: AnyOf(["good", "fair"]), r"AnyOf\(\*\['good', 'fair'\]\)"),
        (lambda: Between(2, 1), r"low <= high.*Between\(1, 2\)"),
        (lambda: Between(math.nan, 1), "finite number; got nan"),
        (lambda: AtLeast("0.6"), "finite number; got '0.6'"),
        (lambda: AtMost(math.inf), "finite number; got inf"),
        (lambda: AtLeast(True), "finite number; got True"),
        (By, "an amount or a percentage"),
        (lambda: By(1, percent=2), "an amount or a percentage"),
        (lambda: By(0), "no change"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(mistake, told) -> None:
    with pytest.raises(CounterFlowNetError, match=told):
        mistake()


@given(NUMBERS, NUMBERS.filter(bool))
def test_by_asks_for_the_side_of_its_sign_and_excludes_what_a_row_has(before, amount) -> None:
    interval = By(amount).interval(before)
    assert isinstance(interval, AtLeast if amount > 0 else AtMost)
    assert interval.low == before + amount or interval.high == before + amount


@given(NUMBERS.filter(lambda number: abs(number) > 1e-3), st.floats(1, 500))
def test_a_percentage_is_of_the_size_of_the_prediction_whatever_its_sign(before, percent) -> None:
    assert By(percent=percent).interval(before).low > before
    assert By(percent=-percent).interval(before).high < before


def test_a_percentage_of_nothing_has_no_meaning() -> None:
    with pytest.raises(CounterFlowNetError, match="own prediction is 0"):
        By(percent=20).interval(0.0)

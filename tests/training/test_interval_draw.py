"""The intervals that a flow is trained for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterflownet.flow.interval_code import OPEN
from counterflownet.training.interval_draw import KINDS, IntervalDraw

OWN = np.linspace(0.0, 1.0, 101)
DRAW = IntervalDraw(OWN, seed=0)
SOURCE = np.tile(np.arange(len(OWN)), 4)
KIND = np.repeat([1, 2, 3, 4], len(OWN))


@given(st.integers(0, 1_000))
def test_no_interval_holds_the_rows_own_prediction(step) -> None:
    low, high, own = DRAW(SOURCE, KIND, step).T
    assert np.allclose(own, OWN[SOURCE])
    assert (low <= high).all()
    assert ((own < low) | (own > high)).all()


def test_each_kind_is_on_its_side_and_has_its_ends() -> None:
    low, high, own = DRAW(SOURCE, KIND, 0).T
    inner = (own > 0.05) & (own < 0.95)
    for kind, name in enumerate(KINDS[1:], start=1):
        mine = inner & (kind == KIND)
        assert ((low > own) if "higher" in name else (high < own))[mine].all()
        closed = (low[mine] > -OPEN / 2) & (high[mine] < 1 + OPEN / 2)
        assert closed.all() if "between" in name else not closed.any()


def test_there_are_near_and_far_narrow_and_wide_ones() -> None:
    low, high, own = np.concatenate([DRAW(SOURCE, KIND, step) for step in range(20)]).T
    away = np.maximum(low - own, own - high)[np.abs(own - 0.5) < 0.4]
    assert np.quantile(away, 0.05) < 0.05
    assert np.quantile(away, 0.95) > 0.6
    width = (high - low)[np.tile(KIND > 2, 20)]
    assert np.quantile(width, 0.1) < 0.03
    assert np.quantile(width, 0.9) > 0.3


def test_the_same_step_has_the_same_intervals_and_another_one_others() -> None:
    again = IntervalDraw(OWN, seed=0)
    assert (DRAW(SOURCE, KIND, 3) == again(SOURCE, KIND, 3)).all()
    assert (DRAW(SOURCE, KIND, 3) != DRAW(SOURCE, KIND, 4)).any()

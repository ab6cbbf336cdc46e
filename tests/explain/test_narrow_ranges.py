"""Ranges so narrow that no code's value is inside: training values there, and the borders, can still be reached."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counterflownet import CounterFlowNet, Immutable, MaxChanges, Mutable, OneOf, Outcome, Range
from counterflownet.errors import ConstraintError

BAR = 6_000


def likely(rows: pd.DataFrame) -> np.ndarray:
    yes = np.where(rows["income"] >= BAR, 0.8, 0.2)
    return np.column_stack([1 - yes, yes])


@pytest.fixture(scope="module", name="table")
def made_table() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    return pd.DataFrame({"income": draw.lognormal(8, 1, 3_000).round(), "age": draw.integers(18, 80, 3_000)})


@pytest.fixture(scope="module", name="explainer")
def fitted(table) -> CounterFlowNet:
    training = {"steps": 20, "batch_rows": 32, "width": 16}
    return CounterFlowNet(likely, classes=["no", "yes"], training=training, seed=0).fit(table, progress=False)


@pytest.fixture(scope="module", name="gap")
def between_codes(explainer) -> tuple[float, float]:
    """A range above the bar that holds training values and no value of a code."""
    codes = explainer.schema["income"].code_numbers
    low, high = next((a, b) for a, b in pairwise(codes) if a > BAR and b - a > 60)
    return low + 10, high - 10


@pytest.mark.parametrize("others", [[], [Mutable("income")], [Immutable("age")], [MaxChanges(1)]])
def test_a_row_outside_gets_an_answer_inside(explainer, table, gap, others) -> None:
    poor = table[table["income"] < 3_000].head(20)
    answer = explainer.explain(poor, target="yes", constraints=[Range("income", *gap), *others])
    assert set(answer.row) == set(range(20))
    assert (answer.counterfactuals["income"] == gap[0]).all()  # the border is the nearest of all
    assert not answer.counterfactuals.assign(row=answer.row).duplicated().any()


def test_samples_are_inside_too(explainer, table, gap) -> None:
    poor = table[table["income"] < BAR].head(50)
    drawn = explainer.sample(poor, target="yes", samples=4, constraints=[Range("income", *gap)])
    assert len(drawn.row) == 50 * 4
    assert drawn.counterfactuals["income"].between(*gap).all()
    diagnosis = explainer.diagnose(poor.head(3), target="yes", constraints=[Range("income", *gap)])
    assert np.isfinite(diagnosis.rows["effective_share"]).all()


def test_a_row_inside_may_change_although_no_code_is_left(explainer, gap) -> None:
    inside = pd.DataFrame({"income": [round(sum(gap) / 2)], "age": [30]}).astype({"income": float})
    told = explainer.explain(inside, target="no", constraints=[Mutable("income"), Range("income", *gap)])
    assert [one.outcome for one in told.outcomes] == [Outcome.NONE_VALID]  # looked for, and rightly not found
    assert "edited rows were tried" in told.outcomes[0].detail


def test_a_range_of_one_value_that_no_row_has_is_a_border_to_stop_at(explainer, table) -> None:
    value = next(value for value in range(6_500, 9_000) if value not in set(table["income"]))
    answer = explainer.explain(
        table[table["income"] < BAR].head(5), target="yes", constraints=[Range("income", value, value)]
    )
    assert (answer.counterfactuals["income"] == value).all()
    assert set(answer.row) == set(range(5))


def test_two_ranges_that_meet_between_codes_do_not_contradict_each_other(explainer, table, gap) -> None:
    low, high = gap
    rules = [Range("income", None, high), Range("income", low, None)]
    assert len(explainer.explain(table.head(3), target="yes", constraints=rules).row) > 0
    touching = [Range("income", None, low), Range("income", low, None)]
    found = explainer.explain(table[table["income"] < BAR].head(3), target="yes", constraints=touching)
    assert (found.counterfactuals["income"] == low).all()


def test_a_value_and_a_range_without_it_still_do(explainer) -> None:
    code = explainer.schema["income"].code_numbers[5]
    with pytest.raises(ConstraintError, match="contradict each other"):
        explainer.explain(
            pd.DataFrame({"income": [1.0], "age": [20]}),
            constraints=[OneOf("income", [code]), Range("income", code + 1, None)],
        )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2_999), st.integers(0, 2_998), st.integers(0, 40))
def test_whatever_the_range_what_comes_back_is_in_it(explainer, table, row, first, width) -> None:
    values = np.sort(table["income"].unique())
    low, high = values[min(first, len(values) - 1)] - 0.5, values[min(first, len(values) - 1)] + width + 0.5
    asked = table.iloc[[row]]
    answer = explainer.explain(asked, constraints=[Range("income", low, high)])
    assert answer.outcomes[0].outcome not in (Outcome.CONTRADICTION, Outcome.NOTHING_ALLOWED)
    assert answer.counterfactuals["income"].between(low, high).all()
    possible = (likely(pd.DataFrame({"income": [low + 0.5, high - 0.5]})).argmax(axis=1) == answer.targets[0]).any()
    assert (len(answer.row) > 0) >= bool(possible and asked["income"].iloc[0] < low)


def test_a_border_that_two_constraints_set_is_one_value(explainer, table, gap) -> None:
    low, high = gap
    rules = [Range("income", low, high), Range("income", low, high + 5_000), Range("income", None, high)]
    answer = explainer.explain(table[table["income"] < BAR].head(20), target="yes", constraints=rules)
    assert len(answer.row) > 0
    assert not answer.counterfactuals.assign(row=answer.row).duplicated().any()


def test_what_is_learned_under_a_narrow_range_is_inside_it(table, gap) -> None:
    seen: list[pd.DataFrame] = []

    def watching(rows: pd.DataFrame) -> np.ndarray:
        seen.append(rows.copy())
        return likely(rows)

    numbered = table.assign(number=np.arange(len(table)))
    training = {"steps": 3, "batch_rows": 64, "width": 16}
    explainer = CounterFlowNet(watching, classes=["no", "yes"], training=training, seed=0)
    explainer.fit(numbered, progress=False, constraints=[Range("income", *gap), Immutable("number")])
    learned = pd.concat(seen[2:])  # after the table and made-up rows
    changed = learned[learned["income"].to_numpy() != table["income"].to_numpy()[learned["number"]]]
    assert len(changed) > 0
    assert changed["income"].between(*gap).all()

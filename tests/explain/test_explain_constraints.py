"""Constraints hold in every row that comes back, for all rows or for one."""

import numpy as np
import pandas as pd
import pytest
from explained import begun_as, differs, found

from counterflownet import (
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
)

HOLDS = {
    "Immutable": (Immutable("age", "city"), lambda old, new: ~differs(old["age"], new["age"])),
    "Mutable": (Mutable("city", "age"), lambda old, new: ~differs(old["income"], new["income"])),
    "Increasing number": (
        Increasing("income"),
        lambda old, new: old["income"].isna() | (new["income"] >= old["income"]),
    ),
    "Increasing order": (Increasing("grade"), lambda old, new: new["grade"].cat.codes >= old["grade"].cat.codes),
    "Decreasing date": (Decreasing("since"), lambda old, new: new["since"] <= old["since"]),
    "Range": (Range("age", 30, 50), lambda old, new: new["age"].between(30, 50)),
    "Range of dates": (Range("since", "2021-01-01"), lambda old, new: new["since"] >= pd.Timestamp("2021-01-01")),
    "Range of an order": (Range("grade", high="mid"), lambda old, new: new["grade"] <= "mid"),
    "OneOf": (OneOf("city", ["oslo", "lima"]), lambda old, new: new["city"].isin(["oslo", "lima"])),
    "NotOneOf": (NotOneOf("job", ["cook"]), lambda old, new: new["job"] != "cook"),
    "MaxStep": (MaxStep("age", 5), lambda old, new: (new["age"] - old["age"]).abs() <= 5),
    "MaxStep of days": (
        MaxStep("since", 100),
        lambda old, new: (new["since"] - old["since"]).abs() <= pd.Timedelta(days=100),
    ),
    "MaxChanges": (
        MaxChanges(2),
        lambda old, new: sum(differs(old[column], new[column]).astype(int) for column in old.columns) <= 2,
    ),
}


@pytest.mark.parametrize(("constraint", "holds"), HOLDS.values(), ids=HOLDS)
def test_constraints_hold_in_every_row_that_comes_back(explainer, people, constraint, holds) -> None:
    answer = explainer.sample(people.head(30), samples=20, constraints=[constraint])
    assert len(answer.row) > 100
    assert np.asarray(holds(begun_as(answer), found(answer)), dtype=bool).all()


def test_constraints_compose(explainer, people) -> None:
    rules = [Mutable("age", "income", "grade"), Increasing("age"), MaxStep("age", 10), MaxChanges(2)]
    answer = explainer.sample(people.head(30), samples=20, constraints=rules)
    rise = found(answer)["age"] - begun_as(answer)["age"]
    assert rise.between(0, 10).all()
    assert (rise > 0).any()
    assert answer.changed.sum(axis=1).max() <= 2


def test_a_row_can_have_constraints_of_its_own(explainer, rejected) -> None:
    label = rejected.index[2]
    answer = explainer.sample(rejected, samples=60, row_constraints={label: [Mutable("age"), Increasing("age")]})
    own = answer.row == 2
    age = answer.factuals.columns.get_loc("age")
    assert answer.changed[own, age].all()
    assert (answer.changed[own].sum(axis=1) == 1).all()
    assert answer.changed[~own].sum(axis=1).max() > 1


def test_constraints_of_a_row_add_to_those_of_all_rows(explainer, rejected) -> None:
    label = rejected.index[0]
    answer = explainer.sample(
        rejected, samples=40, constraints=[Immutable("age")], row_constraints={label: [Immutable("city")]}
    )
    names = answer.to_frame()["changed"]
    assert not names.map(lambda changed: "age" in changed).any()
    assert not names[answer.row == 0].map(lambda changed: "city" in changed).any()
    assert names[answer.row != 0].map(lambda changed: "city" in changed).any()


def test_constraints_of_a_row_reach_it_in_whatever_chunk_it_is(explainer, rejected) -> None:
    rules = {label: [Mutable("age")] for label in rejected.index[[1, 6]]}
    answer = explainer.sample(rejected, samples=30, row_constraints=rules, chunk_rows=3)
    limited = np.isin(answer.row, [1, 6])
    assert (answer.changed[limited].sum(axis=1) == 1).all()
    assert (answer.changed[~limited].sum(axis=1) > 1).any()

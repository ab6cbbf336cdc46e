import pandas as pd
import pytest
from constrained_table import SCHEMA, X, compiled, compiled_for, left, must_change, rows_like

from counterflownet.errors import ConstraintError
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import (
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


def test_constraints_compose_by_what_all_of_them_leave():
    allowance = compiled(
        Increasing("age"), MaxStep("age", 15), NotOneOf("job", ["nurse"]), OneOf("job", X["job"].tolist())
    )
    assert left(allowance, "age") == [50]
    assert left(allowance, "job") == ["pilot", "smith", "tailor"]


def test_the_fewest_changes_count():
    assert compiled(MaxChanges(3), MaxChanges(2), MaxChanges(4)).allowed.most_changes.tolist() == [2]
    assert compiled().allowed.most_changes.tolist() == [6]


@pytest.mark.parametrize(
    ("one", "other", "column"),
    [
        (Immutable("age", "job"), Mutable("job"), "job"),
        (Increasing("income", "age"), Decreasing("age"), "age"),
        (Range("age", 20, 30), Range("age", 50, 60), "age"),
        (OneOf("job", ["cook"]), NotOneOf("job", ["cook"]), "job"),
        (Range("grade", "low", "mid"), OneOf("grade", ["top"]), "grade"),
    ],
)
def test_constraints_that_exclude_each_other_in_any_row_are_both_named(one, other, column):
    with pytest.raises(ConstraintError, match="contradict each other") as caught:
        compiled(other, Range("income", 1.0), one)
    assert all(text in str(caught.value) for text in (repr(one), repr(other), repr(column)))


def test_a_row_that_cannot_obey_is_told_why():
    (text,) = compiled(Range("age", 50, 60), Immutable("age")).contradictions.values()
    assert text == "Range('age', 50, 60) and Immutable('age') leave no value for 'age', which is 40"


def test_rows_that_can_obey_are_not_told_anything():
    codec = Codec(SCHEMA, rows_like({"age": 40}, {"age": 60}, {"age": 20}))
    allowance = compiled_for(codec, [Range("age", 30, 60), Decreasing("age")])
    assert list(allowance.contradictions) == [2]


def test_fewer_changes_than_must_be_made_are_a_contradiction():
    (text,) = compiled(Range("age", 50), OneOf("job", ["nurse"]), MaxChanges(1)).contradictions.values()
    assert text == "MaxChanges(1) is not enough: 'age', 'job' must change"


def test_as_many_changes_as_must_be_made_are_enough():
    allowance = compiled(Range("age", 50), OneOf("job", ["nurse"]), MaxChanges(2))
    assert not allowance.contradictions
    assert must_change(allowance) == ["age", "job"]


def test_constraints_of_single_rows_add_to_those_of_all():
    rows = rows_like({}, {}).set_axis(["p", "q"])
    allowance = compiled_for(Codec(SCHEMA, rows), [Increasing("age")], {"q": [MaxStep("age", 10), MaxChanges(1)]})
    assert left(allowance, "age", row=0) == [50, 60]
    assert left(allowance, "age", row=1) == [50]
    assert allowance.allowed.most_changes.tolist() == [6, 1]


@pytest.mark.parametrize("labels", [["p", "q", "p"], [3, 1, 3], [("a", 1), ("b", 2), ("a", 1)]], ids=str)
def test_a_label_that_occurs_twice_means_both_rows(labels):
    rows = rows_like({}, {}, {}).set_axis(pd.Index(labels))
    allowance = compiled_for(Codec(SCHEMA, rows), [], {labels[0]: [Immutable("age")]})
    assert [bool(left(allowance, "age", row)) for row in range(3)] == [False, True, False]


@pytest.mark.parametrize("label", ["z", 7, None, ("p", 1)], ids=repr)
def test_a_label_that_is_not_there_is_named(label):
    codec = Codec(SCHEMA, rows_like({}).set_axis(["p"]))
    with pytest.raises(ConstraintError, match="which is not among the rows to explain"):
        compiled_for(codec, [], {label: [Immutable("age")]})


def test_constraints_of_a_row_that_contradict_those_of_all_are_the_outcome_of_that_row_alone():
    rows = rows_like({}, {}).set_axis(["p", "q"])
    allowance = compiled_for(Codec(SCHEMA, rows), [Increasing("age")], {"q": [Decreasing("age")]})
    assert dict(allowance.contradictions) == {
        1: "Increasing('age') and Decreasing('age') contradict each other on 'age'. Drop one."
    }


@pytest.mark.usefixtures("without_annotations")
def test_what_is_no_constraint_is_named():
    with pytest.raises(ConstraintError, match=r"'age' is not a constraint; use objects such as Immutable\('age'\)"):
        compiled("age")


def test_a_category_never_seen_may_stay_and_any_seen_one_is_left():
    allowance = compiled(job="jester")
    assert left(allowance, "job") == X["job"].tolist()
    assert must_change(allowance) == []


def test_rows_do_not_depend_on_each_other():
    changes = [{"age": 25}, {"grade": "low"}, {"joined": None}]
    constraints = [Increasing("age", "grade"), Range("joined", "2020-01-05")]
    together = compiled_for(Codec(SCHEMA, rows_like(*changes)), constraints).allowed
    for number, change in enumerate(changes):
        alone = compiled(*constraints, **change).allowed
        assert together.codes[number].tolist() == alone.codes[0].tolist()

"""Conditions as sentences: read, written and read again, with errors that show how one is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterflownet import (
    Above,
    Below,
    Changes,
    Condition,
    Equals,
    Falls,
    FallsBy,
    Rises,
    RisesBy,
    Stays,
)
from counterflownet.errors import ConstraintError
from counterflownet.tabular.condition_text import condition_of
from counterflownet.tabular.condition_wording import sentence_of

NAMES = st.one_of(
    st.sampled_from(["age", "rises", "is", "not", "a (b", 'a "b\\', "3", "x  y", "or"]), st.text("aß .-\\\"'()")
)
COLUMNS = st.one_of(NAMES.filter(bool), st.integers(0, 99))
VALUES = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), NAMES)
AMOUNTS = st.integers(1, 9) | st.floats(0.1, 9.0)
ATOMS = st.one_of(
    *(st.builds(kind, COLUMNS) for kind in (Rises, Falls, Changes, Stays)),
    *(st.builds(kind, COLUMNS, VALUES) for kind in (Equals, Above, Below)),
    *(st.builds(kind, COLUMNS, AMOUNTS) for kind in (RisesBy, FallsBy)),
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds(lambda one, other: one & other, inner, inner),
        st.builds(lambda one, other: one | other, inner, inner),
        st.builds(lambda one: ~one, inner),
    ),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("education rises", Rises("education")),
        ("age falls by 2", FallsBy("age", at_least=2)),
        ("age rises by at least 2.5", RisesBy("age", at_least=2.5)),
        ("hours per week stays", Stays("hours per week")),
        ('"rises and falls" changes', Changes("rises and falls")),
        ("job is highly skilled", Equals("job", "highly skilled")),
        ("job is not cook", ~Equals("job", "cook")),
        ("income is above 3000", Above("income", 3000)),
        ("income below 1e3", Below("income", 1000.0)),
        ('zip is "01"', Equals("zip", "01")),
        ("own is true", Equals("own", True)),
        ("not a rises and b falls", ~Rises("a") & Falls("b")),
        ("a rises or b rises and c rises", Rises("a") | (Rises("b") & Rises("c"))),
        ("(a rises or b rises) and c rises", (Rises("a") | Rises("b")) & Rises("c")),
        ("3 rises", Rises(3)),
    ],
)
def test_a_sentence_is_read(text: str, expected: Condition) -> None:
    assert repr(condition_of(text)) == repr(expected)


@given(CONDITIONS)
def test_what_is_written_is_read_again(condition: Condition) -> None:
    assert condition_of(sentence_of(condition)) == condition


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "a column is missing at the end"),
        ("rises", "a column is missing before 'rises'"),
        ("age", "after the column 'age' comes rises, falls, changes, stays or is; nothing follows"),
        ("age grows", "after the column 'age grows' comes rises"),
        ("age rises by much", "'much' is not a number"),
        ("age rises by", "a number is missing at the end"),
        ("age is", "a value is missing at the end"),
        ("age is above and b rises", "a value is missing before 'and'"),
        ("(age rises", "a parenthesis is not closed"),
        ("age rises)", r"'\)' is not expected there"),
        ('"age rises', "a double quote is not closed"),
        ("age rises job stays", "'job' is not expected there"),
        ("(" * 5_000 + "age rises", "it has 5002 words, and 200 are enough"),
    ],
)
def test_an_error_says_what_is_wrong_and_shows_an_example(text: str, what: str) -> None:
    with pytest.raises(ConstraintError, match=what) as error:
        condition_of(text)
    assert '"age rises by 2"' in str(error.value)


def test_a_value_that_no_sentence_can_hold_is_refused() -> None:
    with pytest.raises(ConstraintError, match="cannot be written as a sentence"):
        sentence_of(Equals("a", (1, 2)))

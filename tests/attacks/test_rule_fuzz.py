import pytest

from attacks.rule_checker import broken
from attacks.rule_fuzz import attack, size
from counterflownet import IfThen, LessEqual, OneHot, Rises, RisesBy


@pytest.mark.parametrize("seed", [1_000, 1_001])
def test_no_answer_breaks_a_rule(seed):
    checked, found = attack(seed, calls=3, rows=20)
    assert found == []
    assert checked > 50


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        (LessEqual("a", "b"), {"a": 3}),
        (OneHot("x", "y"), {"y": 1}),
        (IfThen(Rises("a"), RisesBy("b", at_least=1)), {"a": 2}),
        (IfThen(Rises("a"), RisesBy("b", at_least=1), as_="consequence"), {"b": 3}),
    ],
    ids=repr,
)
def test_the_checker_sees_what_is_broken(rule, after):
    before = {"a": 1, "b": 2, "x": 1, "y": 0}
    edited = {"a", "y"} & after.keys()
    assert list(broken([rule], before, before | after, edited, size))
    assert not list(broken([rule], before, before, set(), size))

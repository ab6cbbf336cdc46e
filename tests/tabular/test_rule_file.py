"""Rules as TOML: what is written is read again, by this reader and by any other; faults are told with their place."""

import tomllib
from datetime import timedelta

import pandas as pd
import pytest

from counterflownet import (
    Decreasing,
    Derived,
    Equals,
    IfThen,
    Immutable,
    Increasing,
    LessEqual,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneHot,
    OneOf,
    Range,
    Rises,
    RisesBy,
    Together,
    read_rules,
    suggest_rules,
    write_rules,
)
from counterflownet.errors import ConstraintError

TABLE = pd.DataFrame({"word": ["a", 'b "c"', "d\n"] * 20, "number": [1, 2, 3] * 20, "flag": [True, False, True] * 20})
RULES = [
    Immutable("sex", 3),
    Mutable("a"),
    Increasing("age"),
    Decreasing('odd "name"\\\n\x7f\u202e'),
    Range("amount", 500, None),
    Range("day", "2024-01-01", "2024-02-01"),
    OneOf("job", ["cook", "waiter"]),
    NotOneOf("level", [1, 2.5]),
    MaxStep("amount", 12.5),
    MaxChanges(3),
    LessEqual("good", "total"),
    LessEqual("begin", "end", strict=True, offset=2),
    Together("gross", "net"),
    OneHot("red", "green", "blue"),
    IfThen(Rises("education"), RisesBy("age", at_least=2)),
    IfThen(Rises("education") & ~Equals("job", "cook"), RisesBy("age", at_least=2), "consequence"),
    Derived.lookup("number", "word", TABLE),
    Derived.lookup("flag", "number", TABLE),
]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_a_rule_comes_back_as_it_was(rule, tmp_path) -> None:
    (read,) = read_rules(write_rules(tmp_path / "rules.toml", [rule]))
    assert read == rule
    assert repr(read) == repr(rule)


def test_the_order_is_kept(tmp_path) -> None:
    assert read_rules(write_rules(tmp_path / "rules.toml", RULES)) == RULES


def test_steps_of_time_are_written_in_days(tmp_path) -> None:
    path = write_rules(tmp_path / "rules.toml", [LessEqual("a", "b", offset=timedelta(hours=36))])
    assert read_rules(path) == [LessEqual("a", "b", offset=1.5)]


def test_suggestions_are_written_with_their_sentences(tmp_path) -> None:
    found = suggest_rules(TABLE)
    path = write_rules(tmp_path / "rules.toml", found)
    assert read_rules(path) == found.rules
    assert all(f"# {one.sentence}" in path.read_text() for one in found)


def test_a_function_stays_in_the_program(tmp_path) -> None:
    rule = Derived("bmi", from_=["weight"], by=lambda rows: rows["weight"])
    with pytest.raises(ConstraintError, match=r"computed by a function, which only your program has"):
        write_rules(tmp_path / "rules.toml", [rule])
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_rule_is_refused(tmp_path) -> None:
    with pytest.raises(ConstraintError, match="'sex' cannot be written to a file: it is no rule"):
        write_rules(tmp_path / "rules.toml", ["sex"])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[[rule]\n", "cannot be read as TOML"),
        ("immutable = ['sex']", r"has 'immutable' outside of a rule; begin each with a line \[\[rule\]\]"),
        ("rule = 1", "has 'rule' outside of a rule"),
        ("[[rule]]\nimutable = ['sex']", r"rule 1 of .*unknown kind of rule 'imutable'. Did you mean 'immutable'\?"),
        ("[[rule]]", "unknown kind of rule ''"),
        ("[[rule]]\nimmutable = 'sex'", r"needs a list, such as immutable = \['a', 'b'\]; got 'sex'"),
        ("[[rule]]\nless_equal = ['a']", "less_equal needs two columns"),
        ("[[rule]]\nless_equal = ['a', 'b', 'c']", "less_equal needs two columns"),
        ("[[rule]]\nless_equal = ['a', 'b']\nstrickt = true", "has 'strickt'; besides 'less_equal' it may have strict"),
        ("[[rule]]\nderived = 'a'\nfrom = 'b'", "lacks 'values'"),
        ("[[rule]]\nderived = 'a'\nfrom = 'b'\nvalues = [1]", "are pairs such as"),
        ("[[rule]]\nderived = 'a'\nfrom = 'b'\nvalues = [[[1], 2]]", "cannot be understood"),
        ("[[rule]]\nif = 'age rises'", "lacks 'then'"),
        ("[[rule]]\nif = 'age grows'\nthen = 'b rises'", "cannot read the condition 'age grows'"),
        ("[[rule]]\nif = 3\nthen = 'b rises'", "cannot read the condition '3'"),
        ("[[rule]]\nmax_changes = 1\n[[rule]]\nmax_changes = 'two'", "rule 2 of .*MaxChanges needs a whole number"),
    ],
)
@pytest.mark.usefixtures("without_annotations")
def test_a_fault_is_told_with_its_place(text, what, tmp_path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(text)
    with pytest.raises(ConstraintError, match=what):
        read_rules(path)


def test_a_person_can_read_it(tmp_path) -> None:
    path = write_rules(tmp_path / "rules.toml", [LessEqual("good", "total"), RULES[14]])
    assert '[[rule]]\nless_equal = ["good", "total"]\n' in path.read_text()
    assert tomllib.loads(path.read_text())["rule"][1] == {"if": "education rises", "then": "age rises by 2"}

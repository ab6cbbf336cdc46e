"""Every option of a rule becomes the object it is named after; conditions are sentences about the table's columns."""

from functools import partial

import pandas as pd
import pytest

from counterflownet import Derived, Schema, write_rules
from counterflownet.cli import parsed
from counterflownet.cli.rule_options import joint_rules, known_lookup
from counterflownet.errors import InvalidInputError

TABLE = pd.DataFrame(
    {
        "age": [20, 30],
        "hours per week": [40, 38],
        "zip": ["0100", "0200"],
        "city": ["x", "y"],
        "grade": ["low", "high"],
        "flag": [True, False],
        "day": pd.to_datetime(["2024-01-01", "2024-03-01"]),
    }
)
SCHEMA = Schema.infer(TABLE, orders={"grade": ["low", "high"]})
LOOKUP = Derived.lookup("city", "zip", TABLE)


def rules_of(*words: str) -> list[str]:
    options = parsed(["explain", "a.cfn", "rows.csv", *words])
    return list(map(repr, joint_rules(options, SCHEMA, partial(known_lookup, [LOOKUP]))))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--less-equal", "age, hours per week"], ["LessEqual('age', 'hours per week')"]),
        (["--one-hot", "a,b", "--one-hot", "c,d"], ["OneHot('a', 'b')", "OneHot('c', 'd')"]),
        (["--together", "age,day"], ["Together('age', 'day')"]),
        (["--derived", "city=zip"], ["Derived.lookup('city', 'zip', X)"]),
        (["--if", "grade rises", "--then", "age rises by 2"], ["IfThen(Rises('grade'), RisesBy('age', at_least=2))"]),
        (
            ["--if", "hours per week falls", "--consequence", "zip is 0100"],
            ["IfThen(Falls('hours per week'), Equals('zip', '0100'), as_='consequence')"],
        ),
        (
            ["--if", "day is above 2024-02-01 and flag is true", "--then", "not (grade is low or age is 30)"],
            [
                (
                    "IfThen(Above('day', '2024-02-01') & Equals('flag', True), "
                    "~(Equals('grade', 'low') | Equals('age', 30)))"
                )
            ],
        ),
    ],
)
def test_the_option_becomes_the_rule(words, expected) -> None:
    assert rules_of(*words) == expected


def test_pairs_are_read_in_the_order_they_are_given() -> None:
    words = ["--if", "age rises", "--then", "zip stays", "--if", "age falls", "--consequence", "zip stays"]
    assert rules_of(*words) == [
        "IfThen(Rises('age'), Stays('zip'))",
        "IfThen(Falls('age'), Stays('zip'), as_='consequence')",
    ]


def test_a_file_of_rules_comes_first(tmp_path) -> None:
    path = write_rules(tmp_path / "rules.toml", [LOOKUP])
    words = ["--rules", str(path), "--together", "age,day"]
    assert rules_of(*words) == ["Derived.lookup('city', 'zip', X)", "Together('age', 'day')"]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--less-equal", "age"], "--less-equal needs two columns, such as a,b; got 'age'"),
        (["--if", "age rises"], "each --if needs one --then or --consequence behind it"),
        (["--then", "age rises", "--if", "age falls"], "got --then --if"),
        (["--if", "aeg rises", "--then", "age rises"], "unknown column in a condition 'aeg'. Did you mean 'age'"),
        (["--if", "age grows", "--then", "age rises"], "after the column 'age grows' comes rises, falls,"),
        (["--if", "age", "--then", "age rises"], "after the column 'age' comes rises"),
        (["--derived", "zip=city"], r"knows no such lookup \(it knows: city=zip\)"),
        (["--derived", "zip"], "--derived needs COLUMN="),
    ],
)
def test_a_mistake_is_told_with_a_way_out(words, what) -> None:
    with pytest.raises(InvalidInputError, match=what):
        rules_of(*words)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (["--if", "city rises", "--then", "age rises"], "--if 'city rises'"),
        (
            ["--if", "age rises", "--consequence", "age rises and city falls"],
            "--consequence 'age rises and city falls'",
        ),
        (["--together", "age,city"], "--together age,city"),
    ],
)
def test_what_compares_values_without_order_is_told_how_to_give_them_one(words, asked):
    with pytest.raises(InvalidInputError) as caught:
        rules_of(*words)
    assert str(caught.value) == (
        f"{asked}: the values of 'city' have no order. Give them one, from lowest to highest, when you fit: "
        'counterflownet fit ... --order "city=x,y"'
    )

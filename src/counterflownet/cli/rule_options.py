"""Rules that join columns, as options: one of the library's objects for each."""

import argparse
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Literal

from counterflownet.cli.column_types import number_of, value_of
from counterflownet.cli.constraint_options import assigned, check_has_order, split_list
from counterflownet.errors import InvalidInputError, listed, unknown_name
from counterflownet.tabular.condition import Above, Below, Condition, Falls, FallsBy, Rises, RisesBy
from counterflownet.tabular.condition_text import Meaning, Token, condition_of
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import TIMES, ColumnName
from counterflownet.tabular.rule import Constraint, IfThen, LessEqual, OneHot, Rule, Together
from counterflownet.tabular.rule_file import read_rules
from counterflownet.tabular.schema import Schema

Lookup = Callable[[ColumnName, ColumnName], Derived]
OF_ORDER = (Rises, Falls, RisesBy, FallsBy, Above, Below)
PART = {"if": "--if", "then": "--then", "consequence": "--consequence"}


def add_joint_rules(command: argparse.ArgumentParser, title: str) -> None:
    """Add an option for each rule, and one for files of them; all may be given several times."""
    add = command.add_argument_group(title).add_argument
    add(
        "--rules", action="append", default=[], metavar="FILE", help="rules as `counterflownet rules --out` writes them"
    )
    add("--derived", action="append", default=[], metavar="COLUMN=SOURCE", help="follows from SOURCE, as in the table")
    add("--less-equal", action="append", type=split_list, default=[], metavar="A,B", help="A is never above B")
    add(
        "--one-hot", action="append", type=split_list, default=[], metavar="COLUMNS", help="exactly one of these is set"
    )
    add(
        "--together",
        action="append",
        type=split_list,
        default=[],
        metavar="COLUMNS",
        help="these rise and fall together",
    )
    said: dict[str, Any] = {"dest": "sentences", "action": "append", "default": []}
    add("--if", type=lambda text: ("if", text), metavar="CONDITION", help='such as "education rises"', **said)
    add(
        "--then",
        type=lambda text: ("then", text),
        metavar="CONDITION",
        help="what must be if the --if before is",
        **said,
    )
    of_itself = "as --then, but it comes by itself: no change of its own"
    add("--consequence", type=lambda text: ("consequence", text), metavar="CONDITION", help=of_itself, **said)


def joint_rules(options: argparse.Namespace, schema: Schema, lookup: Lookup) -> list[Constraint]:
    """The rules that the options name, those of files first; ``lookup`` knows what the table says of two columns."""
    rules: list[Constraint] = [rule for path in options.rules for rule in read_rules(path)]
    for column, source in assigned(options, "--derived", schema.names):
        rules.append(lookup(column, source))
    for names in options.less_equal:
        if len(names) != 2:
            raise InvalidInputError(f"--less-equal needs two columns, such as a,b; got {','.join(names)!r}.")
        rules.append(LessEqual(*names))
    rules += [OneHot(*names) for names in options.one_hot]
    for names in options.together:
        for name in names:
            if name in schema.names:
                check_has_order(f"--together {','.join(names)}", schema[name])
        rules.append(Together(*names))
    return [*rules, *_if_thens(options.sentences, schema)]


def known_lookup(relations: list[Rule], column: ColumnName, source: ColumnName) -> Derived:
    """What an explainer knows of two columns from its training table."""
    known = [rule for rule in relations if isinstance(rule, Derived)]
    for rule in known:
        if (rule.column, *rule.from_) == (column, source):
            return rule
    names = listed(f"{rule.column}={rule.from_[0]}" for rule in known) or "none"
    raise InvalidInputError(
        f"--derived {column}={source}: the explainer knows no such lookup (it knows: {names}). Fit it with the same "
        "--derived, or write the lookup into a file for --rules: counterflownet rules DATA --out rules.toml"
    )


def _if_thens(sentences: list[tuple[str, str]], schema: Schema) -> Iterator[IfThen]:
    """Every --if with the --then or the --consequence behind it."""
    meaning = Meaning(lambda token: _column(token, schema), lambda name, token: _value(name, token, schema))
    kinds = [kind for kind, _ in sentences]
    if len(kinds) % 2 or any((kind == "if") != (place % 2 == 0) for place, kind in enumerate(kinds)):
        raise InvalidInputError(
            f"each --if needs one --then or --consequence behind it, such as: --if 'education rises' --then 'age rises "
            f"by 2'; got {' '.join(PART[kind] for kind in kinds)}."
        )
    for (_, condition), (kind, requirement) in list(pairwise(sentences))[::2]:
        applied: Literal["consequence", "requirement"] = "consequence" if kind == "consequence" else "requirement"
        parts = ("--if", condition), (PART[kind], requirement)
        one, other = (_checked(option, text, condition_of(text, meaning), schema) for option, text in parts)
        yield IfThen(one, other, applied)


def _checked(option: str, text: str, condition: Condition, schema: Schema) -> Condition:
    """The condition, or an error in terms of the command line if it compares what has no order."""
    for atom in condition.atoms():
        if isinstance(atom, OF_ORDER):
            check_has_order(f"{option} {text!r}", schema[atom.column])
    return condition


def _column(token: Token, schema: Schema) -> ColumnName:
    for name in schema.names:
        if str(name) == token.text:
            return name
    raise unknown_name("column in a condition", token.text, schema.names)


def _value(name: ColumnName, token: Token, schema: Schema) -> Any:
    feature = schema[name]
    if feature.kind in TIMES:  # the library reads dates and durations, and says so if it cannot
        return token.text
    return number_of(token.text) if feature.numeric else value_of(token.text, feature.values)

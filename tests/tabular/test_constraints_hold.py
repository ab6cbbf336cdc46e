"""The law: whatever legal choice is made, every constraint holds of the decoded row.

The checks are written anew, in terms of the values before and after.
"""

import numpy as np
import pandas as pd
from constrained_table import GRADES, SCHEMA, SPACE, X, compiled_for, rows_like
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
from made_states import states

ORDERED = ["age", "income", "joined", "grade"]
SEEN = {feature.name: feature.values for feature in SCHEMA}
SIZES = {"grade": GRADES.index, "joined": pd.Timestamp}


def size(name, value):
    return SIZES.get(name, float)(value)


def distance(name, one, other):
    apart = size(name, one) - size(name, other)
    return abs(apart / pd.Timedelta(days=1) if name == "joined" else apart)


def holds(kind, given, before, after):
    """Whether a constraint, as its class and arguments, holds of one row."""
    if kind is MaxChanges:
        return len(changed(before, after)) <= given[0]
    if kind is Mutable:
        return changed(before, after) <= set(given)
    names = given if kind in (Immutable, Increasing, Decreasing) else given[:1]
    return all(holds_in_column(kind, given, name, before[name], after[name]) for name in names)


def holds_in_column(kind, given, name, before, after):
    if pd.isna(after):  # may stay, and is never introduced
        return pd.isna(before)
    if kind in (Range, OneOf, NotOneOf):
        return holds_of_value(kind, given, name, after)
    if pd.isna(before):
        return False  # nothing is known to be above, below or near it
    return {
        Immutable: lambda: before == after,
        Increasing: lambda: size(name, after) >= size(name, before),
        Decreasing: lambda: size(name, after) <= size(name, before),
        MaxStep: lambda: before == after or distance(name, before, after) <= given[1],
    }[kind]()


def holds_of_value(kind, given, name, after):
    if kind is Range:
        low, high = given[1:]
        above = low is None or size(name, after) >= size(name, low)
        return above and (high is None or size(name, after) <= size(name, high))
    return (after in given[1]) == (kind is OneOf)


def changed(before, after):
    return {
        name for name in before if not (before[name] == after[name] or (pd.isna(before[name]) and pd.isna(after[name])))
    }


NUMBERS = {"age": st.integers(15, 65), "income": st.floats(0, 8), "grade": st.sampled_from(GRADES)}
MOMENTS = st.integers(-20, 400).map(lambda days: pd.Timestamp("2020-01-01") + pd.Timedelta(days=days))
VALUES = NUMBERS | {"joined": MOMENTS, "job": st.sampled_from([*X["job"], "jester"]), "member": st.booleans()}
ROWS = st.fixed_dictionaries(
    {name: value if name == "member" else st.none() | value for name, value in VALUES.items()},
)
NAMES = st.lists(st.sampled_from(ORDERED), min_size=1, max_size=2, unique=True).map(tuple)


@st.composite
def ranges(draw):
    name = draw(st.sampled_from(ORDERED))
    low, high = sorted([draw(VALUES[name]), draw(VALUES[name])], key=lambda value: size(name, value))
    return Range, (name, draw(st.sampled_from([low, None])), draw(st.sampled_from([high, None])))


@st.composite
def lists_of_values(draw):
    name = draw(st.sampled_from(sorted(VALUES)))
    values = draw(st.lists(st.sampled_from(SEEN[name]), min_size=1, max_size=3, unique=True))
    return draw(st.sampled_from([OneOf, NotOneOf])), (name, values)


CONSTRAINTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([Immutable, Increasing, Decreasing]), NAMES),
        st.tuples(st.just(Mutable), st.just(("age", "income", "grade", "job"))),
        ranges(),
        lists_of_values(),
        st.tuples(st.just(MaxStep), st.tuples(st.sampled_from(ORDERED), st.integers(1, 30))),
        st.tuples(st.just(MaxChanges), st.tuples(st.integers(1, 5))),
    ),
    max_size=4,
)


def legal_choice(random, allowance, row):
    """Random new codes for the features that must change and for some of those that may."""
    editable = allowance.allowed.editable(SPACE)[row].numpy()
    chosen = set(np.flatnonzero(allowance.allowed.required[row].numpy()).tolist())
    others = [d for d in np.flatnonzero(editable).tolist() if d not in chosen]
    room = int(allowance.allowed.most_changes[row]) - len(chosen)
    chosen |= set(random.sample(others, random.randint(0, min(room, len(others)))))
    codes = allowance.allowed.codes[row].numpy()
    return {d: random.choice(np.flatnonzero(codes[SPACE.span(d)]).tolist()) for d in chosen}


def decoded(codec, row, choice):
    codes, edited = codec.codes[[row]].copy(), np.zeros((1, len(SCHEMA)), dtype=bool)
    for d, code in choice.items():
        codes[0, d], edited[0, d] = code, True
    return codec.decode(states([row], codes, edited)).iloc[0].to_dict()


@settings(deadline=None, max_examples=120)
@given(st.lists(ROWS, min_size=1, max_size=4), CONSTRAINTS, st.randoms(use_true_random=False))
def test_every_constraint_holds_of_every_row_that_legal_choices_lead_to(rows, constraints, random):
    codec = Codec(SCHEMA, rows_like(*rows))
    try:
        allowance = compiled_for(codec, [kind(*given) for kind, given in constraints])
    except ConstraintError:
        assume(False)  # they exclude each other
    for row in set(range(len(rows))) - set(allowance.contradictions):
        choice = legal_choice(random, allowance, row)
        before, after = codec.rows.iloc[row].to_dict(), decoded(codec, row, choice)
        assert changed(before, after) == {SCHEMA.names[d] for d in choice}
        assert all(holds(kind, given, before, after) for kind, given in constraints)

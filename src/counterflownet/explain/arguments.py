"""What a user may give to an explainer, checked at the door: errors of ours instead of failures deep inside."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from counterflownet.errors import InvalidInputError, check_between
from counterflownet.reward.terms import RewardTerm, WeightedTerm
from counterflownet.tabular.schema import Schema

RESERVED = ("validity", "proximity", "plausibility", "sparsity", "factual", "rank", "valid", "reward", "changed")


def checked_schema(schema: Any) -> Schema | None:
    """The schema, or an error if it is none."""
    if schema is None or isinstance(schema, Schema):
        return schema
    raise InvalidInputError(
        f"schema must be a Schema; got {type(schema).__name__}. Make one with Schema.infer(X, kinds={{...}})."
    )


def checked_seed(seed: Any) -> int:
    """The seed as a plain whole number."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise InvalidInputError(f"seed must be a whole number; got {seed!r}.")
    return int(seed)


def checked_terms(terms: Any) -> tuple[WeightedTerm, ...]:
    """Reward terms with their weights, under names that nothing else has."""
    seen = set(RESERVED)
    for term, weight in _pairs(terms):
        check_between(f"the weight of the reward term {term.name!r}", weight, 0.0, 1.0)
        if term.name in seen:
            raise InvalidInputError(f"the name {term.name!r} of a reward term is already taken; choose another.")
        seen.add(term.name)
    return tuple((term, float(weight)) for term, weight in terms)


def _pairs(terms: Any) -> Sequence[WeightedTerm]:
    given = terms if isinstance(terms, (list, tuple)) else [terms]
    for entry in given:
        if not (isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], RewardTerm)):
            raise InvalidInputError(
                f"terms takes pairs of a reward term and its weight, such as [(RowTerm('cheap', function), 0.5)]; "
                f"got {entry!r}."
            )
    return given

"""Whether states keep the rules of their rows, judged by the values that they stand for."""

import numpy as np

from counterflownet._states import States
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import Flags
from counterflownet.tabular.follows import Carried
from counterflownet.tabular.rule_book import OwnConstraint


def rules_kept(codec: Codec, states: States) -> Flags:
    """Which states break no rule, nor a constraint of a column that follows."""
    if codec.book is None:
        return np.ones(len(states), dtype=np.bool_)
    carried = Carried(codec, states, codec.book.steps_judged)
    kept = ~carried.unknown
    for applied in codec.book.applied:
        kept &= ~applied.rows[carried.row] | applied.rule.judged(carried)
    for own in codec.book.own_constraints:
        kept &= ~own.rows[carried.row] | _permitted(own, carried)
    return kept


def _permitted(own: OwnConstraint, carried: Carried) -> Flags:
    feature, d = carried.schema[own.column], carried.schema.position(own.column)
    keeps = own.constraint.keeps(feature, carried.codec.columns[d])[carried.row]
    permitted = own.constraint.permits(feature, carried.before(own.column), carried.after(own.column))
    return np.where(carried.changed(own.column), permitted, keeps)

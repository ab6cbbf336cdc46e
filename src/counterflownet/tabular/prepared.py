"""Rows made ready for what is asked of them: encoded with borders and rules, and compiled to what is allowed."""

from dataclasses import replace

import pandas as pd

from counterflownet.tabular.allowance import Allowance, CheckedConstraints
from counterflownet.tabular.borders import borders_of
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.conflicts import Conflicts, closed_rows, hopeless_rows
from counterflownet.tabular.factuals import Factuals
from counterflownet.tabular.scale import Scale
from counterflownet.tabular.schema import Schema


def prepared(constraints: CheckedConstraints, schema: Schema, rows: pd.DataFrame, scale: Scale = "mixed") -> Factuals:
    """The rows as a table to edit under these constraints."""
    borders = borders_of(constraints, schema, rows)
    return Factuals(schema, rows, scale=scale, borders=borders, book=constraints.book(schema, rows.index))


def compiled(constraints: CheckedConstraints, codec: Codec) -> Allowance:
    """What the constraints and rules leave of each row; where that is nothing, which of them exclude each other."""
    allowance = constraints.compiled(codec)
    hopeless = [row for row in hopeless_rows(allowance, codec).tolist() if row not in allowance.contradictions]
    told = {**allowance.contradictions, **Conflicts(constraints, codec).told(hopeless)}
    closed = [row for row in closed_rows(allowance, codec).tolist() if row not in told]
    stuck = Conflicts(constraints, codec, closed_rows).told(closed)
    return replace(allowance, contradictions=told, closed=stuck)

"""Tables to codes and back: schema, bins, codec, constraints. No networks."""

from counterflownet._states import States
from counterflownet.tabular.allowance import allowed_codes
from counterflownet.tabular.binning import Bins, code_of
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.constraint import (
    Constraint,
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
from counterflownet.tabular.feature import ColumnName, Feature, Kind
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.vectors import CategoryBlock, NumberBlock, VectorSpace

__all__ = [
    "Bins",
    "CategoryBlock",
    "Codec",
    "ColumnName",
    "Constraint",
    "Decreasing",
    "Feature",
    "Immutable",
    "Increasing",
    "Kind",
    "MaxChanges",
    "MaxStep",
    "Mutable",
    "NotOneOf",
    "NumberBlock",
    "OneOf",
    "Range",
    "Schema",
    "States",
    "VectorSpace",
    "allowed_codes",
    "code_of",
]

"""Tables to codes and back: schema, bins, codec, constraints. No networks."""

from counterflownet._states import States
from counterflownet.tabular.allowance import allowed_codes
from counterflownet.tabular.binning import Bins
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

__all__ = [
    "Bins",
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
    "OneOf",
    "Range",
    "Schema",
    "States",
    "allowed_codes",
]

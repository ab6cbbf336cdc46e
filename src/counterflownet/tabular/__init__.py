"""Tables to codes and back: schema, bins, codec, constraints. No networks."""

from counterflownet._states import States
from counterflownet.tabular.allowance import allowed_codes
from counterflownet.tabular.binning import Bins
from counterflownet.tabular.codec import Codec
from counterflownet.tabular.condition import (
    Above,
    Below,
    Changes,
    Condition,
    Equals,
    Falls,
    FallsBy,
    Rises,
    RisesBy,
    Stays,
)
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
from counterflownet.tabular.derived import Derived
from counterflownet.tabular.feature import ColumnName, Feature, Kind
from counterflownet.tabular.rule import Constraint, IfThen, LessEqual, OneHot, Rule, Together
from counterflownet.tabular.rule_file import read_rules, write_rules
from counterflownet.tabular.schema import Schema
from counterflownet.tabular.suggest import suggest_rules
from counterflownet.tabular.suggestion import Suggestion, Suggestions

__all__ = [
    "Above",
    "Below",
    "Bins",
    "Changes",
    "Codec",
    "ColumnName",
    "Condition",
    "Constraint",
    "Decreasing",
    "Derived",
    "Equals",
    "Falls",
    "FallsBy",
    "Feature",
    "IfThen",
    "Immutable",
    "Increasing",
    "Kind",
    "LessEqual",
    "MaxChanges",
    "MaxStep",
    "Mutable",
    "NotOneOf",
    "OneHot",
    "OneOf",
    "Range",
    "Rises",
    "RisesBy",
    "Rule",
    "Schema",
    "States",
    "Stays",
    "Suggestion",
    "Suggestions",
    "Together",
    "allowed_codes",
    "read_rules",
    "suggest_rules",
    "write_rules",
]

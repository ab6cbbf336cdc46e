"""The numbers that the paper prints, by our names of its data sets."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from counterflownet_bench.datasets.card import ProtocolName

Row = Mapping[str, float]
PAPER_OURS = "CFN"  # how the paper calls its own method

_SECTIONS: Mapping[ProtocolName, str] = MappingProxyType({"a": "protocol_a_percent", "b": "protocol_b"})
_TITLES: Mapping[str, str] = MappingProxyType(
    {
        "german_credit": "German Credit (Logistic Regression)",
        "adult_protocol_a": "Adult Income (Neural Network)",
        "graduate_admission": "Graduate Admission (Neural Network)",
        "student_performance": "Student Performance (Logistic Regression)",
        "adult_protocol_b": "Adult Income  (Neural Network)",  # two blanks, as it was read
        "bank_marketing": "Bank (Neural Network)",
        "credit_default": "Default (Neural Network)",
        "give_me_some_credit": "GMC (Neural Network)",
        "lending_club": "Lending Club (Neural Network)",
    }
)


def published_rows(protocol: ProtocolName, dataset: str) -> Mapping[str, Row]:
    """Each method's numbers on a data set as printed; nothing for a data set that the paper does not have."""
    title = _TITLES.get(dataset)
    found: Mapping[str, Row] = {} if title is None else _tables()[_SECTIONS[protocol]][title]
    return found


def published_constraints(rules: str) -> Mapping[str, Row]:
    """The paper's rows for one set of constraints on Adult: "Retrained" and "Inference"."""
    title = "Unconstrained" if rules == "none" else f"Constraints Set {rules.removeprefix('set_')}"
    found: Mapping[str, Row] = _tables()["constraints_adult"].get(f"Adult Income - {title}", {})
    return found


def published_utilisation() -> Row:
    """The columns of Adult whose share of all changes the paper names, in percent, for its own method."""
    found: Row = _tables()["feature_utilisation_adult_cfn_percent"]
    return found


@cache
def _tables() -> Mapping[str, Any]:
    text = files("counterflownet_bench.benchmark").joinpath("paper_tables.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))

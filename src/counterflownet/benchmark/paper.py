"""The numbers that the paper prints, by our names of its data sets."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from counterflownet.datasets.card import Protocol

Row = Mapping[str, float]
PAPER_OURS = "CFN"  # how the paper calls its own method

_SECTIONS: Mapping[Protocol, str] = MappingProxyType({"a": "protocol_a_percent", "b": "protocol_b"})
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


def published_rows(protocol: Protocol, dataset: str) -> Mapping[str, Row]:
    """Each method's numbers on a data set as printed; nothing for a data set that the paper does not have."""
    title = _TITLES.get(dataset)
    return {} if title is None else _tables()[_SECTIONS[protocol]][title]


@cache
def _tables() -> Mapping[str, Mapping[str, Mapping[str, Row]]]:
    text = files("counterflownet.benchmark").joinpath("paper_tables.json").read_text(encoding="utf-8")
    return MappingProxyType(json.loads(text))

"""A table together with what one must know to use it."""

from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: == on frames has no single truth value
class Dataset:
    """Features ``X``, labels ``y``, and the card that goes with them."""

    name: str
    title: str
    X: pd.DataFrame = field(repr=False)
    y: pd.Series = field(repr=False)
    target: str
    desirable: str
    immutable: tuple[str, ...]
    """Features that nobody can act upon, or that would make it another question."""
    increasing: tuple[str, ...]
    """Features that only time changes."""
    licence: str
    citation: str = field(repr=False)
    source: str = field(repr=False)

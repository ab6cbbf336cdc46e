import numpy as np
import pandas as pd
import pytest


@pytest.fixture(name="X")
def raw_columns() -> pd.DataFrame:
    """Raw columns: a whole number, a number, a string."""
    draw = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 80, 60),
            "income": draw.normal(30.0, 10.0, 60),
            "housing": draw.choice(["rent", "own"], 60),
        },
        index=pd.RangeIndex(100, 160),
    )


@pytest.fixture
def high(X) -> np.ndarray:
    """A label to learn: 1 where the income is high."""
    return (X["income"] > 30.0).to_numpy().astype(int)

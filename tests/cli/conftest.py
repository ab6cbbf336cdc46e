"""One table of loans as a stranger would have it, and one explainer that the command made of it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from loan_commands import ORDER, fit

from counterflownet.datasets import german_credit


@pytest.fixture(scope="session", name="loans")
def table_of_loans() -> pd.DataFrame:
    """Real applicants with numbers of customers, leading zeros, truth values, dates and missing values added."""
    data = german_credit()
    columns = ["checking_account", "duration_months", "credit_amount", "sex", "age", "job", "telephone"]
    frame = data.X[columns].head(160).assign(job=data.X["job"].astype(str))
    draw = np.random.default_rng(0)
    frame["since"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(draw.integers(0, 900, len(frame)), unit="D")
    frame["branch"] = draw.choice(["0100", "0200", "0300"], len(frame))
    frame["share"] = draw.random(len(frame)) / 3
    frame.loc[5:25, "share"] = np.nan
    frame.loc[30:40, "branch"] = np.nan
    return frame.assign(customer=[f"c{number}" for number in range(len(frame))], risk=data.y)


@pytest.fixture(scope="session")
def folder(loans, tmp_path_factory) -> Path:
    """The table, a table of rejected applicants, and loans.cfn with loans.skops beside it."""
    place = tmp_path_factory.mktemp("loans")
    loans.to_csv(place / "loans.csv", index=False)
    rejected = loans[loans["risk"] == "bad"].head(6)
    rejected.to_csv(place / "rejected.csv", index=False)
    rejected.to_parquet(place / "rejected.parquet")
    fit(place / "loans.csv", place / "loans.cfn", "--drop", "customer", "--order", ORDER)
    return place

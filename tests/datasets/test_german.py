import os
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from counterflownet.datasets import german_credit

NUMBERS = {
    "duration_months": "Months",
    "credit_amount": "Credit-amount",
    "age": "age",
    "installment_rate": "Insatllment-rate",
    "residence_since": "Present-residence-since",
    "existing_credits": "Number-of-existing-credits",
    "dependents": "Number-of-people-being-lible",
}
# our column, theirs, and our labels in the order of their codes 1, 2, ...
LABELS = [
    ("checking_account", "Checking-account", ["< 0 DM", "0-200 DM", ">= 200 DM", "none"]),
    ("savings", "Savings-account", ["< 100 DM", "100-500 DM", "500-1000 DM", ">= 1000 DM", "unknown or none"]),
    ("other_debtors", "Other-debtors", ["none", "co-applicant", "guarantor"]),
    ("other_installment_plans", "Other-installment-plans", ["bank", "stores", "none"]),
    ("housing", "Housing", ["rent", "own", "free"]),
    ("telephone", "Telephone", [False, True]),
    ("foreign_worker", "Foreign-worker", [True, False]),
]


@pytest.fixture(scope="module")
def data():
    return german_credit()


@pytest.fixture(scope="module")
def published() -> pd.DataFrame:
    """The split that others use, put back into the order of the original file."""
    folder = os.environ.get("COUNTERFLOWNET_DATA")
    if not folder:
        pytest.skip("needs COUNTERFLOWNET_DATA: a folder with the published data sets")
    parts = [pd.read_csv(Path(folder) / "german_credit" / f"{part}.csv") for part in ("train", "test")]
    order = np.random.RandomState(18).permutation(1000)
    return pd.concat(parts).set_index(order).sort_index()


def test_it_has_a_thousand_rows_of_which_seven_hundred_are_good(data):
    assert data.X.shape == (1000, 20)
    assert data.y.value_counts().to_dict() == {"good": 700, "bad": 300}
    assert data.y.name == data.target == "risk"
    assert data.desirable == "good"


def test_nothing_is_missing(data):
    assert not data.X.isna().any(axis=None)
    assert not data.y.isna().any()


def test_every_column_has_the_type_that_it_means(data):
    assert set(data.X.select_dtypes("int64")) == set(NUMBERS)
    assert set(data.X.select_dtypes("bool")) == {"telephone", "foreign_worker"}
    assert set(data.X.select_dtypes("category")) == {"employment_since", "job"}
    rest = data.X.select_dtypes(exclude=["int64", "bool", "category"])
    assert rest.map(lambda cell: type(cell) is str).all(axis=None)


def test_ordered_categories_are_in_order(data):
    employment, job = data.X["employment_since"].cat, data.X["job"].cat
    assert employment.ordered
    assert list(employment.categories) == ["unemployed", "< 1 year", "1-4 years", "4-7 years", ">= 7 years"]
    assert job.ordered
    assert job.categories[0] == "unemployed or unskilled non-resident"
    assert job.categories[-1] == "management or highly qualified"


def test_no_code_is_left(data):
    strings = data.X.select_dtypes(exclude=["number", "bool"]).astype(str)
    assert not strings.apply(lambda column: column.str.match(r"A\d+")).any(axis=None)


def test_the_card_names_columns_that_exist(data):
    assert {*data.immutable, *data.increasing} <= set(data.X.columns)
    assert not set(data.immutable) & set(data.increasing)


def test_every_call_gives_a_table_of_its_own(data):
    other = german_credit()
    other.X.loc[0, "age"] = 0
    assert data.X.loc[0, "age"] == 67


def test_the_bundled_table_is_attributed_and_carries_its_name(data):
    attribution = (files("counterflownet.datasets") / "files" / "ATTRIBUTION.md").read_text(encoding="utf-8")
    assert data.name == "german_credit"
    assert f"## {data.name}.csv" in attribution


def test_numbers_and_target_are_those_of_the_published_split(data, published):
    for ours, theirs in NUMBERS.items():
        assert (data.X[ours] == published[theirs]).all()
    assert ((data.y == "good") == (published["target"] == 1)).all()


@pytest.mark.parametrize(("ours", "theirs", "labels"), LABELS)
def test_labels_are_those_of_the_published_split(data, published, ours, theirs, labels):
    assert (data.X[ours] == published[theirs].map(dict(enumerate(labels, start=1)))).all()


def test_orders_and_sex_are_those_of_the_published_split(data, published):
    assert (data.X["employment_since"].cat.codes + 1 == published["Present-employment-since"]).all()
    assert (data.X["job"].cat.codes + 1 == published["Job"]).all()
    assert ((data.X["sex"] == "male") == (published["Personal-status"] == 1)).all()

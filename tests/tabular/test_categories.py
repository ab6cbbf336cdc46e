"""Ordered categories are compared in the schema's order; another order is an error, never a guess."""

import pandas as pd
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.tabular.schema import Schema

GRADES = ["low", "mid", "high"]
SCHEMA = Schema.infer(pd.DataFrame({"x": pd.Categorical(GRADES, GRADES, ordered=True)}))


def rows(categories: list[str], *, ordered: bool = True) -> pd.DataFrame:
    return pd.DataFrame({"x": pd.Categorical(["low"], categories, ordered=ordered)})


@pytest.mark.parametrize(
    "categories", [["high", "mid", "low"], ["mid", "low"], ["mid", "low", "new", "high"]], ids=repr
)
def test_another_order_than_the_schemas_is_an_error(categories):
    with pytest.raises(
        InvalidInputError, match=r"'x' come in another order than in the schema: .* instead of 'low', 'm"
    ):
        SCHEMA.ordered_rows(rows(categories), "rows")


@pytest.mark.parametrize("categories", [["low", "new"], ["new", "low", "high"]], ids=repr)
def test_a_new_category_whose_place_is_not_known_is_an_error(categories):
    with pytest.raises(
        InvalidInputError, match=r"order of column 'x' is unknown: its type has 'new', which .* lacks '"
    ):
        SCHEMA.ordered_rows(rows(categories), "rows")


@pytest.mark.parametrize("categories", [GRADES, ["low", "high"], ["low", "mid", "new", "high"], ["new", *GRADES]])
def test_the_schemas_order_is_accepted_with_fewer_categories_or_with_more_that_have_a_place(categories):
    given = rows(categories)
    assert SCHEMA.ordered_rows(given, "rows")["x"].dtype == given["x"].dtype


def test_categories_without_an_order_may_be_listed_in_any():
    SCHEMA.ordered_rows(rows(["high", "low"], ordered=False), "rows")


def test_the_training_table_itself_may_not_contradict_an_order_that_is_given():
    backwards = pd.DataFrame({"x": pd.Categorical(GRADES, GRADES[::-1], ordered=True)})
    with pytest.raises(InvalidInputError, match="another order than in the schema"):
        Schema.infer(backwards, orders={"x": GRADES})

"""What a schema says of its columns, and the scale that it gives to columns that hardly vary."""

import pandas as pd
import pytest

from counterflownet.tabular.schema import Schema


@pytest.mark.parametrize(("count", "end"), [(6, ": a, b, c, d, e, f"), (7, ": a, b, c, d, e, f, ...")])
def test_more_than_six_values_are_cut_off_with_dots(count, end):
    text = repr(Schema.infer(pd.DataFrame({"x": list("abcdefg")[:count]})))
    assert text.endswith(f"{count} codes{end}")


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0, 5e-324]], ids=["constant", "too near for a deviation"])
def test_a_column_that_does_not_vary_is_measured_in_ones(values):
    assert Schema.infer(pd.DataFrame({"x": values}))["x"].deviation == 1.0

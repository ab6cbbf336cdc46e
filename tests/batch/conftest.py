"""An explainer in a file, and a Parquet file of people to explain."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from made_people import fitted, people

from counterflownet import CounterFlowNet


@pytest.fixture(scope="session")
def explainer() -> CounterFlowNet:
    return fitted()


@pytest.fixture(scope="session")
def explainer_file(explainer, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("people") / "people.cfn"
    explainer.save(file)
    return file


@pytest.fixture(scope="session")
def rows_file(tmp_path_factory) -> Path:
    """Forty people in row groups of seven."""
    file = tmp_path_factory.mktemp("rows") / "rows.parquet"
    pq.write_table(pa.Table.from_pandas(people(40)), file, row_group_size=7)
    return file

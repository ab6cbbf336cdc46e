"""What the page on many rows says of Ray, Spark and Dask, run as it stands there."""

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from markdown_examples import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "many-rows.md"
LEFT_OUT = "needs pyspark and Java: pip install pyspark, apt-get install default-jre-headless"
pytestmark = pytest.mark.filterwarnings("default")  # the engines' own are not ours to mend


def example(*words: str) -> str:
    """The one block that has all these words."""
    (found,) = [
        block for kind in ("python", "py") for block in blocks(PAGE, kind) if all(word in block for word in words)
    ]
    return found


@pytest.fixture
def names(tmp_path, monkeypatch) -> dict[str, object]:
    """What is known on the page before the engines, with its files in the current folder."""
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {"__name__": "page"}
    for words in (("explainer = CounterFlowNet(",), ("told = answer_table(",), ("joblib.dump(",)):
        exec(example(*words), known)  # noqa: S102
    return known


def known_answers(names) -> pd.DataFrame:
    rows = pd.read_parquet("everybody.parquet")
    told = names["answer_table"](names["explainer"], rows, id_column="customer", target="good", count=3)
    assert told.errors.num_rows == 0
    return told.by_row().to_pandas()


def same(told: pd.DataFrame, known: pd.DataFrame, id_column: str = "factual") -> bool:
    told = told.sort_values(id_column, ignore_index=True)
    changed = [
        [[sorted(one["changed"]) for one in (row if row is not None else [])] for row in frame["counterfactuals"]]
        for frame in (told, known)
    ]
    return (
        told[id_column].tolist() == known["factual"].tolist()
        and told["outcome"].tolist() == known["outcome"].tolist()
        and changed[0] == changed[1]
        and np.allclose(told["probability_before"], known["probability_before"])
    )


@pytest.mark.ray
def test_the_example_of_ray(names, monkeypatch) -> None:
    ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
    quiet = {"include_dashboard": False, "log_to_driver": False, "runtime_env": paths}
    monkeypatch.setenv("RAY_worker_niceness", "0")  # its actors give way to everybody otherwise
    ray.init(num_cpus=2, object_store_memory=100_000_000, **quiet)
    try:
        ray.data.DataContext.get_current().use_datasource_v2 = False  # which starts 32 processes
        exec(example("import ray\n"), names)  # noqa: S102
    finally:
        ray.shutdown()
    assert same(pd.read_parquet("answers"), known_answers(names), "customer")


@pytest.mark.skipif(shutil.which("java") is None, reason=LEFT_OUT)
def test_the_example_of_spark(names, monkeypatch) -> None:
    sql = pytest.importorskip("pyspark.sql", reason=LEFT_OUT)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    exec(example("mapInPandas"), names)  # noqa: S102
    names["spark"].stop()
    assert same(pd.read_parquet("answers"), known_answers(names))


def test_the_example_of_dask(names) -> None:
    pytest.importorskip("dask.dataframe", reason="needs dask: pip install 'dask[dataframe]'")
    exec(example("map_partitions"), names)  # noqa: S102
    assert same(names["answers"], known_answers(names))
    assert not Path("answers").exists()

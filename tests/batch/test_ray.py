"""The same answers from actors of a Ray cluster."""

import os
import sys
from pathlib import Path

import pandas as pd
import pytest
from made_people import KILLS_ONCE, RAISES, approves, people

from counterflownet.batch import answer_table
from counterflownet.batch.ray import explain_dataset

ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("default"),  # its own are not ours to mend
]
ASKED = {"id_column": "name", "target": "yes", "count": 2, "samples": 10, "rounds": 1}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two processors: as many as would starve the readers if actors held them all."""
    once = str(tmp_path_factory.mktemp("ray") / "killed")
    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path), "KILLED_ONCE": once}}
    quiet = {"include_dashboard": False, "log_to_driver": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        ray.init(num_cpus=2, object_store_memory=100_000_000, runtime_env=paths, **quiet)
    yield once
    ray.shutdown()


def test_a_dataset_is_answered_as_one_process_would_even_if_an_actor_is_killed(
    cluster, explainer, explainer_file, monkeypatch
) -> None:
    rows = people(30)
    rows.loc[17, "mood"], rows.loc[20, "mood"] = RAISES, KILLS_ONCE
    given = ray.data.from_pandas([rows.iloc[:13], rows.iloc[13:]])
    told = explain_dataset(
        given, explainer=explainer_file, model=approves, classes=["no", "yes"], batch_rows=8, **ASKED
    ).to_pandas()
    monkeypatch.setenv("KILLED_ONCE", cluster)
    assert Path(cluster).exists()
    known = answer_table(explainer, rows, **ASKED).by_row().to_pandas().rename(columns={"factual": "name"})
    told, known = (frame.set_index("name").sort_index() for frame in (told, known))
    assert told.index.tolist() == known.index.tolist()
    assert told.loc["p17", "outcome"] == "error"
    assert told["outcome"].tolist() == known["outcome"].tolist()
    assert _plain(told) == _plain(known)


def _plain(frame: pd.DataFrame) -> list[list[str]]:
    """The changes and where they lead, row by row."""
    listed = frame["counterfactuals"].dropna()
    return [
        [f"{list(one['changed'])} {one['income']} {one['age']} {one['reward']:.9f}" for one in row] for row in listed
    ]

"""The same answers from actors of a Ray cluster."""

import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from made_people import KILLS_ONCE, RAISES, approves, people

from counterflownet.batch import answer_table
from counterflownet.batch import ray as ray_module
from counterflownet.batch.ray import explain_dataset

ray = pytest.importorskip("ray", reason="the extra 'ray' is not installed")
pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings("default"),  # its own are not ours to mend
]
ASKED = {"id_column": "name", "target": "yes", "count": 2, "samples": 10, "rounds": 1}
AWAKE = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}  # actors give way to everybody otherwise
LONGEST = 300.0  # seconds after which a run counts as one that waits for ever


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two processors: as many as would starve the readers if actors held them all."""
    once = str(tmp_path_factory.mktemp("ray") / "killed")
    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path), "KILLED_ONCE": once}}
    quiet = {"include_dashboard": False, "log_to_driver": False}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in AWAKE.items():
            patch.setenv(name, value)
        ray.init(num_cpus=2, object_store_memory=100_000_000, runtime_env=paths, **quiet)
    ray.data.DataContext.get_current().use_datasource_v2 = False  # which would start 32 processes for a small file
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
    told, known = by_name(told), by_name(known_answers(explainer, rows))
    assert told.index.tolist() == known.index.tolist()
    assert told.loc["p17", "outcome"] == "error"
    assert told["outcome"].tolist() == known["outcome"].tolist()
    assert plain(told) == plain(known)


def test_as_many_actors_as_processors_leave_one_to_those_who_read(cluster, explainer_file, tmp_path) -> None:
    people(12).to_parquet(tmp_path / "rows.parquet")
    given = ray.data.read_parquet(str(tmp_path / "rows.parquet"))
    told = explain_dataset(
        given, explainer=explainer_file, model=approves, classes=["no", "yes"], actors=2, batch_rows=3, **ASKED
    ).to_pandas()
    assert sorted(told["name"]) == sorted(people(12)["name"])


@pytest.mark.parametrize("total", [1.0, 1.5, 2.0, 3.0, 64.0])
@pytest.mark.parametrize("actors", [None, 1, 2, 7, 100])
@pytest.mark.parametrize("resumes", [False, True])
def test_no_pool_can_starve_those_who_read(monkeypatch, total, actors, resumes) -> None:
    context = SimpleNamespace(checkpoint_config=object() if resumes else None)
    data = SimpleNamespace(DataContext=SimpleNamespace(get_current=lambda: context))
    told = {"is_initialized": lambda: True, "cluster_resources": lambda: {"CPU": total}, "data": data}
    monkeypatch.setattr(ray_module, "require", lambda *_, **__: SimpleNamespace(**told))
    count, processors = ray_module._pool(actors)
    assert count == actors or actors is None
    assert 0.0 <= processors <= 1.0
    assert total - count * processors >= min(total, 2.0 if resumes else 1.0) - 1e-9


def test_a_driver_that_is_killed_goes_on_from_its_checkpoint(explainer, explainer_file, tmp_path) -> None:
    people(40).to_parquet(tmp_path / "rows.parquet", row_group_size=5)
    first = driver(explainer_file, tmp_path)
    begun = time.monotonic()
    while first.poll() is None and not list((tmp_path / "checkpoint").rglob("*.parquet")):
        assert time.monotonic() - begun < LONGEST
        time.sleep(0.02)
    first.kill()
    first.communicate()
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*.parquet")}
    second = driver(explainer_file, tmp_path)
    _, error = second.communicate(timeout=LONGEST)
    assert second.returncode == 0, error
    assert {file: file.stat().st_mtime_ns for file in before if file.exists()}.items() <= before.items()
    told, known = by_name(pd.read_parquet(tmp_path / "out")), by_name(known_answers(explainer, people(40)))
    assert told.index.tolist() == known.index.tolist()
    assert plain(told) == plain(known)


def driver(explainer_file: Path, folder: Path) -> subprocess.Popen:
    program = [sys.executable, str(Path(__file__).with_name("ray_driver.py")), str(explainer_file)]
    places = [str(folder / name) for name in ("rows.parquet", "out", "checkpoint")]
    environment = {**os.environ, **AWAKE, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([*program, *places], env=environment, stderr=subprocess.PIPE)  # noqa: S603 - our own


def known_answers(explainer, rows: pd.DataFrame) -> pd.DataFrame:
    return answer_table(explainer, rows, **ASKED).by_row().to_pandas().rename(columns={"factual": "name"})


def by_name(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.set_index("name").sort_index()


def plain(frame: pd.DataFrame) -> list[list[str]]:
    """The changes and where they lead, row by row."""
    listed = frame["counterfactuals"].dropna()
    return [
        [f"{list(one['changed'])} {one['income']} {one['age']} {one['reward']:.9f}" for one in row] for row in listed
    ]

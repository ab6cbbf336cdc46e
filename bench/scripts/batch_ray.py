"""The rows of the benchmark answered by Ray Data, with one actor; see :mod:`batch`."""

import os
import sys
from pathlib import Path

import joblib
import ray
from batch_world import COUNT, ID

from counterflownet.batch.ray import explain_dataset


def answered_by_ray(folder: Path, file: Path, out: Path) -> None:
    """All rows of the file, explained and written to ``out``."""
    if not ray.is_initialized():
        os.environ.update({"RAY_worker_niceness": "0"})  # as other processes have; 15 otherwise
        paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env=paths)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.use_datasource_v2 = False  # which starts 32 processes before it reads
    model = joblib.load(folder / "adult.joblib")
    told = explain_dataset(
        ray.data.read_parquet(str(file)),
        explainer=folder / "adult.cfn",
        model=model.probabilities,
        classes=list(model.classes),
        id_column=ID,
        actors=1,
        count=COUNT,
    )
    told.write_parquet(str(out))

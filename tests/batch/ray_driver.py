"""A driver of Ray that can be killed and started again: python ray_driver.py EXPLAINER ROWS OUT CHECKPOINT."""

import os
import sys

import ray
from made_people import approves
from ray.data.checkpoint import CheckpointConfig

from counterflownet.batch.ray import explain_dataset


def main(explainer: str, rows: str, out: str, checkpoint: str) -> None:
    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}}
    small = {"num_cpus": 2, "object_store_memory": 100_000_000, "include_dashboard": False, "log_to_driver": False}
    ray.init(**small, runtime_env=paths)
    context = ray.data.DataContext.get_current()
    context.use_datasource_v2 = False  # which would start 32 processes to look at one small file
    context.checkpoint_config = CheckpointConfig("name", checkpoint, delete_checkpoint_on_success=False)
    asked = {"id_column": "name", "target": "yes", "count": 2, "samples": 10, "rounds": 1}
    given = ray.data.read_parquet(rows, override_num_blocks=8)
    told = explain_dataset(given, explainer=explainer, model=approves, classes=["no", "yes"], batch_rows=5, **asked)
    told.write_parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:])

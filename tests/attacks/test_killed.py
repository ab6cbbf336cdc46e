"""kill -9 in a fit or in a save: nothing is lost but time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_whoever_is_killed_leaves_whole_files_and_a_run_that_resumes_as_if_it_had_not_been(tmp_path) -> None:
    program = [sys.executable, str(Path(__file__).with_name("killed.py")), str(tmp_path)]
    alone = os.environ | {"OMP_NUM_THREADS": "1"}  # threads do not survive a fork
    done = subprocess.run(program, env=alone, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603
    assert done.returncode == 0, done.stderr

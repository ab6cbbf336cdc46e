"""Threads that fit at once get what each would get alone, and nobody else's chance is touched."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import CounterFlowNet
from counterflownet.seeds import seeded_networks

TABLE = pd.DataFrame({"a": np.linspace(0, 1, 40).round(3), "b": np.arange(40) % 7, "c": list("wxyz") * 10})


def fitted(seed: int) -> CounterFlowNet:
    tiny = {"steps": 4, "batch_rows": 16, "width": 16}
    return CounterFlowNet(approves, classes=["no", "yes"], training=tiny, seed=seed).fit(TABLE, progress=False)


def approves(rows: pd.DataFrame) -> np.ndarray:
    return rows["a"].to_numpy(dtype=float).clip(0, 1)


def answers(seed: int) -> pd.DataFrame:
    return fitted(seed).sample(TABLE, target="yes", samples=5, progress=False).to_frame()


@pytest.fixture
def builder() -> Iterator[Callable[[], list[torch.Tensor]]]:
    """Another thread in the middle of building networks; called, it ends and gives the weights that it built."""
    begun, enough = Event(), Event()

    def build() -> list[torch.Tensor]:
        with seeded_networks(3):
            first = torch.nn.Linear(3, 3)
            begun.set()
            enough.wait(timeout=60)
            return [first.weight, torch.nn.Linear(3, 3).weight]

    def end() -> list[torch.Tensor]:
        enough.set()
        return done.result(timeout=60)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(build)
        begun.wait(timeout=60)
        yield end
        enough.set()


def test_fits_in_four_threads_equal_each_seed_alone() -> None:
    alone = [answers(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(answers, list(range(4)) * 6))
    for one, other in zip(alone * 6, together, strict=True):
        pd.testing.assert_frame_equal(one, other, check_exact=True)


def test_a_thread_that_draws_is_not_disturbed_by_one_that_builds(request) -> None:
    wanted = torch.rand(4, generator=torch.Generator().manual_seed(0))
    torch.manual_seed(0)
    request.getfixturevalue("builder")
    assert torch.equal(torch.rand(4), wanted)


def test_networks_that_are_built_at_once_are_what_each_would_be_alone(builder) -> None:
    with seeded_networks(3):
        alone = [torch.nn.Linear(3, 3).weight for _ in range(2)]
    with seeded_networks(3):
        first, theirs, second = torch.nn.Linear(3, 3), builder(), torch.nn.Linear(3, 3)
    assert all(map(torch.equal, theirs, alone))
    assert all(map(torch.equal, [first.weight, second.weight], alone))


def test_no_generator_of_the_process_moves(tmp_path) -> None:
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002 - it is the one that is watched
    path = fitted(1).save(tmp_path / "saved.cfn")
    again = CounterFlowNet.load(path, approves, classes=["no", "yes"])
    again.explain(TABLE, target="yes")
    again.sample(TABLE, target="yes", pool=20)
    again.diagnose(TABLE.head(3), target="yes", samples=5, pool=10)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1] == np.random.get_state()[1].tolist()  # noqa: NPY002

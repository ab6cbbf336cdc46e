import sys
from math import isnan
from time import sleep

import pytest

from counterflownet_bench.metrics import cost as cost_file
from counterflownet_bench.metrics import measured


def test_time_is_measured_on_the_clock_and_in_computing():
    with measured() as cost:
        assert isnan(cost.seconds)
        sleep(0.05)
    assert 0.05 <= cost.seconds < 5
    assert cost.cpu_seconds < cost.seconds


def test_memory_is_the_peak_and_how_much_the_block_raised_it(monkeypatch):
    peaks = iter([300.0, 500.0])
    monkeypatch.setattr(cost_file, "peak_memory", lambda: next(peaks))
    with measured() as cost:
        pass
    assert (cost.peak_bytes, cost.peak_growth_bytes) == (500.0, 200.0)


@pytest.mark.skipif(sys.platform == "win32", reason="this system does not tell its peak memory")
def test_the_peak_is_in_bytes():
    assert 2**20 < cost_file.peak_memory() < 2**40


def test_an_error_in_the_block_is_passed_on_and_its_cost_known():
    with pytest.raises(ZeroDivisionError), measured() as cost:
        1 / 0  # noqa: B018
    assert cost.seconds >= 0

import os

import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark import runner
from counterflownet_bench.benchmark.plan import Plan
from counterflownet_bench.benchmark.runner import RunSettings, run_cells, shared_fits
from counterflownet_bench.benchmark.store import ResultStore


@pytest.fixture
def store(tmp_path) -> ResultStore:
    return ResultStore(tmp_path / "results.jsonl")


@pytest.fixture
def cells(german, quick):
    return [german(method=quick, seed=seed, selection=way) for seed in (0, 1) for way in ("raw", "selected")]


def crash(*_) -> None:
    os._exit(9)


class Broken:
    """A method that fails as long as it is told to."""

    healthy: list[bool] = []  # noqa: RUF012

    def __init__(self, inner) -> None:
        self.inner = inner

    def settings(self):
        return {}

    def fit(self, task):
        if not self.healthy:
            raise ZeroDivisionError("of no use")
        return self.inner.fit(task)


@pytest.fixture
def broken(register, quick):
    from counterflownet_bench.benchmark.methods import METHODS  # noqa: PLC0415 - as the fixture left it

    neighbour = METHODS[quick]
    register(broken=lambda preset: Broken(neighbour(preset)))
    yield "broken"
    Broken.healthy.clear()


def test_a_finished_cell_is_not_run_again(cells, store, fits):
    first = run_cells(cells[:2], store, RunSettings())
    assert (first.run, first.failed, first.skipped) == (2, 0, 0)
    second = run_cells(cells, store, RunSettings())
    assert (second.run, second.failed, second.skipped) == (2, 0, 2)
    assert len(store.read().results) == 4
    assert len(fits) == 2


def test_cells_that_differ_in_their_selection_share_one_fit(cells, store, fits):
    assert [len(job) for job in shared_fits([cells[0], cells[2], cells[1], cells[3]])] == [2, 2]
    run_cells(cells, store, RunSettings())
    assert [task.seed for task in fits] == [0, 1]


def test_every_result_is_stored_before_it_is_told(cells, store):
    seen = []
    run_cells(cells, store, RunSettings(), lambda result: seen.append((len(store.read().results), result["seed"])))
    assert seen == [(1, 0), (2, 0), (3, 1), (4, 1)]


def test_a_failed_cell_is_a_result_with_its_reason(german, broken, store):
    summary = run_cells([german(method=broken)], store, RunSettings())
    assert (summary.run, summary.failed) == (1, 1)
    result = store.read().results[0]
    assert result["error"].startswith("ZeroDivisionError: of no use (test_benchmark_runner.py, line")
    assert (result["metrics"], result["classifier"]["accuracy"], result["seconds"]["fit"]) == ({}, None, None)


def test_a_failed_cell_is_run_again_only_when_asked_for(german, broken, store):
    cell = german(method=broken)
    run_cells([cell], store, RunSettings())
    Broken.healthy.append(True)
    assert run_cells([cell], store, RunSettings()).skipped == 1
    assert run_cells([cell], store, RunSettings(retry_failed=True)).failed == 0
    assert ["error" in result for result in store.read().results] == [True, False]
    assert run_cells([cell], store, RunSettings(retry_failed=True)).run == 0


def test_missing_data_is_a_failed_cell_that_says_where_to_get_it(german, store, monkeypatch):
    monkeypatch.delenv("COUNTERFLOWNET_DATA", raising=False)
    run_cells([german(dataset="graduate_admission")], store, RunSettings())
    assert "https://github.com/isVy08/L2C" in store.read().results[0]["error"]


def test_several_processes_give_the_same_numbers(german, store, tmp_path):
    cells = [german(instances=3, steps=1, seed=seed, count=3) for seed in (0, 1)]
    heard = []
    summary = run_cells(cells, store, RunSettings(processes=2), heard.append)
    assert (summary.run, summary.failed) == (2, 0)
    assert {result["machine"]["threads"] for result in heard} == {1}
    alone = ResultStore(tmp_path / "alone.jsonl")
    run_cells(cells[:1], alone, RunSettings())
    together = {result["seed"]: result["metrics"] for result in store.read().results}
    assert together[0] == alone.read().results[0]["metrics"]


def test_a_process_that_dies_leaves_failed_cells_and_does_not_stop_the_others(german, store, monkeypatch):
    monkeypatch.setattr(runner, "_work", crash)
    cells = [german(seed=0, selection="raw"), german(seed=0), german(seed=1)]
    summary = run_cells(cells, store, RunSettings(processes=2))
    assert (summary.run, summary.failed) == (3, 3)
    assert all("exit code 9" in result["error"] for result in store.read().results)


def test_processes_are_started_with_one_thread_and_ours_keeps_its_own(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    with runner._one_thread():
        assert (os.environ["OMP_NUM_THREADS"], os.environ["MKL_NUM_THREADS"]) == ("1", "1")
    assert os.environ["OMP_NUM_THREADS"] == "2"
    assert "MKL_NUM_THREADS" not in os.environ


def test_a_plan_is_every_combination_and_every_selection():
    plan = Plan(protocol="b", datasets=("all",), presets=("paper", "tuned"), seeds=(0, 0, 1))
    cells = plan.cells()
    assert len(cells) == len(set(cells)) == 5 * 2 * (2 + 3)  # the paper makes nothing minimal
    assert {cell.instances for cell in cells} == {1000}
    one = Plan(protocol="a", datasets=("german_credit",), presets=("paper",), instances="all").cells()
    assert [(cell.selection, cell.instances) for cell in one] == [("raw", None), ("selected", None)]


def test_presets_and_selections_are_our_own_methods_alone(quick):
    plan = Plan(
        protocol="b", datasets=("all",), methods=(quick, "counterflownet"), presets=("paper", "tuned"), seeds=(0, 1)
    )
    others = [cell for cell in plan.cells() if cell.method == quick]
    assert len(others) == 5 * 2
    assert {(cell.preset, cell.selection) for cell in others} == {("tuned", "raw")}
    assert len(plan.cells()) == len(others) + 5 * 2 * (2 + 3)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"datasets": ("adult",)}, "unknown data set 'adult'"),
        ({"methods": ("counterflow",)}, "Did you mean 'counterflownet'"),
        ({"datasets": ("lending_club",)}, "belongs to protocol b"),
        ({"instances": 0}, "instances must be at least 1"),
    ],
)
def test_a_plan_that_cannot_be_run_is_an_error_at_once(changes, message):
    with pytest.raises(InvalidInputError, match=message):
        Plan(**{"protocol": "a", "datasets": ("german_credit",)} | changes).cells()


def test_at_least_one_process_is_needed():
    with pytest.raises(InvalidInputError, match="processes must be at least 1"):
        RunSettings(processes=0)

"""Results say by which code and on which rows they were made, and the report says whose code is not today's."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shutil import copytree, ignore_patterns
from types import SimpleNamespace

import pandas as pd
import pytest
from made_up_results import made_up

import counterflownet
from counterflownet_bench.benchmark import provenance
from counterflownet_bench.benchmark.cell import Cell, attempted, failed_result
from counterflownet_bench.benchmark.methods import METHODS, OURS, method_digests
from counterflownet_bench.benchmark.provenance import (
    DECIDING,
    FOR_RULES,
    code_digests,
    commit,
    digest_of,
    rows_digest,
)
from counterflownet_bench.benchmark.report_facts import code_blocks

CODE = {"library": "aaaa", "bench": "bbbb", "mcce": "dddd"}


def of(method, code):
    result = made_up(Cell(protocol="a", dataset="german_credit", method=method, instances=5))
    return {name: value for name, value in result.items() if name != "code"} | ({} if code is None else {"code": code})


def test_a_result_names_commit_and_code() -> None:
    told = failed_result(Cell(protocol="a", dataset="german_credit", method="mcce"), "no time")
    assert told["code"] == {**code_digests(), "method": method_digests()["mcce"]}
    assert code_digests().keys() == DECIDING.keys()
    assert told["commit"] == commit()


def test_our_own_results_are_decided_by_the_library_alone() -> None:
    told = failed_result(Cell(protocol="a", dataset="german_credit", method=OURS), "no time")
    assert told["code"] == dict(code_digests())
    assert method_digests().keys() == METHODS.keys() - {OURS}


@pytest.fixture
def copied_bench(tmp_path, monkeypatch) -> Path:
    """The bench's code in a folder of its own, which a test may change, and which checksums are of."""
    source = Path(provenance.__file__).parents[1]
    copytree(source, tmp_path / source.name, ignore=ignore_patterns("__pycache__"))

    def found(module: str) -> SimpleNamespace:
        place = tmp_path.joinpath(*module.split("."))
        return SimpleNamespace(origin=str(place.with_suffix(".py")), submodule_search_locations=[str(place)])

    monkeypatch.setattr(provenance, "find_spec", found)
    return tmp_path / source.name


@pytest.mark.parametrize(
    ("changed", "concerns"),
    [
        ("baselines/l2c.py", {"l2c"}),
        ("baselines/l2c_networks.py", {"l2c"}),  # which l2c imports
        ("baselines/dice_worker.py", {"dice"}),  # which dice_process runs as a script
        ("baselines/differentiable.py", {"l2c"}),
        ("metrics/tightness.py", {"l2c", "dice"}),  # all are measured by it
        ("datasets/card.py", set()),
    ],
)
def test_a_change_concerns_the_methods_that_need_what_was_changed(copied_bench, changed, concerns) -> None:
    def told() -> dict[str, str]:
        modules = {name: f"{copied_bench.name}.baselines.{name}" for name in ("l2c", "dice")}
        return {name: digest_of.__wrapped__(module) for name, module in modules.items()}

    before = told()
    with (copied_bench / changed).open("a", encoding="utf-8") as file:
        file.write("\n# something else\n")
    assert {name for name, digest in told().items() if digest != before[name]} == concerns


@contextmanager
def modules_at_work() -> Iterator[set[str]]:
    """The library's modules of which anything runs meanwhile, in whatever thread; they are there at the end."""
    home, files, names = Path(counterflownet.__file__).parent, set[str](), set[str]()

    def noted(frame, event, _) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    threading.setprofile(noted)
    sys.setprofile(noted)
    try:
        yield names
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    inside = (Path(file).relative_to(home) for file in files if file.startswith(str(home)))
    names |= {".".join(("counterflownet", *file.with_suffix("").parts)) for file in inside}


@pytest.mark.parametrize("selection", ["minimal", "pooled"])
def test_what_is_for_rules_has_no_part_in_results(selection) -> None:
    cell = Cell(
        protocol="a",
        dataset="german_credit",
        method=OURS,
        preset="default",
        selection=selection,
        instances=5,
        steps=2,
    )
    with modules_at_work() as modules:
        (told,) = attempted([cell], None)
    assert "error" not in told
    assert "counterflownet.explain.sampler" in modules
    assert not modules & FOR_RULES


def test_what_is_for_rules_is_there() -> None:
    assert all(find_spec(module) for module in FOR_RULES)


def test_what_has_no_source_has_no_checksum() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"counterflownet_bench\.nothing has no source file"):
        digest_of("counterflownet_bench.nothing")


def test_rows_are_known_by_their_cells_and_their_order() -> None:
    rows = pd.DataFrame({"age": [30, 40], "job": ["a", "b"]})
    assert rows_digest(rows) == rows_digest(rows.set_axis([7, 8]))
    assert len({rows_digest(rows), rows_digest(rows[::-1]), rows_digest(rows.assign(age=[30, 41]))}) == 3


@pytest.mark.parametrize(
    ("method", "code", "words"),
    [
        (OURS, CODE, "1 were made by the code"),
        (OURS, {**CODE, "library": "cccc"}, "1 were made by other code"),
        (OURS, {**CODE, "bench": "cccc"}, "1 were made by the code"),  # which does not decide ours
        ("mcce", {**CODE, "bench": "cccc"}, "1 were made by other code"),
        ("mcce", {**CODE, "bench": "cccc", "method": "dddd"}, "1 were made by the code"),
        ("mcce", {**CODE, "method": "cccc"}, "1 were made by other code"),
        (OURS, None, "1 do not say by which code"),
    ],
)
def test_the_report_says_which_results_other_code_made(method, code, words) -> None:
    (block,) = code_blocks([of(method, code)], CODE)
    assert "Code (library aaaa, bench bbbb, mcce dddd): of 1 cells" in block.text
    assert words in block.text

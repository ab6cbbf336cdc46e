"""Results say by which code and on which rows they were made, and the report says whose code is not today's."""

import pandas as pd
import pytest
from made_up_results import made_up

from counterflownet_bench.benchmark.cell import Cell, failed_result
from counterflownet_bench.benchmark.methods import OURS
from counterflownet_bench.benchmark.provenance import DECIDING, code_digests, commit, rows_digest
from counterflownet_bench.benchmark.report_facts import code_blocks

CODE = {"library": "aaaa", "bench": "bbbb"}


def of(method, code):
    result = made_up(Cell(protocol="a", dataset="german_credit", method=method, instances=5))
    return {name: value for name, value in result.items() if name != "code"} | ({} if code is None else {"code": code})


def test_a_result_names_commit_and_code() -> None:
    told = failed_result(Cell(protocol="a", dataset="german_credit", method="mcce"), "no time")
    assert told["code"] == dict(code_digests())
    assert told["code"].keys() == DECIDING.keys()
    assert told["commit"] == commit()


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
        (OURS, None, "1 do not say by which code"),
    ],
)
def test_the_report_says_which_results_other_code_made(method, code, words) -> None:
    (block,) = code_blocks([of(method, code)], CODE)
    assert "Code (library aaaa, bench bbbb): of 1 cells" in block.text
    assert words in block.text

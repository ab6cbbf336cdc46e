"""Random tables, random constraints, and no answer that breaks a promise; ``make fuzz`` does it for longer."""

import json
import os
import time

import numpy as np
import pandas as pd
import pytest

from attacks.column_kinds import KINDS, REFUSED
from attacks.fuzz import attack, summed_up, written
from attacks.made_tables import MadeTable
from attacks.plain_cells import cells_of
from counterflownet import Schema
from counterflownet.errors import InvalidInputError
from counterflownet.tabular import Codec
from made_states import states

SECONDS = float(os.environ.get("COUNTERFLOWNET_FUZZ_SECONDS", "45"))
FIRST = 1_000_000  # the long runs begin at 0


def test_no_answer_breaks_a_promise() -> None:
    until, seed, answers = time.monotonic() + SECONDS, FIRST, 0
    while time.monotonic() < until:
        report = attack(seed, calls=6, rows=60)
        assert not report.breaches, f"attack({seed}, calls=6, rows=60): {report.breaches}"
        answers, seed = answers + report.answers, seed + 1
    assert answers > 10 * SECONDS  # or the search finds too little to say anything


def test_there_are_forty_kinds_of_columns() -> None:
    assert len(KINDS) >= 40


@pytest.mark.parametrize("name", KINDS)
def test_rows_of_every_kind_come_back_as_they_were_given(name) -> None:
    draw = np.random.default_rng(0)
    table = MadeTable(pd.DataFrame({"x": KINDS[name].make(draw, 90)}), {"x": name})
    rows = table.rows(draw, 60)
    codec = Codec(table.schema(draw), rows)
    again = codec.decode(states(np.arange(60), codec.codes, np.zeros((60, 1), dtype=bool)))
    assert cells_of(again) == cells_of(rows)
    assert again["x"].dtype == rows["x"].dtype


@pytest.mark.parametrize("name", REFUSED)
def test_a_kind_that_is_not_supported_is_refused_with_its_reason(name) -> None:
    column, reason = REFUSED[name]
    with pytest.raises(InvalidInputError, match=reason):
        Schema.infer(pd.DataFrame({"x": column}))


def test_reports_are_appended_and_summed_up(tmp_path) -> None:
    path = tmp_path / "fuzz.jsonl"
    for seed in (1, 2):
        written(path, attack(seed, calls=1, rows=8))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["seed"] for line in lines] == [1, 2]
    assert summed_up(path).startswith("2 tables of ")
    assert "2 calls" in summed_up(path)
    assert "0 breaches" in summed_up(path)

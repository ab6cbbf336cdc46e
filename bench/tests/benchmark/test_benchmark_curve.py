"""From sparsest to most diverse: who is on the better side."""

import pytest
from made_up_results import MIXED, made_up

from counterflownet.errors import InvalidInputError
from counterflownet_bench.benchmark.cell import Cell
from counterflownet_bench.benchmark.curve import BETTER, UNKNOWN, WORSE, Curve, CurvePoint, curve_table
from counterflownet_bench.benchmark.presets import CURVE, preset_of
from counterflownet_bench.benchmark.report import report
from counterflownet_bench.benchmark.store import Stored
from counterflownet_bench.benchmark.summary import Summary

OURS = (CurvePoint("sparsest", 0.1, 0.2), CurvePoint("tuned", 0.2, 0.3), CurvePoint("most-diverse", 0.6, 1.1))


@pytest.mark.parametrize(
    ("paper", "side"),
    [
        (CurvePoint("paper", 0.4, 0.69), BETTER),  # the line passes above, at 0.7
        (CurvePoint("paper", 0.4, 0.71), WORSE),
        (CurvePoint("paper", 0.9, 1.1), BETTER),  # as diverse as our last with more changes
        (CurvePoint("paper", 0.9, 1.2), WORSE),
        (CurvePoint("paper", 0.05, 0.0), WORSE),  # sparser than all of ours
        (None, UNKNOWN),
    ],
)
def test_the_side_is_that_of_the_line_through_our_presets(paper, side) -> None:
    assert Curve(OURS, paper).side == side


def test_a_preset_that_another_one_beats_in_both_does_not_bend_the_line() -> None:
    beaten = CurvePoint("diverse", 0.4, 0.1)
    assert Curve((*OURS[:2], beaten, OURS[2]), CurvePoint("paper", 0.4, 0.29)).side == BETTER


def result(preset: str, changed: float, diversity: float):
    cell = Cell(protocol="b", dataset="bank_marketing", method="counterflownet", preset=preset)
    told = MIXED | {"sparsity_all": changed, "diversity": diversity}
    return made_up(cell, zscore=told, range=told)


def test_the_report_shows_every_preset_and_what_was_not_run() -> None:
    results = [result("paper", 0.5, 0.4), result("tuned", 0.3, 0.5), result("sparsest", 0.1, 0.2)]
    shown = curve_table(Summary(results, "b")).rows
    bank = [row for row in shown if row[0] == "Bank Marketing"]
    assert [row[1:] for row in bank] == [
        [kind, "0.100 / 0.200", "0.300 / 0.500", "not run", "not run", "0.500 / 0.400", "better"]
        for kind in ("zscore", "range")
    ]
    assert {row[-1] for row in shown if row[0] != "Bank Marketing"} == {UNKNOWN}
    assert "From sparsest to most diverse" in report(Stored(results, ()), pictures=False).markdown()


def test_the_curve_is_drawn_with_every_preset() -> None:
    places = [result(name, 0.1 * number, 0.1 * number) for number, name in enumerate(CURVE, start=1)]
    pictures = {
        picture.name: picture.svg for picture in report(Stored([*places, result("paper", 0.5, 0.1)], ())).pictures
    }
    assert all(name in pictures["protocol_b_curve"] for name in (*CURVE, "paper's method"))


def test_presets_of_the_curve_differ_in_weights_and_selection_and_are_protocol_b_s() -> None:
    presets = [preset_of(name, "b", "bank_marketing") for name in CURVE]
    assert len({(str(preset.reward), str(preset.training), str(preset.bins)) for preset in presets}) == 1
    first, *_, last = [preset.diversity for preset in presets]
    assert (first, last) == (0.0, 1.0)
    assert [preset.weights.sparsity for preset in presets] == sorted(
        (preset.weights.sparsity for preset in presets), reverse=True
    )
    with pytest.raises(InvalidInputError, match="protocol a has no preset 'diverse'; it has default, paper, tuned"):
        preset_of("diverse", "a", "german_credit")

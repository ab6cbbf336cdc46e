import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_up_results import CODED, MIXED, made_up

from counterflownet_bench.benchmark.cell import Cell
from counterflownet_bench.benchmark.columns import TABLES
from counterflownet_bench.benchmark.comparison import (
    beyond_sentences,
    judged,
    row_groups,
    sentences,
    standings,
    tuned_sentences,
    verdict_table,
)
from counterflownet_bench.benchmark.methods import OURS, refusal
from counterflownet_bench.benchmark.pareto import PAIRS, front, pareto_figure
from counterflownet_bench.benchmark.plan import Plan
from counterflownet_bench.benchmark.plots import Point
from counterflownet_bench.benchmark.report import report
from counterflownet_bench.benchmark.store import Stored
from counterflownet_bench.benchmark.summary import Summary

ADULT = "adult_protocol_b"


def of(method, *, dataset="german_credit", protocol="a", instances=50, **metrics):
    selection = "selected" if method == OURS else "raw"
    cell = Cell(protocol=protocol, dataset=dataset, method=method, selection=selection, instances=instances)
    return made_up(cell, **metrics)


def of_b(method, **values):
    both = dict.fromkeys(("range", "zscore"), MIXED | values)
    return of(method, protocol="b", dataset=ADULT, **both)


def told(*results, protocol="a", dataset="german_credit"):
    return sentences(Summary(results, protocol), dataset, TABLES[protocol][0])


def verdict(*results, protocol="a"):
    return list(map(list, verdict_table(Summary(results, protocol)).rows))


def test_methods_are_compared_on_the_number_of_rows_that_most_were_run_on():
    few, many = [of(OURS), of("mcce")], [of(OURS, instances=None)]
    assert row_groups([*many, *few], "a") == ([few], many)


def test_methods_that_were_compared_on_several_numbers_of_rows_are_told_apart_most_methods_first():
    few = [of(OURS), of("mcce")]
    many = [of(name, instances=99) for name in (OURS, "mcce", "copa")]
    assert row_groups([*few, *many], "a") == ([many, few], [])
    told = report(Stored((*few, *many)), pictures=False).markdown()
    assert told.count("all methods on the same rows") == 2


def test_one_method_alone_is_no_comparison():
    own = [of(OURS), of(OURS, instances=None)]
    assert row_groups(own, "a") == ([], own)
    assert "all methods on the same rows" not in report(Stored(tuple(own)), pictures=False).markdown()


def test_three_sentences_say_where_ours_wins_where_it_loses_and_why():
    text = told(
        of(OURS, sparsity=61.0, harmonic_mean=55.0, validity=100.0),
        of("dice-random", sparsity=88.0, harmonic_mean=26.0, validity=100.0),
        of("mcce", sparsity=30.0, harmonic_mean=31.0, validity=40.0),
    )
    assert "ahead of every other method in H. mean (55.00; mcce 31.00), and level with the best in" in text
    assert "It is behind in Sparsity (61.00; dice-random 88.00)." in text
    assert text.endswith("counterflownet, tuned, selected: 3.00 changes an answer, 100.00 validity.")
    assert "Measured beside it: dice-random: " in text


def test_a_lower_value_is_ahead_where_lower_is_better():
    results = of_b(OURS, lof=0.1, proximity_continuous=2.0), of_b("dice-kdtree", lof=0.2, proximity_continuous=1.0)
    found = {
        each.column.path[-1]: each for each in standings(Summary(results, "b"), ADULT, judged("b", TABLES["b"][0]))
    }
    assert found["lof"].ahead
    assert found["proximity_continuous"].behind
    assert not found["validity"].ahead
    assert not found["validity"].behind


def test_behind_in_nothing_is_said_too():
    assert "It is behind in nothing." in told(of(OURS), of("mcce", **dict.fromkeys(CODED, 1.0)))


def test_leading_nowhere_and_being_level_are_two_things():
    text = told(of(OURS), of("mcce", harmonic_mean=99.0, sparsity=99.0, diversity=99.0))
    assert "leads nowhere, but is level with the best in Validity, Coverage and Unary." in text


def test_what_people_see_is_told_beside_the_protocol():
    ours = of(OURS, tightness=1.0, strategies=5.0, changes=2.0, validity_returned=100.0)
    other = of("mcce", tightness=0.25, strategies=8.0, changes=2.0, validity_returned=40.0)
    text = beyond_sentences(Summary([ours, other], "a"), "german_credit")
    assert "ahead of every other method in Valid of returned, % (100.00; mcce 40.00) and Tight, share" in text
    assert "level with the best in Minimal, % and Changes." in text
    assert text.endswith("It is behind in Strategies (5.00; mcce 8.00).")
    assert beyond_sentences(Summary([other], "a"), "german_credit") == ""


def by_default(**metrics):
    asked = {"protocol": "a", "dataset": "german_credit", "method": OURS, "instances": 50}
    return made_up(Cell(**asked, preset="default", selection="minimal"), **metrics)


def test_the_tuned_variant_has_sentences_and_verdicts_of_its_own_beside_what_users_get():
    results = by_default(harmonic_mean=20.0), of(OURS, harmonic_mean=50.0), of("mcce", harmonic_mean=40.0)
    summary = Summary(results, "a")
    assert "It is behind in H. mean (20.00; mcce 40.00)" in told(*results)
    assert "(counterflownet, tuned, selected), it is ahead of every other method in H. mean (50.00; mcce 40.00)" in (
        tuned_sentences(summary, "german_credit", TABLES["a"][0])
    )
    assert [row[:2] for row in verdict(*results)[:2]] == [
        ["German Credit (Statlog): default, minimal", "20.00 against 40.00 (mcce): missed"],
        ["German Credit (Statlog): tuned, selected", "50.00 against 40.00 (mcce): met"],
    ]
    assert tuned_sentences(Summary(results[1:], "a"), "german_credit", TABLES["a"][0]) == ""


def test_readings_of_the_paper_are_told_by_themselves():
    paper, reading = (
        made_up(Cell(protocol="a", dataset="german_credit", method=OURS, preset=name, selection="raw", instances=50))
        for name in ("paper", "paper-reassign")
    )
    for result in (paper, reading):
        result["settings"] = result["settings"] | {"reading": {}}
    text = report(Stored((of("mcce"), paper, reading)), pictures=False).markdown()
    compared = text[text.index("### German") : text.index("### Adult")]
    assert "counterflownet, paper, raw" in compared
    assert "paper-reassign" not in compared
    assert "counterflownet, paper-reassign, raw (1 seed)" in text


def test_without_ours_nothing_is_compared():
    assert "nothing is compared" in told(of("mcce"), of("l2c"))


def of_seeds(method, values):
    """Results of several seeds, with these harmonic means."""
    selection = "selected" if method == OURS else "raw"
    asked = {"protocol": "a", "dataset": "german_credit", "method": method, "selection": selection, "instances": 50}
    return [made_up(Cell(**asked, seed=seed), harmonic_mean=value) for seed, value in enumerate(values)]


@pytest.mark.parametrize(
    ("ours", "others", "word"),
    [
        ([55.0, 56.0, 57.0], [54.0, 55.1, 55.9], "ahead"),  # always about one: noise of both, not of the difference
        ([55.0, 56.0, 57.0], [56.0, 57.1, 57.9], "behind"),
        ([50.0, 56.0, 57.0], [54.0, 55.1, 51.0], "level"),
        ([55.0, 55.0], [54.0, 55.1], "ahead"),  # two seeds say nothing of noise
    ],
)
def test_what_is_within_the_noise_of_seeds_is_level(ours, others, word):
    results = [*of_seeds(OURS, ours), *of_seeds("mcce", others)]
    (found,) = [
        each
        for each in standings(Summary(results, "a"), "german_credit", judged("a", TABLES["a"][0]))
        if each.column.path[-1] == "harmonic_mean"
    ]
    assert (found.ahead, found.behind) == (word == "ahead", word == "behind")


@pytest.mark.parametrize(("other", "word"), [(54.99, "met"), (55.0, "missed"), (60.0, "missed")])
def test_protocol_a_asks_for_the_highest_harmonic_mean(other, word):
    row = verdict(of(OURS, harmonic_mean=55.0, validity=99.5, unary=99.9), of("l2c", harmonic_mean=other))[0]
    assert row[1] == f"55.00 against {other:.2f} (l2c): {word}"
    assert row[2:] == ["99.50: met", "100.00: met", "99.90: missed"]


@given(st.floats(0, 100), st.floats(0, 100), st.floats(90, 100))
def test_a_verdict_is_what_the_printed_numbers_give(ours, other, covered):
    row = verdict(of(OURS, harmonic_mean=ours, coverage=covered), of("mcce", harmonic_mean=other))[0]
    assert row[1].endswith(": met") == (round(ours, 2) > round(other, 2))
    assert row[3].endswith(": met") == (covered >= 99.5)


def test_a_bar_that_is_missed_is_said_in_the_report():
    results = (of(OURS, harmonic_mean=20.0, validity=80.0), of("mcce", harmonic_mean=30.0))
    text = report(Stored(results), pictures=False).markdown()
    assert "| 20.00 against 30.00 (mcce): missed | 80.00: missed | 100.00: met | 100.00: met |" in text


def test_protocol_b_asks_that_nobody_is_as_good_in_everything():
    assert verdict(of_b(OURS), of_b("cchvae"), of_b("dicoflex", lof=9.0), protocol="b")[0][2] == "cchvae: missed"
    assert verdict(of_b(OURS), of_b("dicoflex", lof=9.0), protocol="b")[0][2] == "nobody: met"


@pytest.mark.parametrize(("better", "word"), [(2, "missed"), (3, "met")])
def test_protocol_b_asks_for_three_of_five_against_the_strongest(better, word):
    worse = {"lof": 9.0, "proximity_continuous": 9.0, "diversity": 0.0}
    values = dict(list(worse.items())[:better])
    row = verdict(of_b(OURS), of_b("dice-kdtree", **values), protocol="b")[0]
    assert row[3].startswith(f"{better} (")
    assert row[3].endswith(word)


def test_who_explains_linear_classifiers_only_is_not_asked_about_networks_unless_told_to():
    assert refusal("copa", "german_credit") is None
    assert "linear" in str(refusal("copa", "adult_protocol_a"))
    everything = Plan(protocol="a", datasets=("all",), methods=("copa", "mcce")).cells()
    asked = {method: {c.dataset for c in everything if c.method == method} for method in ("copa", "mcce")}
    assert asked["copa"] == {"german_credit", "student_performance"}
    assert len(asked["mcce"]) == 4
    assert len(Plan(protocol="a", datasets=("adult_protocol_a",), methods=("copa",)).cells()) == 1


def test_the_report_says_what_a_method_does_not_claim_to_do():
    text = report(Stored((of("copa"), of(OURS))), pictures=False).markdown()
    assert "| adult_protocol_a | copa | 0 | it explains linear classifiers only" in text
    assert "| copa | 0 of 1 |  | not for it |" in text


def test_the_report_compares_first_and_tells_the_rest_after_it():
    results = (of(OURS), of("mcce"), of(OURS, instances=None, sparsity=12.34))
    text = report(Stored(results), pictures=False).markdown()
    compared = text.index("Protocol A: discrete features, all methods on the same rows")
    assert compared < text.index("What must hold for ours") < text.index("12.34")


def test_the_picture_has_a_panel_for_every_pair_of_every_data_set():
    drawn = pareto_figure(Summary([of_b(OURS), of_b("cchvae", lof=9.0)], "b"))
    assert len(drawn.axes) == 5 * len(PAIRS["b"])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12))
def test_the_front_is_what_nobody_beats_and_beats_all_others(places):
    x, y = (next(c for c in TABLES["b"][0].columns if c.path[-1] == name) for name in ("lof", "diversity"))
    found = [Point(str(number), *place, ours=False, measured=True) for number, place in enumerate(places)]
    kept = front(found, x, y)
    for point in found:
        beaten = any(
            other.x <= point.x and other.y >= point.y and (other.x, other.y) != (point.x, point.y) for other in kept
        )
        assert (point in kept) != beaten

import re

import pytest
from made_up_results import CODED, MIXED, made_up

from counterflownet_bench.benchmark import plots
from counterflownet_bench.benchmark.cell import Cell, failed_result
from counterflownet_bench.benchmark.document import Document, Heading, Paragraph, Picture, Shown, Table
from counterflownet_bench.benchmark.paper import published_rows
from counterflownet_bench.benchmark.report import report, write_report
from counterflownet_bench.benchmark.store import ResultStore, Stored
from counterflownet_bench.benchmark.summary import Spread, Summary
from counterflownet_bench.datasets import protocol_names


@pytest.fixture
def paper_cell(german):
    return lambda **changes: german(**{"preset": "paper", "selection": "raw", "instances": None} | changes)


def written(*results, notes=(), pictures=False) -> str:
    return report(Stored(results, notes), pictures=pictures).markdown()


def lines_with(text: str, *parts: str) -> list[str]:
    return [line for line in text.splitlines() if all(part in line for part in parts)]


def test_the_paper_s_numbers_stand_beside_ours(paper_cell):
    text = written(made_up(paper_cell()))
    assert "| L2C (paper) |  |  | 61.35 | 37.31 | 46.39 | **100.00** | **100.00** | 99.06 |" in text
    assert "| counterflownet, paper, raw | 1 | 200 | 60.00 | 40.00 | 48.00 | 99.00 | **100.00** | **100.00** |" in text


@pytest.mark.parametrize("protocol", ["a", "b"])
def test_every_data_set_of_the_paper_has_its_printed_rows(protocol):
    names = CODED if protocol == "a" else set(MIXED) - {"sparsity_all"}
    for dataset in protocol_names(protocol):
        rows = published_rows(protocol, dataset)
        assert "CFN" in rows
        assert all(set(row) == set(names) for row in rows.values())
    assert published_rows("a", "graduate_admission_400") == {}


def test_the_best_of_each_column_is_bold_whoever_has_it(paper_cell):
    text = written(made_up(paper_cell(), sparsity=88.23, diversity=99.0))
    table = text[text.index("### German") : text.index("### Adult")]
    columns = list(zip(*[line.split("|")[4:-1] for line in table.splitlines()[6:] if line], strict=True))
    bold = [[cell.strip(" *") for cell in column if "**" in cell] for column in columns]
    assert bold[:3] == [["88.23", "88.23"], ["99.00"], ["51.65"]]


def test_a_lower_number_is_better_where_the_protocol_says_so():
    cell = Cell(protocol="b", dataset="adult_protocol_b", method="counterflownet", selection="raw")
    text = written(made_up(cell, zscore=MIXED | {"lof": 0.01}))
    assert lines_with(text, "counterflownet, tuned, raw", "**0.010**")
    assert "Prox.-Cont. ↓" in text
    assert "Convention `zscore`" in text
    assert "Convention `range`" in text


def test_mean_and_deviation_are_over_seeds(paper_cell):
    results = [made_up(paper_cell(seed=seed), sparsity=50.0 + seed) for seed in range(3)]
    assert "| counterflownet, paper, raw | 3 | 200 | 51.00 ± 1.00 |" in written(*results)
    assert Spread.over([1.0, None, 3.0], asked=4) == Spread(2.0, pytest.approx(2**0.5), known=2, asked=4)
    assert Spread.over([None], asked=1) is None


def test_a_result_of_settings_that_have_changed_since_says_so(paper_cell):
    result = made_up(paper_cell())
    assert "have changed since" not in written(result)
    old = result | {"settings": result["settings"] | {"samples": 7}}
    assert "settings have changed since these were run: counterflownet, paper, raw (german_credit)." in written(old)


def test_no_hole_is_silent(paper_cell):
    text = written(
        made_up(paper_cell()), made_up(paper_cell(seed=1)), failed_result(paper_cell(seed=2), "out | of luck")
    )
    assert "10 cells have no numbers (1 failed, 0 are none that their method claims to explain, 9 were not run)" in text
    assert "| german_credit | counterflownet, paper, raw | 2 | failed: out \\| of luck |" in text
    assert "| student_performance | counterflownet, paper, raw | 0, 1, 2 | not run |" in text
    assert "| counterflownet, paper, raw | 2 of 3 | 200 |" in text
    for dataset in ("Adult", "Graduate", "Student"):
        section = text[text.index(f"### {dataset}") :]
        assert "| counterflownet, paper, raw | 0 of 3 |  | not run | not run |" in section[: section.index("\n### ")]
    assert "These files hold no result of protocol b" in text


def test_a_data_set_on_which_every_seed_failed_is_shown_as_failed(paper_cell):
    text = written(failed_result(paper_cell(), "no data"))
    assert "| counterflownet, paper, raw | 0 of 1 |  | failed | failed |" in text


def test_when_all_is_there_the_report_says_so(paper_cell):
    text = written(*(made_up(paper_cell(dataset=name)) for name in protocol_names("a")))
    assert "Every cell is there." in text
    assert "not run" not in text[: text.index("## Protocol B")]


def test_the_last_result_of_a_cell_counts(paper_cell):
    text = written(failed_result(paper_cell(), "at first"), made_up(paper_cell(), sparsity=12.34))
    assert "at first" not in text
    assert "12.34" in text


def test_a_metric_without_a_value_is_written_as_such(paper_cell):
    assert "| counterflownet, paper, raw | 1 | 200 | n/a | 40.00 |" in written(made_up(paper_cell(), sparsity=None))


def test_a_data_set_may_have_limits_of_its_own(paper_cell):
    few = made_up(paper_cell(dataset="adult_protocol_a", instances=50)) | {"instances": 50}
    text = written(made_up(paper_cell()), few)
    assert "| counterflownet, paper, raw | 1 | 50 |" in text
    assert "2 cells have no numbers" in text


def test_one_data_set_within_two_limits_has_two_rows(paper_cell):
    text = written(made_up(paper_cell(steps=5), sparsity=1.0), made_up(paper_cell(), sparsity=2.0))
    assert "| counterflownet, paper, raw, at most 5 steps | 1 | 200 | 1.00 |" in text
    assert "| counterflownet, paper, raw | 1 | 200 | 2.00 |" in text


def test_seeds_under_different_settings_are_pointed_out(paper_cell):
    other = made_up(paper_cell(seed=1)) | {"version": "0.0.1"}
    assert "were not all run under the same settings" in written(made_up(paper_cell()), other)


def test_classifiers_directions_cost_and_notes_are_told(paper_cell):
    results = [made_up(paper_cell(seed=seed), accuracy=accuracy) for seed, accuracy in ((0, 0.66), (1, 0.68))]
    text = written(*results, notes=("line 3 is torn",))
    assert "| german_credit | 67.00% ± 1.41% | 67.00% | 0, 1 |" in text
    assert "| german_credit | 1 → 0: 88; 0 → 1: 112 | 800 train, 200 test, as published | 0, 1 | 200 |" in text
    assert "raw | 0 → 1 | 112 | 50.00% | 75.00% |" in text
    assert "| 12.0 | 2.0 | 10.0 | 1000 | plateau | 1024 | 398 complete, 2 partial |" in text
    assert "Note: line 3 is torn." in text


def test_markdown_html_and_pictures_are_written(tmp_path, paper_cell):
    store = ResultStore(tmp_path / "results.jsonl")
    store.append(made_up(paper_cell()))
    out, page = tmp_path / "new" / "REPORT.md", tmp_path / "REPORT.html"
    assert write_report([store.path], out, page) == (out, out.with_name("REPORT_protocol_a.svg"), page)
    assert "](REPORT_protocol_a.svg)" in out.read_text(encoding="utf-8")
    html = page.read_text(encoding="utf-8")
    assert "<strong>88.23</strong>" in html
    assert "<svg" in html
    assert "<?xml" not in html
    assert not re.search(r"<script|https?://(?!www\.w3\.org|purl\.org|creativecommons)[^<]*\.(css|js)", html)


def test_text_in_a_page_is_escaped():
    rows = [["a < b", Shown("1", best=True)]]
    blocks = [Heading("T & U", 1), Paragraph("see `x<y`"), Table(["n", "v"], rows), Picture("p", "<?xml?><svg/>", "w")]
    html = Document(blocks).html()
    assert "<title>T &amp; U</title>" in html
    assert "see <code>x&lt;y</code>" in html
    assert "<td class=text>a &lt; b</td><td class=number><strong>1</strong></td>" in html


def test_our_method_has_its_colour_and_axes_say_which_way_is_better(paper_cell):
    summary = Summary([made_up(paper_cell()), made_up(paper_cell(preset="tuned"))], "a")
    figure = plots.figure(summary)
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Sparsity (higher is better)", "Diversity (higher is better)")
    from matplotlib.colors import to_hex  # noqa: PLC0415

    colours = {dots.get_label(): to_hex(dots.get_edgecolor()[0]).upper() for dots in axes.collections}
    ours = {label for label, colour in colours.items() if colour == plots.OUR_COLOUR}
    assert ours == {"CFN (paper)", "counterflownet, paper, raw", "counterflownet, tuned, raw"}
    assert plots.svg(figure) == plots.svg(plots.figure(summary))


def test_a_panel_without_measurements_says_so(paper_cell):
    figure = plots.figure(Summary([made_up(paper_cell())], "a"))
    texts = [[text.get_text() for text in axes.texts] for axes in figure.axes]
    assert texts == [[], ["nothing measured"], ["nothing measured"], ["nothing measured"]]

"""The page of the proportionality study: a table and a picture over training time."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet import TrainingSettings
from counterflownet_bench.benchmark.document import Block, Heading, Picture, Table
from counterflownet_bench.benchmark.plots import svg
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.findings import NOTHING, course
from counterflownet_bench.studies.measure_table import mean_text
from counterflownet_bench.studies.seeds import Setting, seeds_words, settings_of

INTRODUCTION = (
    "Counterfactuals are to be sampled in proportion to the reward. Where all states of a row can be visited, the "
    "total variation between the policy's exact distribution and R/Z says how near that is (0 equal, 1 apart). Beside "
    "it: what as many perfect samples would show from chance alone (floor), what samples of the policy show, and what "
    "samples corrected by importance weights show. Everywhere: the effective sample size of importance weights as a "
    "share of the samples, the spread of log P_F - log P_B - log R within one row, and the rank correlation of "
    "log P(x') with log R(x'). Medians over rows of the training table, since settings are chosen by this study, and "
    "means over seeds. "
    "Rows are diagnosed under the constraints of the data set's protocol, or under none. Dashed in the picture: "
    "without constraints, or with a network of another width."
)
PAPER = (
    "a GFlowNet samples in proportion to its reward when its loss is zero; how near training comes to that is not "
    "measured."
)
WIDTH = TrainingSettings().width
NEAR = 0.10  # total variation
COLUMNS: Mapping[str, str] = MappingProxyType(
    {
        "total_variation": "Total variation, exact ↓",
        "noise_floor": "Floor",
        "sampled_variation": "Of samples ↓",
        "corrected_variation": "Of corrected samples ↓",
        "effective_share": "Effective samples ↑",
        "spread": "Spread ↓",
        "rank_correlation": "Rank correlation ↑",
    }
)
COLOURS = {"trajectory": "#E69F00", "detailed": "#0072B2", "subtrajectory": "#009E73", "stateflow": "#CC79A7"}


def chapter(results: Sequence[Mapping[str, Any]]) -> Chapter:
    details: list[Block] = []
    for dataset in dict.fromkeys(result["question"]["dataset"] for result in results):
        own = settings_of([result for result in results if result["question"]["dataset"] == dataset])
        details += [Heading(dataset), _table(sorted(own, key=_place))]
    words = "effective samples and exact total variation over training time"
    return Chapter(
        title="Are samples proportional to the reward?",
        introduction=f"{INTRODUCTION} Measured with {seeds_words(results)}." if results else INTRODUCTION,
        paper=PAPER,
        ours=found(results),
        shown=[Picture("over_time", svg(figure(settings_of(results))), words)] if results else [],
        details=details,
    )


def found(results: Sequence[Mapping[str, Any]]) -> str:
    """How near samples came where the exact distribution is known, and whether that is as near as we want."""
    known = [setting for setting in settings_of(results) if _median(setting, "total_variation") is not None]
    if not known:
        return NOTHING
    best = min(known, key=_distance)
    told, distance = best.question, _distance(best)
    nearest = (
        f"where all states can be visited, the policy comes as near as a total variation of {distance:.3f} to the "
        f"exact distribution ({told['dataset']}, {told['objective']}, {told['steps']} steps, constraints: "
        f"{told['constraints']}, {seeds_words(best.results)}); at most {NEAR:.2f} is wanted: "
        f"{'met' if distance <= NEAR else 'missed'}"
    )
    return "; ".join([nearest, *_longer_training(known)]) + "."


def _median(setting: Setting, name: str) -> float | None:
    """The mean over seeds of what is a median over rows."""
    found: float | None = setting.mean("medians").get(name)
    return found


def _distance(setting: Setting) -> float:
    return float(setting.mean("medians")["total_variation"])


def _longer_training(known: Sequence[Setting]) -> list[str]:
    """What more steps of the default objective bring, and how corrected samples compare with perfect ones."""
    asked = {"objective": TrainingSettings().objective, "constraints": "protocol", "width": WIDTH}
    default = {
        setting.question["steps"]: setting.mean("medians")
        for setting in known
        if asked.items() <= setting.question.items()
    }
    if not default:
        return []
    distances = {steps: medians["total_variation"] for steps, medians in default.items()}
    longest = default[max(default)]
    words = f"under `{asked['objective']}` and the protocol's constraints, total variation"
    corrected, perfect = longest["corrected_variation"], longest["noise_floor"]
    samples = f"after the longest training, corrected samples show {corrected:.3f} and perfect ones would {perfect:.3f}"
    return [course(words, distances, "steps"), samples]


def _place(setting: Setting) -> tuple[int, int, bool, int]:
    """By objective, width, constraints and steps, whatever was asked first."""
    told = setting.question
    return list(COLOURS).index(told["objective"]), told["width"], told["constraints"] == "none", told["steps"]


def _table(own: Sequence[Setting]) -> Table:
    asked = {"objective": "Objective", "width": "Width", "constraints": "Constraints", "steps": "Steps"}
    header = [*asked.values(), "Seeds", "Processor minutes", *COLUMNS.values(), "Mean reward"]
    rows = [
        [
            *(str(setting.question[name]) for name in asked),
            setting.seed_count,
            f"{_minutes(setting):.1f}",
            *(mean_text(setting.each("medians", name), _text) for name in COLUMNS),
            mean_text(setting.each("reward"), _text),
        ]
        for setting in own
    ]
    return Table(header, rows)


def _minutes(setting: Setting) -> float:
    return float(setting.mean("processor_seconds")) / 60


def _text(value: float) -> str:
    return f"{value:.3f}"


def figure(settings: Sequence[Setting]) -> Figure:
    """Two panels for each data set, drawn without pyplot."""
    datasets = list(dict.fromkeys(setting.question["dataset"] for setting in settings))
    drawn = Figure(figsize=(7.2, 2.6 * len(datasets) + 0.6), layout="constrained")
    grid = drawn.subplots(len(datasets), 2, squeeze=False)
    for line, dataset in zip(grid, datasets, strict=True):
        own = [setting for setting in settings if setting.question["dataset"] == dataset]
        _panel(line[0], own, "effective_share", "effective samples (higher is better)")
        _panel(line[1], own, "total_variation", "total variation (lower is better)")
        line[0].set_title(dataset, loc="left", fontsize=9, fontweight="bold")
    handles = {label: handle for handle, label in zip(*grid[0][0].get_legend_handles_labels(), strict=True)}
    drawn.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return drawn


def _panel(axes: Axes, own: Sequence[Setting], measure: str, words: str) -> None:
    for objective, colour in COLOURS.items():
        axes.plot([], [], marker="o", color=colour, label=objective)
    lines: dict[tuple[str, int, str], list[tuple[float, float]]] = {}
    for setting in own:
        value = _median(setting, measure)
        if value is not None:
            told = setting.question
            line = (told["objective"], told["width"], told["constraints"])
            lines.setdefault(line, []).append((_minutes(setting), value))
    for (objective, width, constraints), points in lines.items():
        across, along = zip(*sorted(points), strict=True)
        style = "-" if (width, constraints) == (WIDTH, "protocol") else "--"  # beside what all are compared with
        axes.plot(across, along, style, marker="o", markersize=4, color=COLOURS[objective])
    axes.set_xlabel("processor minutes of training", fontsize=8)
    axes.set_ylabel(words, fontsize=8)
    axes.set_ylim(0, 1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=7)
    axes.grid(color="#eeeeee")

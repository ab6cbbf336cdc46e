"""How every picture of a study looks: words on the axes, which way is better, and our method in its own colour."""

from collections.abc import Mapping
from types import MappingProxyType

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from counterflownet_bench.benchmark.columns import TABLES, Column
from counterflownet_bench.benchmark.plots import COLOURS, OUR_COLOUR

OURS, OTHERS, PAPER = OUR_COLOUR, COLOURS, "#666666"
_METHOD_COLOURS: Mapping[str, str] = MappingProxyType(
    dict(zip(("dice-kdtree", "cchvae", "dicoflex", "dice-random", "dice-genetic"), COLOURS, strict=False))
)
WIDTH = 7.2  # inches: letters of nine points are read on a page of one column, and in half the width of two
FONT = 9

# Protocol B's convention that fits the paper's own numbers best.
ZSCORE, RANGE = (kind.columns for kind in TABLES["b"])
BY_NAME: Mapping[str, Column] = MappingProxyType({column.path[-1]: column for column in ZSCORE})
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "validity": "valid answers, share",
        "proximity_continuous": "distance, mean |z|",
        "sparsity_categorical": "changed categories, share",
        "epsilon_sparsity": "moved numbers, share",
        "lof": "outlier factor, median log",
        "diversity": "diversity, mean distance",
        "sparsity_all": "changed columns, share",
    }
)


def blank(*, down: int, across: int, height: float) -> tuple[Figure, list[Axes]]:
    """A figure of page width with panels, made without pyplot, so that no global state is touched."""
    drawn = Figure(figsize=(WIDTH, height), layout="constrained")
    panels = list(drawn.subplots(down, across, squeeze=False).ravel())
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=FONT - 1)
        axes.grid(color="#eeeeee")
        axes.set_axisbelow(True)
    return drawn, panels


def measure_words(name: str) -> str:
    """The words of an axis: what is measured, and which way is better."""
    return f"{WORDS[name]}\n({BY_NAME[name].direction})"


def name_measure(axes: Axes, name: str) -> None:
    """A panel about one measure: its name above, which way is better along the axis, which begins at 0 if it can.

    Validity is near 1 everywhere: its axis ends there instead.
    """
    title(axes, WORDS[name])
    axes.set_ylabel(f"({BY_NAME[name].direction})", fontsize=FONT - 1)
    low, high = axes.get_ylim()
    if name == "validity":
        axes.set_ylim(low, min(high, 1.01))
    elif low >= 0:
        axes.set_ylim(0, 1.05 * high)


def title(axes: Axes, words: str) -> None:
    axes.set_title(words, loc="left", fontsize=FONT - 1, fontweight="bold")


def legend_in(axes: Axes, of: Axes) -> None:
    """An empty panel that says what the marks of another one mean."""
    axes.set_axis_off()
    axes.legend(*of.get_legend_handles_labels(), loc="center", frameon=False, fontsize=FONT)


def colour_of(method: str) -> str:
    """The same colour for a method in every picture; never ours."""
    return _METHOD_COLOURS.get(method, OTHERS[-1])

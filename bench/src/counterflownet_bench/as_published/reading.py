"""What the paper's text leaves open, each as a setting with a name of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, get_args

from counterflownet.errors import check_one_of

TemperatureKind = Literal["exponential", "power"]
Distance = Literal["range", "zscore"]
FasterFlow = Literal["network", "scalar"]
OutlierRows = Literal["all", "target"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to read the paper; the defaults are what its formulas say, or what the code it builds on does.

    Attributes:
        reassign: Whether an edit may set a feature to the code it had: then a feature is left alone in two ways.
        temperature: ``"exponential"``, log R = 40 r, as in the code that the paper builds on; or ``"power"``, 40 log r.
        distance: In which units the reward measures numbers: their range, or their standard deviation.
        faster_flow: What learns ten times as fast: the whole network of log F, or one number added to its output, since
            the code that the paper builds on finds these parameters by the name of a single number.
        outlier_rows: Among which training rows the reward looks for outliers: all, or those predicted as the target.
        quantised: Whether rows are explained after their numbers were replaced by the centres of their bins, as the
            paper's examples show them.
        discretised: Whether the classifier is trained on numbers replaced by the centres of their bins, too.
        exact: Whether samples are drawn in exact proportion to the reward instead of by a flow that was trained; only
            where the states of a row can be counted.
        l2c_bins: Whether Protocol A has as many bins as the published code of L2C: three on two of its tables.
    """

    reassign: bool = False
    temperature: TemperatureKind = "exponential"
    distance: Distance = "range"
    faster_flow: FasterFlow = "network"
    outlier_rows: OutlierRows = "all"
    quantised: bool = False
    discretised: bool = False
    l2c_bins: bool = False
    exact: bool = False

    def __post_init__(self) -> None:
        check_one_of("Reading.temperature", self.temperature, get_args(TemperatureKind))
        check_one_of("Reading.distance", self.distance, get_args(Distance))
        check_one_of("Reading.faster_flow", self.faster_flow, get_args(FasterFlow))
        check_one_of("Reading.outlier_rows", self.outlier_rows, get_args(OutlierRows))


FORMULAS = Reading()
_REASSIGNED = replace(FORMULAS, reassign=True)

# By the name of the preset that has it; each differs from "paper" or from "paper-reassign" in one thing.
READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        "paper": FORMULAS,
        "paper-reassign": _REASSIGNED,
        "paper-power": replace(FORMULAS, temperature="power"),
        "paper-reassign-power": replace(_REASSIGNED, temperature="power"),
        "paper-exact": replace(FORMULAS, exact=True),
        "paper-exact-reassign": replace(_REASSIGNED, exact=True),
        "paper-exact-power": replace(FORMULAS, temperature="power", exact=True),
        "paper-exact-reassign-power": replace(_REASSIGNED, temperature="power", exact=True),
        "paper-exact-discretised": replace(FORMULAS, quantised=True, discretised=True, exact=True),
        "paper-exact-l2c-bins": replace(FORMULAS, l2c_bins=True, exact=True),
        "paper-exact-reassign-l2c-bins": replace(_REASSIGNED, l2c_bins=True, exact=True),
        "paper-exact-reassign-l2c-bins-discretised": replace(
            _REASSIGNED, l2c_bins=True, quantised=True, discretised=True, exact=True
        ),
        "paper-zscore": replace(FORMULAS, distance="zscore"),
        "paper-scalar-flow": replace(FORMULAS, faster_flow="scalar"),
        "paper-target-outliers": replace(FORMULAS, outlier_rows="target"),
        "paper-quantised": replace(FORMULAS, quantised=True),
        "paper-discretised": replace(FORMULAS, quantised=True, discretised=True),
        "paper-l2c-bins": replace(FORMULAS, l2c_bins=True),
    }
)

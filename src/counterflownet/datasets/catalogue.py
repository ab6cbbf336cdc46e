"""Every bundled data set by its name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from counterflownet.datasets.card import Dataset
from counterflownet.datasets.german import german_credit

DATASETS: Mapping[str, Callable[[], Dataset]] = MappingProxyType({"german_credit": german_credit})

"""The examples in docstrings give what they say."""

import doctest
import pkgutil
from importlib import import_module

import pytest

PACKAGES = ("counterflownet.tabular", "counterflownet.reward", "counterflownet.classifier", "counterflownet.training")
MODULES = [
    module.name
    for package in PACKAGES
    for module in pkgutil.iter_modules(import_module(package).__path__, prefix=f"{package}.")
]
WITH_EXAMPLES = ("tabular.binning", "tabular.constraint", "classifier.adapters")


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_every_module_run(name) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_are_found_where_there_are_some(name) -> None:
    assert doctest.testmod(import_module(f"counterflownet.{name}")).attempted > 0

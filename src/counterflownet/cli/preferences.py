"""Weights and costs as options: ``--weight sparsity=0.9 --cost age=4``."""

import argparse
from collections.abc import Sequence
from typing import Any

from counterflownet.cli.column_types import number_of
from counterflownet.cli.constraint_options import assigned
from counterflownet.explain.explainer import CounterFlowNet


def add_preferences(command: argparse.ArgumentParser) -> None:
    """Add an option for weights and one for costs; both may be given several times."""
    add = command.add_argument_group("preferences, of this call alone").add_argument
    add("--weight", action="append", default=[], metavar="NAME=W", help="what counts how much, from 0 to 1 (see fit)")
    add("--cost", action="append", default=[], metavar="COLUMN=C", help="how hard it is to change: 0 free, 1, ..., 16")


def preferences(options: argparse.Namespace, explainer: CounterFlowNet) -> dict[str, Any]:
    """What the options say, as ``explain`` takes it; nothing of what they leave open."""
    return {
        name: given
        for name, option, kind, allowed in (
            ("weights", "--weight", "name", explainer.terms),
            ("costs", "--cost", "column", explainer.schema.names),
        )
        if (given := _numbers(options, option, kind, allowed))
    }


def _numbers(options: argparse.Namespace, option: str, kind: str, allowed: Sequence[Any]) -> dict[Any, Any]:
    return {name: number_of(text) for name, text in assigned(options, option, allowed, kind)}

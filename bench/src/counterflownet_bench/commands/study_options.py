"""Every study with the options that it takes on the command line."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from counterflownet import OBJECTIVES
from counterflownet_bench.benchmark.presets import COUNT, PRESETS
from counterflownet_bench.commands.study_command import StudyCommand
from counterflownet_bench.studies import (
    answers,
    bins,
    constraints,
    examples,
    preferences,
    proportionality,
    utilisation,
    weights,
)
from counterflownet_bench.studies.answers_classifiers import CLASSIFIERS
from counterflownet_bench.studies.measured_fit import DATASET, INSTANCES
from counterflownet_bench.studies.others import taken_over
from counterflownet_bench.studies.preferences_page import ANY, ONE, PREFERENCES
from counterflownet_bench.studies.seeds import SEEDS
from counterflownet_bench.studies.study import Found

OTHERS = "files that `benchmark run` has written: other methods on the same data set"


def _add_fit_options(
    command: argparse.ArgumentParser,
    *,
    seeds: Sequence[int] | None = None,
    datasets: Sequence[str] = (DATASET,),
    count: int = COUNT,
) -> None:
    """What every study that fits explainers of its own can be told; ``seeds``: it takes several."""
    add = command.add_argument
    add("--dataset", nargs="+", default=datasets, metavar="NAME", help=f"of Protocol B (default: {' '.join(datasets)})")
    add("--preset", default="tuned", choices=PRESETS, help="all other settings (default: tuned)")
    add("--instances", type=int, default=INSTANCES, metavar="N", help=f"test rows to explain (default: {INSTANCES})")
    add("--count", type=int, default=count, metavar="K", help=f"counterfactuals per instance (default: {count})")
    add("--steps", type=int, metavar="N", help="training steps at most (default: the preset's)")
    if seeds is None:
        add("--seed", type=int, default=0, metavar="N", help="of classifier, training and rows (default: 0)")
    else:
        _add_seeds(command, seeds)


def _add_seeds(command: argparse.ArgumentParser, seeds: Sequence[int]) -> None:
    told = " ".join(map(str, seeds))
    words = f"each a classifier and fits of its own; the spread is the noise (default: {told})"
    command.add_argument("--seed", type=int, nargs="+", default=seeds, metavar="N", help=words)


def _fit_options(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in ("preset", "instances", "count", "steps")}


def _add_bins(command: argparse.ArgumentParser) -> None:
    told = " ".join(map(str, bins.COUNTS))
    command.add_argument("--bins", nargs="+", type=int, default=bins.COUNTS, metavar="B", help=f"(default: {told})")
    _add_fit_options(command, seeds=SEEDS)


def _bins(options: argparse.Namespace) -> Sequence[Any]:
    return bins.questions(options.dataset, options.seed, options.bins, **_fit_options(options))


def _constraints(options: argparse.Namespace) -> Sequence[Any]:
    return constraints.questions(options.dataset, options.seed, **_fit_options(options))


def _add_constraints(command: argparse.ArgumentParser) -> None:
    _add_fit_options(command, seeds=SEEDS)


def _add_weights(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    told = " ".join(f"{weight:g}" for weight in weights.GRID)
    for name in ("plausibility", "proximity"):
        add(f"--{name}", nargs="+", type=float, default=weights.GRID, metavar="W", help=f"weights (default: {told})")
    add("--sparsity", type=float, default=weights.SPARSITY, metavar="W", help=f"(default: {weights.SPARSITY:g})")
    add("--results", nargs="+", type=Path, default=(), metavar="RESULTS", help=OTHERS)
    _add_fit_options(command, seeds=SEEDS)


def _weights(options: argparse.Namespace) -> Sequence[Any]:
    common = {"sparsity": options.sparsity, **_fit_options(options)}
    return weights.questions(options.dataset, options.seed, options.plausibility, options.proximity, **common)


def _add_preferences(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    fits = (ONE, ANY, *PREFERENCES)
    told = "the usual one, for any preference, or dedicated to one (default: all)"
    add("--fit", nargs="+", default=fits, choices=fits, help=told)
    add("--results", nargs="+", type=Path, default=(), metavar="RESULTS", help=OTHERS)
    _add_fit_options(command, seeds=SEEDS, datasets=preferences.DATASETS)


def _preferences(options: argparse.Namespace) -> Sequence[Any]:
    return preferences.questions(options.dataset, options.seed, options.fit, **_fit_options(options))


def _others(options: argparse.Namespace) -> Sequence[Found]:
    return [found for dataset in options.dataset for found in taken_over(options.results, dataset)]


def _add_utilisation(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("results", nargs="+", type=Path, metavar="RESULTS", help=OTHERS)
    add("--dataset", nargs="+", default=[DATASET], metavar="NAME", help=f"(default: {DATASET})")


def _add_examples(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--rows", type=int, default=examples.ROWS, metavar="N", help=f"test rows (default: {examples.ROWS})"
    )
    _add_fit_options(command, datasets=examples.DATASETS, count=examples.ANSWERS)


def _examples(options: argparse.Namespace) -> Sequence[Any]:
    return examples.questions(options.dataset, rows=options.rows, seed=options.seed, **_fit_options(options))


def _add_proportionality(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--dataset", required=True, nargs="+", metavar="NAME", help="data sets by name; see: datasets")
    add("--objective", nargs="+", default=OBJECTIVES, choices=OBJECTIVES, help="balance conditions (default: all)")
    add(
        "--steps", nargs="+", type=int, default=[250, 1000], metavar="N", help="lengths of training (default: 250 1000)"
    )
    width = proportionality.WIDTH
    add("--width", type=int, default=width, metavar="N", help=f"of the network's layers (default: {width})")
    add(
        "--constraints",
        default="protocol",
        choices=proportionality.CONSTRAINTS,
        help="under which rows are diagnosed (default: those of the data set's protocol)",
    )
    add("--rows", type=int, default=10, metavar="N", help="training rows that are diagnosed (default: 10)")
    add("--samples", type=int, default=1_000, metavar="N", help="samples of each row (default: 1000)")
    add("--reward", default="tuned", choices=proportionality.REWARDS, help="of which preset (default: tuned)")
    _add_seeds(command, SEEDS)


def _proportionality(options: argparse.Namespace) -> Sequence[Any]:
    common = ("width", "constraints", "rows", "samples", "reward")
    told = {name: getattr(options, name) for name in common}
    return proportionality.questions(options.dataset, options.seed, options.objective, options.steps, **told)


def _add_answers(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    usual = f"all, or {' '.join(answers.BUNDLED)} without a folder with data sets"
    add("--datasets", nargs="+", choices=answers.DATASETS, metavar="NAME", help=f"(default: {usual})")
    add("--classifiers", nargs="+", choices=tuple(CLASSIFIERS), metavar="NAME", help=f"of {' '.join(CLASSIFIERS)}")
    add("--rows", type=int, default=answers.ROWS, metavar="N", help=f"rows to explain (default: {answers.ROWS})")
    add("--held-out", action="store_true", help="explain training rows held out of the fit, to tune by")
    add("--minutes", type=float, metavar="M", help="time limit of a fit (default: none)")
    told = " ".join(map(str, SEEDS))
    add("--seeds", nargs="+", type=int, default=SEEDS, metavar="N", help=f"(default: {told})")


def _answers(options: argparse.Namespace) -> Sequence[Any]:
    datasets = options.datasets or answers.usual_datasets(options.data)
    part = "held_out" if options.held_out else "test"
    common = {"rows": options.rows, "minutes": options.minutes, "part": part}
    return answers.questions(datasets, options.classifiers, options.seeds, **common)


COMMANDS = (
    StudyCommand(
        bins.STUDY,
        "how answers change with the number of bins that numbers are cut into",
        "--bins 16 64 --seed 0 1 2 --out studies",
        _add_bins,
        _bins,
    ),
    StudyCommand(
        constraints.STUDY,
        "whether constraints that are given at inference do as well as training under them",
        "--seed 0 1 2 --out studies",
        _add_constraints,
        _constraints,
    ),
    StudyCommand(
        weights.STUDY,
        "what more weight on plausibility or proximity trades for what, beside other methods",
        "--seed 0 1 2 --results comparison.jsonl --out studies",
        _add_weights,
        _weights,
        _others,
    ),
    StudyCommand(
        preferences.STUDY,
        "the front that one fit spans under several preferences, beside fits dedicated to each",
        "--dataset adult_protocol_b --steps 700 --seed 0 1 2 --results comparison.jsonl --out studies",
        _add_preferences,
        _preferences,
        _others,
    ),
    StudyCommand(
        utilisation.STUDY,
        "which columns each method changes how often, counted from results of the benchmark",
        "comparison.jsonl --out studies",
        _add_utilisation,
        taken_over=_others,
    ),
    StudyCommand(
        examples.STUDY,
        "a few rows with a few counterfactuals each, what changes highlighted",
        "--dataset adult_protocol_b --out studies",
        _add_examples,
        _examples,
    ),
    StudyCommand(
        proportionality.STUDY,
        "how near to proportional to the reward samples are, for each objective and length of training",
        "--dataset graduate_admission_400 --steps 250 1000 --seed 0 1 2 --out studies",
        _add_proportionality,
        _proportionality,
    ),
    StudyCommand(
        answers.STUDY,
        "how good the answers are that users see, judged by exhaustive search",
        "--datasets german_credit --classifiers boosted_trees --rows 20 --seeds 0 --minutes 1 --out studies",
        _add_answers,
        _answers,
    ),
)

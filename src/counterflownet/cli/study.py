"""``counterflownet study``: questions asked of the method itself."""

import argparse
from pathlib import Path
from typing import Any

from counterflownet.studies import proportionality
from counterflownet.studies.lines import Lines
from counterflownet.studies.proportionality_page import write_page

HELP = "ask a question of the method itself, and write what was found as a page with pictures"
PROPORTIONALITY = "how near to proportional to the reward samples are, for each objective and length of training"
EPILOG = """\
Results are kept in OUT/proportionality.jsonl; the same command goes on where it was stopped.

example:
  counterflownet study proportionality --dataset graduate_admission_400 --steps 250 1000 --out studies
"""


def add_to(commands: Any) -> None:
    """Add the command and its own commands."""
    study: argparse.ArgumentParser = commands.add_parser(
        "study", help=HELP, description=f"{HELP[:1].upper()}{HELP[1:]}."
    )
    inner = study.add_subparsers(title="studies", required=True, metavar="STUDY")
    command: argparse.ArgumentParser = inner.add_parser(
        "proportionality",
        help=PROPORTIONALITY,
        description=f"{PROPORTIONALITY[:1].upper()}{PROPORTIONALITY[1:]}.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    objectives = proportionality.OBJECTIVES
    add("--dataset", required=True, nargs="+", metavar="NAME", help="data sets by name; see: datasets")
    add("--objective", nargs="+", default=objectives, choices=objectives, help="balance conditions (default: all)")
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
    add("--reward", default="default", choices=("paper", "default"), help="whose reward (default: default)")
    add("--seed", type=int, default=0, metavar="N", help="of classifier, training and rows (default: 0)")
    add("--data", metavar="DIR", help="folder with data sets (default: $COUNTERFLOWNET_DATA)")
    add("--out", required=True, type=Path, metavar="DIR", help="folder for results, page and picture")
    command.set_defaults(
        command=run, when_stopped="stopped. Finished questions are kept; the same command goes on from there."
    )


def run(options: argparse.Namespace) -> int:
    """Measure what is missing, then write the page anew."""
    lines = Lines(options.out / "proportionality.jsonl")
    asked = proportionality.questions(
        options.dataset,
        options.objective,
        options.steps,
        width=options.width,
        constraints=options.constraints,
        rows=options.rows,
        samples=options.samples,
        reward=options.reward,
        seed=options.seed,
    )
    for result in proportionality.run(asked, lines, options.data):
        told, found = result["question"], result["medians"]
        share, distance = found["effective_share"], found["total_variation"]
        exact = "" if distance is None else f", total variation {distance:.3f} (floor {found['noise_floor']:.3f})"
        print(  # noqa: T201
            f"{told['dataset']} {told['objective']} {told['steps']} steps: effective samples {share:.1%}{exact}"
        )
    for path in write_page(lines.read(), options.out):
        print(path)  # noqa: T201
    return 0

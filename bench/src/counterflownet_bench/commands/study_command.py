"""A study as a command: its own options, and the questions that follow from them."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterflownet.cli import tell
from counterflownet_bench.studies.study import Found, MeasuringStudy, Study


@dataclass(frozen=True, slots=True)
class StudyCommand:
    """A study as a command: its own options, and the questions that follow from them."""

    study: Study
    text: str
    example: str
    options: Callable[[argparse.ArgumentParser], None]
    questions: Callable[[argparse.Namespace], Sequence[Any]] = lambda _: ()
    taken_over: Callable[[argparse.Namespace], Sequence[Found]] = lambda _: ()

    def add_to(self, commands: Any) -> None:
        name = self.study.name
        command: argparse.ArgumentParser = commands.add_parser(
            name,
            help=self.text,
            description=f"{self.text[:1].upper()}{self.text[1:]}.",
            epilog=(
                f"Results are kept in OUT/{name}.jsonl; the same command goes on where it was stopped.\n\n"
                f"example:\n  counterflownet study {name} {self.example}"
            ),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.options(command)
        if isinstance(self.study, MeasuringStudy):
            command.add_argument("--data", metavar="DIR", help="folder with data sets (default: $COUNTERFLOWNET_DATA)")
        command.add_argument("--out", required=True, type=Path, metavar="DIR", help="for results, page and pictures")
        command.set_defaults(
            command=self.run, when_stopped="stopped. Finished questions are kept; the same command goes on from there."
        )

    def run(self, options: argparse.Namespace) -> int:
        """Measure what is missing, then write the page anew."""
        file = self.study.file(options.out)
        tell(*file.read().notes)
        if taken_over := self.taken_over(options):
            file.replace(taken_over, key="question")
        if isinstance(self.study, MeasuringStudy):
            for result in self.study.run(self.questions(options), options.out, data=options.data):
                print(self.study.line(result), flush=True)  # noqa: T201
        for path in self.study.write(options.out):
            print(path)  # noqa: T201
        return 0

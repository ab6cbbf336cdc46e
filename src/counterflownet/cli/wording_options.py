"""What answers are told in: names that people know, and their language."""

import argparse
from pathlib import Path

from counterflownet.errors import InvalidInputError, check_one_of
from counterflownet.explain.explanation import Explanation
from counterflownet.explain.labels import Labels
from counterflownet.explain.texts import languages

FOR_PEOPLE = ("html", "txt", "text")  # the forms that are read, not computed with


def add_wording(command: argparse.ArgumentParser) -> None:
    """Add the options that say what things are called."""
    add = command.add_argument
    add(
        "--labels", type=Path, metavar="LABELS", help="a TOML file with names of columns, values and classes, and units"
    )
    add("--language", default="en", metavar="L", help=f"language of a .txt file: {', '.join(languages())} (en)")


def check_wording(options: argparse.Namespace, form: str) -> None:
    """Errors about words come before minutes of search."""
    check_one_of("language", options.language, languages())
    if options.labels is None:
        return
    if form not in FOR_PEOPLE:
        raise InvalidInputError(
            f"--labels is for answers that people read; these are {form}. Use --out answers.html or --out answers.txt"
        )
    Labels.of(options.labels)


def worded(explanation: Explanation, form: str, options: argparse.Namespace) -> str:
    """The answers for people, in their own words."""
    if form == "html":
        return explanation.to_html(labels=options.labels)
    if form == "txt":
        return explanation.to_text(labels=options.labels, language=options.language) + "\n"
    return repr(explanation.labelled(options.labels))

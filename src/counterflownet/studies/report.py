"""All studies on one page: what the paper found, what we found, and the pictures."""

import os
from collections.abc import Sequence
from pathlib import Path

from counterflownet.benchmark.document import Block, Document, Heading, Paragraph
from counterflownet.errors import InvalidInputError, listed
from counterflownet.files import write_atomically
from counterflownet.studies.catalogue import STUDIES

INTRODUCTION = (
    "The paper's studies, asked again of this implementation, and some of our own. Every number and every sentence "
    "after **Here** is computed from the lines of the files beside each page; the sentences after **The paper** are "
    "what it says of its own runs, whose code and classifiers were not published."
)


def report(folders: Sequence[Path], beside: Path) -> Document:
    """What the folders hold, for a page in the folder ``beside``: a chapter for every study that has results."""
    blocks: list[Block] = [Heading("Studies", 1), Paragraph(INTRODUCTION)]
    for name, folder in held(folders):
        study = STUDIES[name]
        place = Path(os.path.relpath(folder, beside)).as_posix()
        near = "" if place == "." else f"{place}/"
        chapter = study.chapter(study.lines(folder).read())
        blocks += chapter.part(pictures=f"{near}{name}_", page=f"{near}{name}.md")
    return Document(blocks)


def write_report(folders: Sequence[Path], out: Path) -> tuple[Path, ...]:
    """The report, and the page and pictures of every study anew; the paths of all that was written."""
    pages = [path for name, folder in held(folders) for path in STUDIES[name].write(folder)]
    return (write_atomically(out, report(folders, out.parent).markdown()), *pages)


def held(folders: Sequence[Path]) -> list[tuple[str, Path]]:
    """The studies that have results, in their order, and in which folder."""
    found = [(name, folder) for name in STUDIES for folder in folders if STUDIES[name].lines(folder).read()]
    if not found:
        names = listed(f"{name}.jsonl" for name in STUDIES)
        raise InvalidInputError(f"no study has results in {listed(folders)}; looked for {names}.")
    return found

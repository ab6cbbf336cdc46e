"""All studies on one page: what the paper found, what we found, and the pictures."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from counterflownet.errors import InvalidInputError, listed
from counterflownet.files import write_atomically
from counterflownet_bench.benchmark.document import Block, Document, Heading, Paragraph
from counterflownet_bench.benchmark.methods import all_digests
from counterflownet_bench.studies.catalogue import STUDIES
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.made_by import code_words
from counterflownet_bench.studies.study import Found

INTRODUCTION = (
    "The paper's studies, asked again of this implementation, and some of our own. Every number and every sentence "
    "after **Here** is computed from the lines of the files beside each page; the sentences after **The paper** are "
    "what it says of its own runs, whose code and classifiers were not published."
)


@dataclass(frozen=True, slots=True)
class Told:
    """A study that has results, and what is to be said about those of one folder."""

    name: str
    folder: Path
    results: Sequence[Found]
    chapter: Chapter


def report(told: Sequence[Told], beside: Path, *, code: Mapping[str, str] | None = None) -> Document:
    """A page for the folder ``beside``, with a part for every study.

    ``code`` are the checksums of the code that results are compared with; None: those of the code as it is.
    """
    everything = [result for one in told for result in one.results]
    blocks: list[Block] = [Heading("Studies", 1), Paragraph(INTRODUCTION)]
    blocks.append(Paragraph(code_words(everything, all_digests() if code is None else code)))
    for one in told:
        place = Path(os.path.relpath(one.folder, beside)).as_posix()
        near = "" if place == "." else f"{place}/"
        blocks += one.chapter.part(pictures=f"{near}{one.name}_", page=f"{near}{one.name}.md")
    return Document(blocks)


def write_report(folders: Sequence[Path], out: Path) -> tuple[Path, ...]:
    """The report, and the page and pictures of every study anew; the paths of all that was written."""
    told = all_told(folders)
    pages = [path for one in told for path in one.chapter.write(one.folder, one.name)]
    return (write_atomically(out, report(told, out.parent).markdown()), *pages)


def all_told(folders: Sequence[Path]) -> list[Told]:
    """The studies that have results in these folders, in their order."""
    held = [
        Told(name, folder, results, study.told(results))
        for name, study in STUDIES.items()
        for folder in folders
        if (results := study.results(folder))
    ]
    if not held:
        names = listed(f"{name}.jsonl" for name in STUDIES)
        raise InvalidInputError(f"no study has results in {listed(folders)}; looked for {names}.")
    return held

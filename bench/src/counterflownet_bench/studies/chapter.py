"""What is written about a study: a page of its own, and its part of the report on all of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from counterflownet.files import write_atomically
from counterflownet_bench.benchmark.document import Block, Document, Heading, Paragraph, Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """``paper`` is what the paper found, ``ours`` what we did.

    ``details`` stand on the study's own page only, and ``made_by``, by which code its results were made, at its end.
    """

    title: str
    introduction: str
    paper: str
    ours: str
    shown: Sequence[Block]
    details: Sequence[Block] = ()
    made_by: str = ""

    def page(self) -> Document:
        return Document((Heading(self.title, 1), *self._opening(), *self.shown, *self.details, *self._ending()))

    def part(self, *, pictures: str, page: str) -> tuple[Block, ...]:
        """The blocks of a report: its pictures are named ``<pictures><name>``, ``page`` is where the details are."""
        shown = [
            replace(block, name=f"{pictures}{block.name}") if isinstance(block, Picture) else block
            for block in map(_lowered, self.shown)
        ]
        return (Heading(self.title), *self._opening(), *shown, Paragraph(f"More: [{page}]({page})."))

    def write(self, folder: Path, name: str) -> tuple[Path, ...]:
        """The page and its pictures; the paths of what was written."""
        document = self.page()
        pictures = [write_atomically(folder / f"{name}_{each.name}.svg", each.svg) for each in document.pictures]
        return (write_atomically(folder / f"{name}.md", document.markdown(picture_prefix=f"{name}_")), *pictures)

    def _opening(self) -> tuple[Block, ...]:
        return (
            Paragraph(self.introduction),
            Paragraph(f"**The paper:** {self.paper}"),
            Paragraph(f"**Here:** {self.ours}"),
        )

    def _ending(self) -> tuple[Block, ...]:
        return (Paragraph(f"**Made by:** {self.made_by}"),) if self.made_by else ()


def _lowered(block: Block) -> Block:
    return replace(block, level=block.level + 1) if isinstance(block, Heading) else block

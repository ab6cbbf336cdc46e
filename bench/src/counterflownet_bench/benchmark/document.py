"""A document of headings, paragraphs, tables and pictures, as Markdown and as a page of HTML."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands in a cell of a table."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the document's own."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; its first ``text_columns`` stand to the left, the others, which are numbers, to the right."""

    header: Sequence[str]
    rows: Sequence[Sequence[Shown | str]]
    text_columns: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """An SVG picture under a name, with the words that stand for it."""

    name: str
    svg: str
    words: str


Block = Heading | Paragraph | Table | Picture


@dataclass(frozen=True, slots=True)
class Document:
    """Blocks in their order."""

    blocks: Sequence[Block]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return tuple(block for block in self.blocks if isinstance(block, Picture))

    def markdown(self, *, picture_prefix: str = "") -> str:
        """The document as Markdown; a picture is the file ``<prefix><name>.svg`` beside it."""
        return "\n\n".join(_markdown(block, picture_prefix) for block in self.blocks) + "\n"

    def html(self) -> str:
        """A page that stands alone: no scripts, no outside files."""
        titles = [block.text for block in self.blocks if isinstance(block, Heading) and block.level == 1]
        css = files("counterflownet_bench.benchmark").joinpath("report.css").read_text(encoding="utf-8")
        body = "\n".join(map(_html, self.blocks))
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(titles[0] if titles else 'Report')}</title>\n<style>\n{css}</style>\n</head>\n"
            f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
        )


def _markdown(block: Block, prefix: str) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Picture(name, _, words):
            return f"![{words}]({prefix}{name}.svg)"
        case Table(header, rows, text_columns):
            rule = ["---" if place < text_columns else "---:" for place in range(len(header))]
            lines = [list(map(_flat, header)), rule, *([_markdown_cell(cell) for cell in row] for row in rows)]
            return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _markdown_cell(cell: Shown | str) -> str:
    shown = Shown(cell) if isinstance(cell, str) else cell
    text = _flat(shown.text)
    return f"**{text}**" if shown.best else text


def _flat(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _html(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level}>{_words(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{_words(text)}</p>"
        case Picture(_, svg, words):
            drawing = svg[svg.index("<svg") :]  # without the head of an XML file
            return f"<figure>{drawing}<figcaption>{escape(words)}</figcaption></figure>"
        case Table(header, rows, text_columns):
            lines = [_html_row(row, "td", text_columns) for row in rows]
            head = _html_row(header, "th", text_columns)
            body = "\n".join(lines)
            return f'<div class="wide"><table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'


def _html_row(cells: Sequence[Shown | str], tag: str, text_columns: int) -> str:
    shown = [Shown(cell) if isinstance(cell, str) else cell for cell in cells]
    texts = [f"<strong>{_words(cell.text)}</strong>" if cell.best else _words(cell.text) for cell in shown]
    kinds = ["text" if place < text_columns else "number" for place in range(len(texts))]
    return f"<tr>{''.join(f'<{tag} class={kind}>{text}</{tag}>' for kind, text in zip(kinds, texts, strict=True))}</tr>"


def _words(text: str) -> str:
    """Text with its `code` marked."""
    parts = escape(text).split("`")
    if len(parts) % 2 == 0:  # a mark without its counterpart is no mark
        return escape(text)
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))

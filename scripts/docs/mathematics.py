"""Turns equations into MathML while the site is built: browsers show it by themselves, so no script is loaded."""

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

LOG = "<mi>log</mi>"
DISPLAYED = re.compile(r'<div class="arithmatex">\\\[(.*?)\\\]</div>', re.DOTALL)
INLINE = re.compile(r'<span class="arithmatex">\\\((.*?)\\\)</span>', re.DOTALL)


def on_page_content(html: str, **_: Any) -> str:
    """The page with every equation as MathML."""
    html = DISPLAYED.sub(lambda found: f'<div class="equation">{_mathml(found[1], "block")}</div>', html)
    return INLINE.sub(lambda found: _mathml(found[1], "inline"), html)


def _mathml(latex: str, display: str) -> str:
    """An equation; after the name of a function there is a thin space, as TeX has it and the converter has not."""
    return convert(unescape(latex).strip(), display=display).replace(LOG, f'{LOG}<mspace width="0.17em" />')

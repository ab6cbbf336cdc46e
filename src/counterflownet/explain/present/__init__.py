"""An explanation as people read it: in a terminal, in a notebook or browser, in a figure."""

from counterflownet.explain.present.figure import figure
from counterflownet.explain.present.html import html_fragment, html_page
from counterflownet.explain.present.labelled import labelled
from counterflownet.explain.present.person import person_text
from counterflownet.explain.present.terminal import terminal_text

__all__ = ["figure", "html_fragment", "html_page", "labelled", "person_text", "terminal_text"]

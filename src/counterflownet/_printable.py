"""Text from a file, made fit for a terminal: what would act there, or hide, is shown instead."""

from unicodedata import category

SPACES = "Zs"


def printable(text: str) -> str:
    r"""The text with control characters, bidi marks and other invisible ones as escapes; line ends too.

    >>> print(printable("good\x1b[31m, 100 €"))
    good\x1b[31m, 100 €
    """
    return "".join(sign if sign.isprintable() or category(sign) == SPACES else _escaped(sign) for sign in text)


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")

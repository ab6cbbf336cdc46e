"""An answer as a letter to the person concerned: what was decided, what would have changed it, and what is not said."""

from counterflownet.explain.letter.writing import LetterForm, letter

__all__ = ["LetterForm", "letter"]

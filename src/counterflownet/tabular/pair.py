"""Rows and their answers side by side, as rules are judged by: in numbers, column by column."""

from abc import ABC, abstractmethod

from counterflownet.tabular.condition import Atom
from counterflownet.tabular.constraint import Flags, Numbers
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.schema import Schema


class Pair(ABC):
    """Numbers are ranks for ordered categories and codes for others; NaN for missing and never-seen values."""

    schema: Schema

    @abstractmethod
    def before(self, name: ColumnName) -> Numbers:
        """The numbers of a column in the rows."""

    @abstractmethod
    def after(self, name: ColumnName) -> Numbers:
        """The numbers of a column in the answers."""

    @abstractmethod
    def changed(self, name: ColumnName) -> Flags:
        """Where the answer has another value than the row."""

    def truth(self, atom: Atom) -> Flags:
        """Where a condition of a column is true."""
        name = atom.column
        return atom.truth(self.schema[name], self.before(name), self.after(name), self.changed(name))

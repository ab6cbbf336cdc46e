"""What one must know about a data set of the paper's two protocols, without reading a row of it."""

from dataclasses import dataclass, field
from typing import Literal

from counterflownet.errors import unknown_name
from counterflownet_bench.datasets.column import Category, Column, Number, Value

ProtocolName = Literal["a", "b"]


@dataclass(frozen=True, slots=True)
class ConstraintSet:
    """Features that must stay, and features that must not decrease, under one name."""

    name: str
    immutable: tuple[str, ...] = ()
    increasing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSplit:
    """The training and test file of an earlier paper, where they lie and what they hold."""

    repository: str
    commit: str
    train: str
    test: str

    @property
    def train_address(self) -> str:
        return f"{self.repository}/raw/{self.commit}/{self.train}"

    @property
    def test_address(self) -> str:
        return f"{self.repository}/raw/{self.commit}/{self.test}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetCard:
    """Roles, sizes, origin and licence; the names, values and types are those of the published CSV files."""

    name: str
    title: str
    protocol: ProtocolName
    columns: tuple[Column, ...] = field(repr=False)
    """The features in the order of the file; the target is its last column."""
    target: str
    classes: tuple[Value, Value]
    class_labels: tuple[str, str] = field(repr=False)
    desirable: Value
    immutable: tuple[str, ...] = ()
    """Features that the protocol keeps as they are."""
    increasing: tuple[str, ...] = ()
    """Features that the protocol does not let decrease."""
    constraint_sets: tuple[ConstraintSet, ...] = field(default=(), repr=False)
    """Further sets of constraints, of the paper's study of them."""
    train_count: int
    test_count: int
    train_sha256: str = field(default="", repr=False)
    """Digest of the training file as pandas writes it (``to_csv(index=False)``), which is how it was published."""
    test_sha256: str = field(default="", repr=False)
    split: str = field(repr=False)
    """How the rows were drawn."""
    published: PublishedSplit | None = field(default=None, repr=False)
    published_accuracy: float | None = None
    """Test accuracy of the classifier that was published with the split, or that its paper reports."""
    bundled: bool
    stand_in_for: str = ""
    """The data set of the paper in whose place this one can be tried; its numbers are not the paper's."""
    licence: str
    citation: str = field(repr=False)
    source: str = field(repr=False)
    note: str = field(default="", repr=False)

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def continuous(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if isinstance(column, Number))

    @property
    def categories(self) -> tuple[Category, ...]:
        return tuple(column for column in self.columns if isinstance(column, Category))

    @property
    def categorical(self) -> tuple[str, ...]:
        return tuple(category.name for category in self.categories)

    @property
    def ordered(self) -> tuple[str, ...]:
        return tuple(category.name for category in self.categories if category.ordered)

    @property
    def row_count(self) -> int:
        return self.train_count + self.test_count

    def category(self, name: str) -> Category:
        """The categorical column of that name."""
        by_name = {category.name: category for category in self.categories}
        if name not in by_name:
            raise unknown_name(f"categorical column of {self.name}", name, by_name)
        return by_name[name]

    def constraint_set(self, name: str) -> ConstraintSet:
        """The set of constraints of that name; "protocol" is the protocol's own."""
        protocol = ConstraintSet("protocol", self.immutable, self.increasing)
        by_name = {rules.name: rules for rules in (protocol, *self.constraint_sets)}
        if name not in by_name:
            raise unknown_name(f"constraint set of {self.name}", name, by_name)
        return by_name[name]

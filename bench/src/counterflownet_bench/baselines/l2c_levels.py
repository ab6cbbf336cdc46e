"""The levels that L2C can set each feature to: to its networks, to the classifier, and under the constraints."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from counterflownet import Bins, Schema
from counterflownet.tabular import Codec, Feature, Kind
from counterflownet_bench.baselines.differentiable import DifferentiableClassifier
from counterflownet_bench.datasets import DatasetCard


def whole_levels(schema: Schema, train: pd.DataFrame) -> Schema:
    """The schema with whole numbers for the bins of columns that can hold no others."""
    return Schema(tuple(_whole_feature(feature, train[feature.name]) for feature in schema))


def _whole_feature(feature: Feature, column: pd.Series) -> Feature:
    whole = pd.api.types.is_integer_dtype(column.dtype) and feature.kind is Kind.CONTINUOUS
    if not whole or feature.code_count == 1:
        return feature
    bins = Bins(edges=feature.edges, decode="centre", distinct=False)
    return Schema.infer(column.to_frame(), bins=bins, kinds={feature.name: Kind.INTEGER})[feature.name]


@dataclass(frozen=True, slots=True, eq=False)
class SeenRows:
    """Rows as the networks and the classifier see them, and what may be done to them.

    A feature that is not editable has all its levels among the allowed ones, so that there is a distribution to speak
    of; nothing is ever drawn from it.
    """

    codec: Codec
    one_hot: Float[Tensor, "row code"]
    vectors: Float[Tensor, "row dimension"]
    allowed: Bool[Tensor, "row feature level"]
    editable: Bool[Tensor, "row feature"]

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "SeenRows":
        """Some of the rows; the codec stays that of all."""
        return SeenRows(self.codec, self.one_hot[rows], self.vectors[rows], self.allowed[rows], self.editable[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """A schema's codes as levels: feature by feature (filled up to the longest), or all side by side.

    ``vectors`` holds what each level contributes to the classifier's input, ``owner`` the feature of each coordinate.
    """

    schema: Schema
    classifier: DifferentiableClassifier
    card: DatasetCard
    exists: Bool[Tensor, "feature level"]
    vectors: Float[Tensor, "code dimension"]
    owner: Int[Tensor, " dimension"]

    @classmethod
    def of(cls, schema: Schema, classifier: DifferentiableClassifier, card: DatasetCard) -> "Levels":
        counts = torch.tensor(schema.space.code_counts)
        exists = torch.arange(int(counts.max())) < counts[:, None]
        owner = torch.empty(classifier.encoder.width, dtype=torch.int64)
        for d, name in enumerate(schema.names):
            owner[classifier.spans[name]] = d
        return cls(schema, classifier, card, exists, _level_vectors(schema, classifier), owner)

    def seen(self, rows: pd.DataFrame) -> SeenRows:
        codec = Codec(self.schema, rows)
        allowed = torch.stack([self._permitted(feature, rows) for feature in self.schema], dim=1)
        editable = allowed.any(dim=2)
        return SeenRows(
            codec=codec,
            one_hot=self._one_hot(torch.from_numpy(codec.codes)),
            vectors=self.classifier.vectors(rows),
            allowed=torch.where(editable[:, :, None], allowed, self.exists),
            editable=editable,
        )

    def side_by_feature(self, logits: Float[Tensor, "row code"]) -> Float[Tensor, "row feature level"]:
        """The same numbers for each feature on its own, with none (minus infinity) where it has no such level."""
        spread = logits.new_full((len(logits), *self.exists.shape), -torch.inf)
        spread[:, self.exists] = logits
        return spread

    def mixture(
        self,
        factuals: Float[Tensor, "row dimension"],
        selected: Float[Tensor, "row feature"],
        weights: Float[Tensor, "row feature level"],
    ) -> Float[Tensor, "row dimension"]:
        """The classifier's input when features are changed to some extent to a blend of levels."""
        share = selected[:, self.owner]
        return share * (weights[:, self.exists] @ self.vectors) + (1 - share) * factuals

    def placed(
        self,
        factuals: Float[Tensor, "row dimension"],
        selected: Bool[Tensor, "row draw feature"],
        codes: Int[Tensor, "row draw feature"],
    ) -> Float[Tensor, "row draw dimension"]:
        """The classifier's input when the selected features have exactly these levels."""
        found = factuals[:, None].repeat(1, selected.shape[1], 1)
        for d, name in enumerate(self.schema.names):
            span = self.classifier.spans[name]
            own = self.vectors[self.schema.space.span(d), span]
            found[:, :, span] = torch.where(selected[:, :, d, None], own[codes[:, :, d]], found[:, :, span])
        return found

    def _permitted(self, feature: Feature, rows: pd.DataFrame) -> Bool[Tensor, "row level"]:
        found = torch.zeros(len(rows), self.exists.shape[1], dtype=torch.bool)
        if feature.name in self.card.increasing:
            # Compared as values, since the middle of a row's own bin may lie below the row.
            not_below = feature.code_numbers[None, :] >= feature.coordinates(rows[feature.name])[:, None]
            found[:, : feature.code_count] = torch.from_numpy(not_below)
        elif feature.name not in self.card.immutable:
            found[:, : feature.code_count] = True
        return found

    def _one_hot(self, codes: Int[Tensor, "row feature"]) -> Float[Tensor, "row code"]:
        """A value that training rows do not have is none of the levels."""
        space = self.schema.space
        row, feature = (codes < torch.tensor(space.code_counts)).nonzero(as_tuple=True)
        found = torch.zeros(len(codes), space.code_total, dtype=torch.float64)
        found[row, torch.tensor(space.starts)[feature] + codes[row, feature]] = 1.0
        return found


def _level_vectors(schema: Schema, classifier: DifferentiableClassifier) -> Float[Tensor, "code dimension"]:
    found = torch.zeros(schema.space.code_total, classifier.encoder.width, dtype=torch.float64)
    longest = max(schema.space.code_counts)
    # The encoder takes whole rows only: each column lists its levels, and the last one as often as it takes.
    table = {f.name: pd.Series(f.values).take(np.minimum(np.arange(longest), f.code_count - 1)) for f in schema}
    encoded = classifier.vectors(pd.DataFrame({name: column.to_numpy() for name, column in table.items()}))
    for d, feature in enumerate(schema):
        span = classifier.spans[feature.name]
        found[schema.space.span(d), span] = encoded[: feature.code_count, span]
    return found

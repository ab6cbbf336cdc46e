"""Where answers come from: what was assumed, and by which model and explainer they were given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from counterflownet.tabular.feature import Feature

if TYPE_CHECKING:
    from counterflownet.explain.learned import Learned


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """By which a classifier and an explainer are recognised: equal ones give equal answers.

    That of the ``model`` is taken from what it says of made-up rows, so that it needs no file.
    """

    model: str = ""
    explainer: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """What was asked of which explainer: constraints and rules of all rows, those of single rows, and fingerprints."""

    constraints: Sequence[Any] = ()
    row_constraints: Mapping[Any, Sequence[Any]] = field(default_factory=dict)
    fingerprint: Fingerprint = field(default_factory=Fingerprint)

    def assumed(self, label: Any) -> list[Any]:
        """All constraints and rules that held for the row with this label."""
        return [*self.constraints, *self.row_constraints.get(label, ())]


def fingerprint_of(learned: "Learned") -> Fingerprint:
    """The fingerprints of what was learned; the same before it is saved and after it is loaded."""
    probe = learned.probe
    model = _digest([repr(list(map(str, learned.classes))), probe.codes, probe.probabilities])
    networks = [tensor.detach().cpu().numpy() for _, tensor in sorted(learned.model.state_dict().items())]
    columns = [part for feature in learned.schema for part in _parts(feature)]
    reference = [] if learned.outlier is None else [learned.outlier.reference]
    return Fingerprint(model, _digest([model, repr(learned.settings.to_json()), *columns, *networks, *reference]))


def _parts(feature: Feature) -> list[Any]:
    """What makes a column, as text and numbers that a saved file gives back exactly."""
    numbers = [feature.code_numbers, feature.edges, feature.fine, feature.grid]
    return [f"{feature.name}/{feature.kind}/{list(map(str, feature.values))}", *numbers]


def _digest(parts: Sequence[Any]) -> str:
    digest = blake2b(digest_size=8)
    for part in parts:
        content = part.encode() if isinstance(part, str) else np.ascontiguousarray(part).tobytes()
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()

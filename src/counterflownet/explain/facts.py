"""What a fitted explainer tells of itself."""

from typing import Any

from counterflownet.errors import NotFittedError
from counterflownet.explain.learned import Learned
from counterflownet.explain.origin import Fingerprint
from counterflownet.protocols import Classifier
from counterflownet.reward.ranks import Ranks
from counterflownet.tabular.rule import Rule
from counterflownet.tabular.schema import Schema
from counterflownet.training.history import History


class Facts:
    """The facts about an explainer that was fitted, as properties."""

    classifier: Classifier
    _learned: Learned | None

    def _fitted(self) -> Learned:
        """What was learned, or an error if nothing was."""
        if self._learned is None:
            raise NotFittedError("this explainer has not been fitted; call .fit(X) with the training rows first.")
        return self._learned

    @property
    def schema(self) -> Schema:
        """The columns as they are encoded."""
        return self._fitted().schema

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms of the reward, which ``weights`` may name."""
        return tuple(self._fitted().standard.weights)

    @property
    def dtypes(self) -> dict[Any, Any]:
        """The type that each column had in training."""
        return self._fitted().columns.dtypes.to_dict()

    @property
    def ranks(self) -> Ranks | None:
        """Where the predictions of training rows lie, if the model is a regressor."""
        return self._fitted().ranks

    @property
    def relations(self) -> list[Rule]:
        """The rules that all training rows keep, as far as they were found: to be given as ``constraints=``.

        A file that was saved with ``private=True`` knows no ``Derived.lookup``, and one of an older version none.
        """
        return list(self._fitted().relations)

    @property
    def fingerprint(self) -> Fingerprint:
        """By which the classifier and this explainer are recognised, for letters and links that say who answered."""
        return self._fitted().fingerprint

    @property
    def history(self) -> History:
        """What was seen while training."""
        return self._fitted().history

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels of the classifier, any of which can be a target; none of a regressor."""
        return self.classifier.classes

"""The conventions of scikit-learn: parameters that can be read and set, and clones without what was learned."""

from dataclasses import fields, replace
from typing import Any, Self

from sklearn.utils import Tags, TargetTags

from counterflownet.errors import unknown_name
from counterflownet.explain.settings import ExplainerSettings

SETTINGS = ("weights", "reward", "training")  # whose fields are parameters of their own: training__steps


class Parameters:
    """What an explainer was made with, as ``sklearn.base.clone`` and friends expect it.

    The classifier is what is explained, not what is learned: a clone has the same one, fitted as it is, and its own
    parameters are not the explainer's.
    """

    settings: ExplainerSettings
    _given: dict[str, Any]

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: FBT001, FBT002 - scikit-learn's own signature
        """The parameters of this explainer.

        Args:
            deep: Whether to add the single settings, such as ``training__steps``.

        Returns:
            What it was made with, by the names of the parameters.
        """
        given = dict(self._given)
        for name in SETTINGS if deep else ():
            made = getattr(self.settings, name)
            given |= {f"{name}__{entry.name}": getattr(made, entry.name) for entry in fields(made)}
        return given

    def set_params(self, **params: Any) -> Self:
        """Set parameters; what was learned with others is forgotten, so fit again.

        Args:
            **params: Parameters by their names, single settings as in ``training__steps=200``.

        Returns:
            The explainer itself.
        """
        known = self.get_params()
        for name in params:
            if name not in known:
                raise unknown_name("parameter", name, known)
        given = dict(self._given) | {name: value for name, value in params.items() if "__" not in name}
        settings = ExplainerSettings.of(**{name: given[name] for name in SETTINGS})
        for name, value in params.items():
            part, _, entry = name.partition("__")
            if entry:
                settings = replace(settings, **{part: replace(getattr(settings, part), **{entry: value})})
                given[part] = getattr(settings, part)
        type(self).__init__(self, **given)
        return self

    def __sklearn_clone__(self) -> Self:
        return type(self)(**self._given)

    def __sklearn_tags__(self) -> Tags:
        return Tags(estimator_type=None, target_tags=TargetTags(required=False))

    def __sklearn_is_fitted__(self) -> bool:
        return getattr(self, "_learned", None) is not None

"""Every study, in the order in which a report tells of them."""

from collections.abc import Mapping
from types import MappingProxyType

from counterflownet_bench.studies import (
    answers,
    bins,
    constraints,
    examples,
    preferences,
    proportionality,
    utilisation,
    weights,
)
from counterflownet_bench.studies.study import Study

STUDIES: Mapping[str, Study] = MappingProxyType(
    {
        study.name: study
        for study in (
            bins.STUDY,
            constraints.STUDY,
            weights.STUDY,
            preferences.STUDY,
            utilisation.STUDY,
            examples.STUDY,
            proportionality.STUDY,
            answers.STUDY,
        )
    }
)

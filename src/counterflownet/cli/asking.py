"""From options to an explainer and to what it is asked: the same for a few rows and for a folder of files."""

import argparse
from functools import partial
from typing import Any

from counterflownet.cli.constraint_options import rules
from counterflownet.cli.preferences import preferences
from counterflownet.cli.question_options import target_of
from counterflownet.cli.rule_options import joint_rules, known_lookup
from counterflownet.explain.explainer import CounterFlowNet


def asked(options: argparse.Namespace, explainer: CounterFlowNet) -> dict[str, Any]:
    """What the options ask beside the rows."""
    return {
        "target": target_of(options, explainer.classes),
        "count": options.count,
        "constraints": [
            *rules(options, explainer.schema),
            *joint_rules(options, explainer.schema, partial(known_lookup, explainer.relations)),
        ],
        "diversity": options.diversity,
        "worth": options.worth,
        "minimal": options.minimal,
        "tight": options.tight,
        "confidence": options.confidence,
        "samples": options.samples,
        "rounds": options.rounds,
        **preferences(options, explainer),
    }

"""What the model says of rows, as records."""

from typing import Any

import pandas as pd

from counterflownet.explain import CounterFlowNet
from counterflownet.serve.describe import cell_record


def told_by(explainer: CounterFlowNet) -> str:
    """What the number is called that answers are judged by."""
    return "probability" if explainer.classes else "prediction"


def predictions(explainer: CounterFlowNet, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """The class of each row with all probabilities; of a regressor its number."""
    told = explainer.classifier.probabilities(explainer.schema.ordered_rows(rows, "rows"))
    if not explainer.classes:
        return [{"predicted": number, "probabilities": []} for number in told[:, 0].tolist()]
    best = told.argmax(axis=1)
    return [
        {"predicted": cell_record(explainer.classes[place]), "probabilities": row.tolist()}
        for place, row in zip(best, told, strict=True)
    ]

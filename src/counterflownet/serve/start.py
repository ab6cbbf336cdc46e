"""The application, once the packages that it needs are there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from counterflownet._optional import require
from counterflownet.errors import InvalidInputError
from counterflownet.explain import CounterFlowNet
from counterflownet.serve.settings import ServeSettings
from counterflownet.tabular.rule import Constraint

if TYPE_CHECKING:
    from fastapi import FastAPI


def create_app(
    explainer: CounterFlowNet,
    *,
    rows: pd.DataFrame | None = None,
    constraints: Sequence[Constraint] = (),
    settings: ServeSettings | None = None,
) -> "FastAPI":
    """The service and the page of one explainer, to be run by any ASGI server.

    Args:
        explainer: A fitted explainer. It is shared by all threads and never changed.
        rows: Rows to choose from on the page; anyone who can open the page can read them.
        constraints: What the page starts with. Every request says for itself what holds, so these can be taken away.
        settings: Limits of a request, who may ask, and what is logged.

    Returns:
        A FastAPI application.
    """
    require("fastapi", extra="serve", purpose="serving an explainer")
    from counterflownet.serve.app import application  # noqa: PLC0415 - after it is known that FastAPI is there
    from counterflownet.serve.engine import Engine  # noqa: PLC0415

    if not explainer.classes:
        raise InvalidInputError(
            "the service and the page explain classifiers; this explainer is of a regressor. Explain it from Python or "
            "with `counterflownet explain`, or serve a classifier of the limit that matters."
        )
    settings = settings or ServeSettings()
    return application(Engine(explainer, settings.limits, rows=rows, constraints=tuple(constraints)), settings)

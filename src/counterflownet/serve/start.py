"""The application, once the packages that it needs are there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from counterflownet._optional import require
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
    target: Any = None,
    settings: ServeSettings | None = None,
) -> "FastAPI":
    """The service and the page of one explainer, to be run by any ASGI server.

    Args:
        explainer: A fitted explainer. It is shared by all threads and never changed.
        rows: Rows to choose from on the page; anyone who can open the page can read them.
        constraints: What the page starts with. Every request says for itself what holds, so these can be taken away.
        target: What the page asks for first: a class, or where the prediction of a regressor is to lie. None: something
            else than the first row has.
        settings: Limits of a request, who may ask, and what is logged.

    Returns:
        A FastAPI application.
    """
    require("fastapi", extra="serve", purpose="serving an explainer")
    from counterflownet.serve.app import application  # noqa: PLC0415 - after it is known that FastAPI is there
    from counterflownet.serve.engine import Engine  # noqa: PLC0415

    settings = settings or ServeSettings()
    engine = Engine(explainer, settings.limits, rows=rows, constraints=tuple(constraints), target=target)
    return application(engine, settings)

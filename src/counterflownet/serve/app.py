"""The routes: each reads a question, asks the engine, and writes what it says."""

import logging
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from threading import Event
from typing import Any

from anyio import CapacityLimiter
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel

from counterflownet._version import VERSION
from counterflownet.serve import records
from counterflownet.serve.engine import Engine
from counterflownet.serve.failures import add_failures
from counterflownet.serve.guard import Guard
from counterflownet.serve.letters import letter_response
from counterflownet.serve.settings import ServeSettings
from counterflownet.serve.waiting import in_thread

STATIC = Path(str(files("counterflownet.serve") / "static"))
SPARE_THREADS = 8  # for what does not wait for a turn: predictions, judgements
LOG = logging.getLogger("counterflownet.serve")
FAILURES: dict[int | str, dict[str, Any]] = {
    status: {"model": records.Failure, "description": text}
    for status, text in {
        400: "The body is no JSON.",
        401: "The token is missing or wrong.",
        413: "The body is too large.",
        422: "The question cannot be answered; the sentence says why.",
        429: "Too many requests are waiting.",
    }.items()
}
Work = Callable[[Any, Event], Any]


def application(engine: Engine, settings: ServeSettings) -> FastAPI:
    """The application with all its routes."""
    app = FastAPI(
        title="CounterFlowNet",
        version=VERSION,
        description="What would have to be different for the model to decide otherwise?",
        openapi_url="/v1/openapi.json",
        docs_url=None,  # its scripts come from elsewhere; /api is a page of our own
        redoc_url=None,
        responses=FAILURES,
    )
    add_failures(app)
    _add_pages(app, engine)
    _add_questions(app, engine, settings)
    app.add_middleware(Guard, settings=settings)
    return app


def _add_pages(app: FastAPI, engine: Engine) -> None:
    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    @app.get("/api", include_in_schema=False)
    def api() -> FileResponse:
        return FileResponse(STATIC / "api.html")

    @app.get("/healthz", summary="Whether the process runs")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz", summary="Whether questions can be answered")
    def ready() -> dict[str, str]:
        return {"status": "ready", "explainer": engine.schema["explainer"]}

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def _add_questions(app: FastAPI, engine: Engine, settings: ServeSettings) -> None:
    @app.get("/v1/schema", summary="The columns, the rules and the limits")
    def schema() -> JSONResponse:
        return JSONResponse(engine.schema)

    @app.get("/v1/rows", summary="Rows to choose from, if the service was given any")
    def rows() -> JSONResponse:
        return JSONResponse(engine.rows)

    add = _Posts(app, settings).add
    add(records.Predict, records.Predictions, "What the model says of rows", lambda asked, _: engine.predict(asked))
    add(records.Explain, records.Answers, "What would have to be different", engine.explain)
    add(records.Sample, records.Answers, "Samples in proportion to the reward", lambda asked, _: engine.sample(asked))
    add(records.Score, records.Scores, "Rows of anybody's making as answers", lambda asked, _: engine.score(asked))
    add(records.Loosen, records.Loosening, "What stands in the way of an answer", lambda asked, _: engine.loosen(asked))
    add(records.Letter, None, "The answer as a letter, in HTML or PDF", partial(letter_response, engine))


class _Posts:
    """Addresses to which questions are posted, each named after its question."""

    def __init__(self, app: FastAPI, settings: ServeSettings) -> None:
        self.app, self.settings = app, settings
        self.limiter = CapacityLimiter(settings.limits.waiting + SPARE_THREADS)

    def add(self, kind: type[BaseModel], answer: type[BaseModel] | None, summary: str, work: Work) -> None:
        """Add the address of one kind of question, which ``work`` answers in a thread."""

        async def route(request: Request, question: kind) -> Any:  # type: ignore[valid-type]
            self._log(request, question)
            found = await in_thread(request, partial(work, question), self.limiter)
            return found if isinstance(found, Response) else JSONResponse(found)

        name = kind.__name__.lower()
        how: dict[str, Any] = {"response_class": Response} if answer is None else {"response_model": answer}
        self.app.post(f"/v1/{name}", summary=summary, name=name, **how)(route)

    def _log(self, request: Request, question: BaseModel) -> None:
        if self.settings.log != "nothing":
            LOG.info("%s %s", request.method, request.url.path)
        if self.settings.log == "rows":
            LOG.info("%s", question.model_dump_json())

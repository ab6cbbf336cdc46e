"""The routes: each reads a question, asks the engine, and writes what it says."""

import logging
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

from anyio import CapacityLimiter
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles

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
Result = TypeVar("Result")


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
    limiter = CapacityLimiter(settings.limits.waiting + SPARE_THREADS)

    async def asked(request: Request, question: Any, work: Callable[[Event], Result]) -> Result:
        if settings.log != "nothing":
            LOG.info("%s %s", request.method, request.url.path)
        if settings.log == "rows":
            LOG.info("%s", question.model_dump_json())
        return await in_thread(request, work, limiter)

    @app.get("/v1/schema", summary="The columns, the rules and the limits")
    def schema() -> JSONResponse:
        return JSONResponse(engine.schema)

    @app.get("/v1/rows", summary="Rows to choose from, if the service was given any")
    def rows() -> JSONResponse:
        return JSONResponse(engine.rows)

    @app.post("/v1/predict", response_model=records.Predictions, summary="What the model says of rows")
    async def predict(request: Request, question: records.Predict) -> Any:
        return JSONResponse(await asked(request, question, lambda _: engine.predict(question)))

    @app.post("/v1/explain", response_model=records.Answers, summary="What would have to be different")
    async def explain(request: Request, question: records.Explain) -> Any:
        return JSONResponse(await asked(request, question, lambda gone: engine.explain(question, gone)))

    @app.post("/v1/sample", response_model=records.Answers, summary="Samples in proportion to the reward")
    async def sample(request: Request, question: records.Sample) -> Any:
        return JSONResponse(await asked(request, question, lambda _: engine.sample(question)))

    @app.post("/v1/score", response_model=records.Scores, summary="Rows of anybody's making, judged as answers")
    async def score(request: Request, question: records.Score) -> Any:
        return JSONResponse(await asked(request, question, lambda _: engine.score(question)))

    @app.post("/v1/loosen", response_model=records.Loosening, summary="Constraints that stand in the way of an answer")
    async def loosen(request: Request, question: records.Explain) -> Any:
        return JSONResponse(await asked(request, question, lambda _: engine.loosen(question)))

    @app.post("/v1/letter", response_class=Response, summary="The answer as a letter, in HTML or PDF")
    async def letter(request: Request, question: records.Letter) -> Any:
        return await asked(request, question, lambda gone: letter_response(engine, question, gone))

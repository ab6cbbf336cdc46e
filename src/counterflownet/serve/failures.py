"""Whatever goes wrong as one sentence in JSON: the library's own where the request is at fault, never a traceback."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from counterflownet._printable import printable
from counterflownet.errors import CounterFlowNetError
from counterflownet.serve.batching import OutOfTimeError, TooManyWaitingError

LONGEST = 2_000  # characters of a sentence: some quote what was sent


def add_failures(app: FastAPI) -> None:
    """Make the application tell every failure as a sentence."""
    app.add_exception_handler(CounterFlowNetError, _told_by_us)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(TooManyWaitingError, _busy)
    app.add_exception_handler(OutOfTimeError, _late)
    app.add_exception_handler(RecursionError, _too_deep)


def failure(status: int, sentence: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """A failure in one sentence, fit to be shown anywhere."""
    text = printable(" ".join(sentence.split()))
    return JSONResponse({"error": text[:LONGEST]}, status, headers)


def _told_by_us(_: Request, error: Exception) -> JSONResponse:
    return failure(422, str(error))


def _malformed(_: Request, error: Exception) -> JSONResponse:
    first: Any = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    place = " -> ".join(str(part) for part in first.get("loc", ())[1:])
    what = str(first.get("msg", "it cannot be read"))
    return failure(422, f"the request cannot be understood: {place or 'its body'}: {what}. See /v1/openapi.json.")


def _refused(_: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 400
    known = {404: "there is nothing at this address; see / for the page and /api for the service."}
    known |= {405: "this address does not take that method; see /api."}
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    return failure(status, known.get(status, f"the request cannot be read ({status})."), headers)


def _busy(_: Request, __: Exception) -> JSONResponse:
    return failure(429, "too many requests are waiting; try again in a moment.", {"Retry-After": "1"})


def _late(_: Request, __: Exception) -> JSONResponse:
    return failure(429, "the time for this request was over before its turn came; try again.", {"Retry-After": "1"})


def _too_deep(_: Request, __: Exception) -> JSONResponse:
    return failure(422, "the request is nested too deeply.")

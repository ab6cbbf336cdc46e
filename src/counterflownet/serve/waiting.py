"""Work for threads, on behalf of clients that may leave before it is done."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import TypeVar

import anyio
from anyio import CapacityLimiter, to_thread
from fastapi import Request

Result = TypeVar("Result")


async def in_thread(request: Request, work: Callable[[Event], Result], limiter: CapacityLimiter) -> Result:
    """What the work returns. It is given an event that tells whether the client has gone, as one who drags a slider."""
    gone = Event()
    found: list[Result] = []
    failed: list[Exception] = []

    async def worked() -> None:
        try:
            found.append(await to_thread.run_sync(work, gone, limiter=limiter))
        except Exception as error:  # noqa: BLE001 - raised again below, outside of the group that would wrap it
            failed.append(error)
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(_watched, request, gone)
        group.start_soon(worked)
    if failed:
        raise failed[0]
    return found[0]


async def _watched(request: Request, gone: Event) -> None:
    with suppress(anyio.ClosedResourceError):
        while (await request.receive())["type"] != "http.disconnect":
            pass
        gone.set()

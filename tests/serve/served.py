"""A service that runs in a thread of the test, on a port of its own."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn


@contextmanager
def served(app: Any) -> Iterator[str]:
    """The address of the running application."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


def client_of(address: str) -> httpx.Client:
    """A client that waits long enough for a busy machine."""
    return httpx.Client(base_url=address, timeout=60)

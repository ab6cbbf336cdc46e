"""A server that says where it is once it can be reached, and leaves without a word."""

import asyncio
import logging
import socket
from typing import Any
from urllib.parse import quote

from counterflownet.errors import InvalidInputError
from counterflownet.serve import ServeSettings


def run_server(app: Any, host: str, port: int, settings: ServeSettings) -> int:
    """Serve until Ctrl+C."""
    import uvicorn  # noqa: PLC0415 - the command has made sure that it is there

    if settings.log != "nothing":
        logging.basicConfig(level=logging.INFO, format="%(message)s")
        logging.getLogger("uvicorn").setLevel(logging.WARNING)
    listening = _bound(host, port)
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_keep_alive=20, lifespan="off"
    )
    print(_welcome(host, listening.getsockname()[1], settings), flush=True)  # noqa: T201
    try:
        asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
    except KeyboardInterrupt:  # which uvicorn passes on after it has said goodbye to everyone
        pass
    finally:
        listening.close()
    return 0


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens at the address, or an error that says why there is none."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return _listening(socket.socket(family, kind, protocol), address)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(f"cannot listen on {host}:{port}: {reason}. Try another one: --port 0") from error


def _listening(place: socket.socket, address: Any) -> socket.socket:
    try:
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else bodies wait 40 ms for their headers' receipt
        place.bind(address)
        place.listen(128)  # from now on, whoever reads the address can connect
    except BaseException:
        place.close()
        raise
    return place


def _welcome(host: str, port: int, settings: ServeSettings) -> str:
    name = f"[{host}]" if ":" in host else host
    secret = "" if settings.token is None else f"#token={quote(settings.token)}"
    return f"open http://{name}:{port}/{secret}  (the service: http://{name}:{port}/api; Ctrl+C stops both)"

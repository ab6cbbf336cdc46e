"""Who may ask, and how much may be sent: checked before anything else looks at a request."""

import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from counterflownet.serve.settings import ServeSettings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
    b"cache-control": b"no-store",
}
LOG = logging.getLogger("counterflownet.serve")
OPEN = ("/v1/openapi.json",)  # what data nobody learns from; the page itself holds none either
BEARER = "bearer "


class TooLargeError(Exception):
    """A body that goes on after its limit."""


@dataclass(frozen=True, slots=True)
class Guard:
    """An application that only requests which are allowed get through to, and whose answers carry safe headers."""

    app: App
    settings: ServeSettings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        send = _with_headers(send)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(scope["path"], headers)
        if refused is not None:
            await _told(send, *refused)
            return
        body = _Body(receive, send, self.settings.limits.body_bytes)
        try:
            await self.app(scope, body.received, body.answered)
        except TooLargeError:
            pass
        except Exception as error:  # noqa: BLE001 - a traceback in a log may quote a row, in an answer anything
            LOG.error("a request failed: %s", type(error).__name__)  # noqa: TRY400 - without its traceback
            await body.failed()
        if body.too_large:
            await _told(send, 413, self._too_large)

    @property
    def _too_large(self) -> str:
        most = self.settings.limits.body_bytes
        return f"a request may have at most {most:,} bytes here; send fewer rows at a time."

    def _refused(self, path: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """The status and the reason, if the request may not go on."""
        if not self._addressed(headers.get("host", "")):
            return 421, "this service does not go by that name; open it under the address it printed when it started."
        if headers.get("sec-fetch-site", "none") in {"cross-site", "same-site"} and path.startswith("/v1/"):
            return 403, "requests from pages of other sites are refused."
        if path.startswith("/v1/") and path not in OPEN and not self._known(headers.get("authorization", "")):
            return 401, "this service needs its token: send the header 'Authorization: Bearer TOKEN'."
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "the header Content-Length must be a number."
        return (413, self._too_large) if int(length[:20]) > self.settings.limits.body_bytes else None

    def _addressed(self, host: str) -> bool:
        allowed = self.settings.hosts
        try:
            return allowed is None or (urlsplit(f"//{host}").hostname or "") in allowed
        except ValueError:
            return False

    def _known(self, authorization: str) -> bool:
        token = self.settings.token
        given = authorization[len(BEARER) :] if authorization.lower().startswith(BEARER) else ""
        return token is None or hmac.compare_digest(given.encode(), token.encode())


class _Body:
    """A body that ends with an error where its limit is; what the application says to that is not passed on."""

    def __init__(self, receive: Receive, send: Send, most: int) -> None:
        self._receive, self._send, self._left, self._begun = receive, send, most, False

    @property
    def too_large(self) -> bool:
        return self._left < 0

    async def received(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self.too_large:
            raise TooLargeError
        return message

    async def answered(self, message: Message) -> None:
        if not self.too_large:
            self._begun = True
            await self._send(message)

    async def failed(self) -> None:
        """Say so, unless an answer has already begun."""
        if not self._begun:
            await _told(self._send, 500, "something failed here that should not have; the request may be fine.")


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = dict(message.get("headers", ()))
            added: Iterable[tuple[bytes, bytes]] = ((name, HEADERS[name]) for name in HEADERS if name not in given)
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        await send(message)

    return with_headers


async def _told(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"www-authenticate", b"Bearer")] if status == 401 else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

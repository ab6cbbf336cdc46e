"""What a service allows: how much of it one request may have, who may ask, and what is written down."""

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from counterflownet.errors import InvalidInputError, check_count, check_one_of, check_positive

Logged = Literal["nothing", "requests", "rows"]
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one request may ask for at most.

    ``seconds`` is how long it may take: rows that were not reached by then are returned without an answer, and say so.
    ``waiting`` is how many requests may wait for their turn; more are told to come back.
    """

    body_bytes: int = 1_000_000
    rows: int = 100
    count: int = 20
    samples: int = 300
    rounds: int = 8
    seconds: float = 10.0
    waiting: int = 64

    def __post_init__(self) -> None:
        check_positive("seconds", self.seconds)
        for entry in fields(self):
            if entry.name != "seconds":
                check_count(entry.name, getattr(self, entry.name))

    def check(self, name: str, value: int) -> None:
        """An error if a request asks for more than that."""
        most = getattr(self, name)
        if value > most:
            raise InvalidInputError(f"{name} may be at most {most} in one request here; got {value}. Ask for less.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """How an explainer is served.

    ``hosts`` are the names under which the service may be addressed (None for any): a page of somebody else that had
    its own name point to this machine is refused. A ``token`` must come with every request for data.
    """

    limits: Limits = field(default_factory=Limits)
    token: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] | None = LOOPBACK
    log: Logged = "nothing"

    def __post_init__(self) -> None:
        check_one_of("log", self.log, get_args(Logged))
        _check_token(self.token)


def _check_token(token: Any) -> None:
    if token is not None and (not isinstance(token, str) or len(token) < 16 or not token.isascii()):
        raise InvalidInputError(
            "the token must have at least 16 ASCII characters; make one with: "
            "python -c 'import secrets; print(secrets.token_urlsafe())'"
        )

"""Sessions of visitors who signed in with their token, so that authors see their own bots' output.

A browser keeps a random session id and never the token; only this process maps one to the other, in memory. Revoking
a token ends its sessions immediately.
"""

from __future__ import annotations

import ipaddress
import secrets
import threading
import time
from collections import OrderedDict
from hashlib import sha256
from urllib.parse import parse_qs, urlsplit

from starlette.requests import Request
from starlette.responses import Response

from arena.reports.reader import Reader
from arena.store.tokens import Token

COOKIE = "arena_session"
SESSION_SECONDS = 12 * 3600
MAX_SESSIONS = 4_096
MAX_SESSIONS_OF_ONE = 16  # per token: a new session ends the token's oldest
MAX_FORM = 1_024  # bytes; a token has less than a hundred


class Visitors:
    """The sessions of one site; thread-safe."""

    def __init__(self, reader: Reader, prefix: str) -> None:
        self._reader = reader
        self._path = prefix or "/"
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, tuple[Token, float]] = OrderedDict()

    def of(self, request: Request) -> Token | None:
        """Return the token of a request's session; None if not signed in."""
        name = request.cookies.get(COOKIE, "")
        if not name:
            return None
        # Looked up by hash, so that timing reveals nothing about valid ids.
        key = _key(name)
        with self._lock:
            token, ends = self._sessions.get(key, (None, 0.0))
        if token is None or ends < time.monotonic() or not self._reader.is_good(token):
            with self._lock:
                self._sessions.pop(key, None)
            return None
        return token

    def sign_in(self, request: Request, form: bytes, response: Response) -> Token | None:
        """Begin a session for the token in a form and set its cookie; None if the token is invalid."""
        text = parse_qs(form.decode("ascii", "replace")).get("token", [""])[0].strip()
        token = self._reader.holder(text)
        if token is None:
            return None
        name = secrets.token_urlsafe(32)
        with self._lock:
            own = [key for key, (other, _ends) in self._sessions.items() if other.id == token.id]
            for key in own[: max(0, len(own) + 1 - MAX_SESSIONS_OF_ONE)]:
                del self._sessions[key]
            self._sessions[_key(name)] = (token, time.monotonic() + SESSION_SECONDS)
            while len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
        response.set_cookie(
            COOKIE, name, max_age=SESSION_SECONDS, path=self._path, httponly=True, samesite="strict",
            secure=is_encrypted(request),
        )  # fmt: skip
        return token

    def sign_out(self, request: Request, response: Response) -> None:
        """End a browser's session."""
        with self._lock:
            self._sessions.pop(_key(request.cookies.get(COOKIE, "")), None)
        response.delete_cookie(COOKIE, path=self._path, httponly=True, samesite="strict")


def is_encrypted(request: Request) -> bool:
    """Return whether the browser uses TLS, to us or to a proxy on this machine."""
    return request.url.scheme == "https" or (is_near(request) and request.headers.get("x-forwarded-proto") == "https")


def is_near(request: Request) -> bool:
    """Return whether a request comes from this machine: a local browser or proxy."""
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def reader_of(request: Request) -> str:
    """Return the reader's address; empty if only a proxy or browser on this machine is known."""
    if is_near(request):
        return request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()[:64]
    return "" if request.client is None else request.client.host


def comes_from_elsewhere(request: Request, site: str | None) -> bool:
    """Return whether a form was sent by a site other than the requested or the configured one.

    A browser that sends no Sec-Fetch-Site is judged by Origin; a program that sends neither has no session to steal.
    """
    fetched = request.headers.get("sec-fetch-site")
    if fetched is not None:
        return fetched not in ("same-origin", "none")
    origin = request.headers.get("origin")
    if origin is None:
        return False
    ours = (
        [request.headers.get("host", "")] if site is None else [request.headers.get("host", ""), urlsplit(site).netloc]
    )
    return urlsplit(origin).netloc.lower() not in [host.lower() for host in ours if host]


def _key(name: str) -> str:
    return sha256(name.encode()).hexdigest()

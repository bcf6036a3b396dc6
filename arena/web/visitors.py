"""Visitors who have signed in with their token, so that the page shows authors what their own bots have printed.

A browser keeps the random name of a session and never the token; which token it stands for is known to this process
alone and forgotten with it. A token that is revoked ends its sessions at once.
"""

from __future__ import annotations

import ipaddress
import secrets
import threading
import time
from collections import OrderedDict
from hashlib import sha256
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response

from arena.reports.reader import Reader
from arena.store.tokens import Token

COOKIE = "arena_session"
SESSION_SECONDS = 12 * 3600
MAX_SESSIONS = 4_096
MAX_FORM = 1_024  # bytes; a token has less than a hundred


class Visitors:
    """The sessions of one served page; may be used from any thread."""

    def __init__(self, reader: Reader, prefix: str) -> None:
        self._reader = reader
        self._path = prefix or "/"
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, tuple[Token, float]] = OrderedDict()

    def of(self, request: Request) -> Token | None:
        """Return whose browser asks; None for everybody who has not signed in."""
        name = request.cookies.get(COOKIE, "")
        if not name:
            return None
        # Looked up by its hash, so that how long it takes tells nothing of the names that would be good.
        key = _key(name)
        with self._lock:
            token, ends = self._sessions.get(key, (None, 0.0))
        if token is None or ends < time.monotonic() or not self._reader.is_good(token):
            with self._lock:
                self._sessions.pop(key, None)
            return None
        return token

    def sign_in(self, request: Request, form: bytes, response: Response) -> Token | None:
        """Begin a session for the token in a form, and let the response carry it; None if the token is not good."""
        text = parse_qs(form.decode("ascii", "replace")).get("token", [""])[0].strip()
        token = self._reader.holder(text)
        if token is None:
            return None
        name = secrets.token_urlsafe(32)
        with self._lock:
            self._sessions[_key(name)] = (token, time.monotonic() + SESSION_SECONDS)
            while len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
        response.set_cookie(
            COOKIE, name, max_age=SESSION_SECONDS, path=self._path, httponly=True, samesite="strict",
            secure=is_encrypted(request),
        )  # fmt: skip
        return token

    def sign_out(self, request: Request, response: Response) -> None:
        """End the session of a browser."""
        with self._lock:
            self._sessions.pop(_key(request.cookies.get(COOKIE, "")), None)
        response.delete_cookie(COOKIE, path=self._path, httponly=True, samesite="strict")


def is_encrypted(request: Request) -> bool:
    """Tell whether the browser speaks TLS, to us or to a proxy on this machine."""
    return request.url.scheme == "https" or (is_near(request) and request.headers.get("x-forwarded-proto") == "https")


def is_near(request: Request) -> bool:
    """Tell whether whoever asks is on this machine: a browser here, or a proxy."""
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False


def reader_of(request: Request) -> str:
    """Return the address of whoever reads; empty if all that is known is a proxy, or a browser, on this machine."""
    if is_near(request):
        return request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip()[:64]
    return "" if request.client is None else request.client.host


def comes_from_elsewhere(request: Request) -> bool:
    """Tell whether a form was sent by a page that is not ours."""
    return request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")


def _key(name: str) -> str:
    return sha256(name.encode()).hexdigest()

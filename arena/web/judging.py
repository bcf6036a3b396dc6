"""Judging a match on demand: one at a time, at a low priority, and kept beside its record."""

from __future__ import annotations

import ipaddress
from pathlib import Path

import anyio
import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.analysis.judgement import EFFORTS
from arena.analysis.keeping import judge_now
from arena.store.rows import StoredMatch
from arena.web.visitors import is_near
from referee.mistakes import UserError

MAX_WAITING = 4  # matches being judged or queued: more would take longer than anyone would wait
MAX_SECONDS = 600.0
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")
"""Headers of proxies, whose clients may be anywhere."""


class JudgesOnDemand:
    """The judge of one site."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._alone = anyio.CapacityLimiter(1)
        self._waiting = 0

    async def judge(self, match: StoredMatch, record: str) -> None:
        """Judge a match and keep the judgement; an HTTPException says why not."""
        if self._waiting >= MAX_WAITING:
            raise HTTPException(503, "Other matches are being judged; try again in a minute.")
        self._waiting += 1
        try:
            async with self._alone:
                with trio.fail_after(MAX_SECONDS):
                    await judge_now(self._path, match.record_digest, record, EFFORTS[0])
        except UserError as error:
            raise HTTPException(409, f"This match cannot be judged: {error}") from None
        except trio.TooSlowError:
            raise HTTPException(503, "The machine is too busy to judge this match now.") from None
        finally:
            self._waiting -= 1


def is_this_machine(request: Request, site: str | None) -> bool:
    """Return whether a request comes from a browser on this machine, and not through a proxy for somebody else.

    A site with a public address has a proxy. The name asked for must be this machine's own, or else a page elsewhere
    could have led the browser here under a name of its own.
    """
    host = request.url.hostname or ""
    try:
        is_local_name = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_local_name = False
    is_direct = site is None and not any(name in request.headers for name in FORWARDED)
    return is_near(request) and is_direct and is_local_name

"""Stopping a gRPC server without output on standard error."""

from __future__ import annotations

import asyncio
from typing import Any

LEAVE_SECONDS = 0.3


async def stop_quietly(server: Any, grace: float) -> None:
    """Stop a server and return when its handlers have ended too; call it when nothing else runs in this loop.

    Handlers may outlive their calls for a moment, and gRPC prints a traceback if the loop ends before they do.
    """
    await server.stop(grace)
    await leave_quietly()


async def leave_quietly() -> None:
    """Return when the handlers of stopped servers have ended too."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    if left:
        await asyncio.wait(left, timeout=LEAVE_SECONDS)

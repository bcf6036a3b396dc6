"""Dialling a referee ourselves, before an absent bot is blamed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import trio

from arena.play.raw_call import CHUNK, HEADERS, FrameReader, conversation

SECONDS = 5.0  # in total
PLAY = "/referee.v1.RefereeService/Play"
REFUSAL = b"must hold one hello"
CONNECTED = "03"  # the state of a unix socket


async def is_reached(socket: Path) -> bool:
    """Return whether a referee answers a call at its socket, as a bot would make it.

    The call has no hello and so is refused, which only the referee's own code can do: a server whose loop has ended
    still greets its clients.
    """
    with trio.move_on_after(SECONDS):
        try:
            async with await trio.open_unix_socket(socket) as stream:
                await stream.send_all(conversation(PLAY))
                return await _is_answered(stream)
        except (OSError, trio.BrokenResourceError):
            return False
    return False


async def _is_answered(stream: trio.abc.ReceiveStream) -> bool:
    """Read frames until one ends our call, and return whether its status is the referee's."""
    frames = FrameReader()
    while chunk := await stream.receive_some(CHUNK):
        for frame in frames.feed(chunk):
            if frame.kind == HEADERS:
                return REFUSAL in frame.payload
    return False


def connections(socket: Path) -> int:
    """Return the number of connections of a listening socket."""
    return _connected(socket, Path("/proc/net/unix").read_text(errors="replace").splitlines())


def _connected(socket: Path, lines: Iterable[str]) -> int:
    """Count the accepted ends; the clients' ends have no path."""
    words = (line.split(maxsplit=7) for line in lines)
    return sum(len(each) == 8 and each[7] == str(socket) and each[5] == CONNECTED for each in words)

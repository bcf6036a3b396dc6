"""Lines of JSON between processes, over trio streams."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

import trio

CHUNK = 1 << 16


async def read_lines(stream: trio.abc.ReceiveStream) -> AsyncGenerator[bytes, None]:
    """Yield whole lines until the stream ends; a last piece without its line break is dropped."""
    rest = bytearray()
    while chunk := await stream.receive_some(CHUNK):
        rest += chunk
        if b"\n" in chunk:
            *lines, last = rest.split(b"\n")
            rest = bytearray(last)
            for line in lines:
                yield bytes(line)


def as_line(value: Any) -> bytes:
    """Return a value as one line of JSON."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"

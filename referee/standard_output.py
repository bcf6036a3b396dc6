"""Whole lines to the process that started this one."""

from __future__ import annotations

import json
import os

STANDARD_OUTPUT = 1


def say_line(value: object) -> None:
    """Write a value as one line of JSON, all of it.

    Unbuffered, as with PYTHONUNBUFFERED, `sys.stdout` drops the rest of a line when a write to a full pipe is
    interrupted, for example because the process was stopped and continued.
    """
    rest = memoryview(json.dumps(value, separators=(",", ":")).encode() + b"\n")
    while rest:
        rest = rest[os.write(STANDARD_OUTPUT, rest) :]

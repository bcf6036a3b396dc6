"""TOML from untrusted sources: bounded before parsing, since the parser is quadratic in the dots of a key."""

from __future__ import annotations

import re
import tomllib
from itertools import count
from pathlib import Path
from typing import Any

from referee.mistakes import UserError

MAX_DOTS = 8
"""In one key or table header."""
MAX_NESTING = 16
"""Tables and lists inside each other, whichever way they are written."""
MAX_INTEGER = (1 << 256) - 1
"""As large as a seed may be; Python refuses to print numbers of more than 4,300 digits."""

_PART = r"""(?:"(?:[^"\\\n]|\\[^\n])*+"|'[^'\n]*+'|[A-Za-z0-9_-]++)"""
_TOKEN = re.compile(
    rf"""
    (?P<too_long>(?:{_PART}[ \t]*+\.[ \t]*+){{{MAX_DOTS + 1}}})
    | \"{{3}}(?:[^"\\]|\\.|"(?!""))*+(?:"{{3,5}}+)?
    | '{{3}}(?:[^']|'(?!''))*+(?:'{{3,5}}+)?
    | "(?:[^"\\\n]|\\[^\n])*+"?
    | '[^'\n]*+'?
    | \#[^\n]*+
    | [A-Za-z0-9_-]++
    | [^"'\#A-Za-z0-9_-]++
    """,
    re.VERBOSE | re.DOTALL,
)
"""Comments and texts as a whole, so that their dots do not count; in step with the parser up to its first error."""


def read_toml(file: Path, largest: int) -> dict[str, Any]:
    """Read a TOML file of at most `largest` bytes without checking its keys; a UserError says why it cannot be read."""
    try:
        if file.stat().st_size > largest:
            raise _too_large(str(file), largest)
        data = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file}: cannot be read: {error.strerror}") from None
    return parse_toml(data, str(file), largest)


def parse_toml(data: bytes | str, name: str, largest: int) -> dict[str, Any]:
    """Parse TOML of at most `largest` bytes without checking its keys; a UserError says where it is not TOML."""
    data = data.encode() if isinstance(data, str) else data
    if len(data) > largest:
        raise _too_large(name, largest)
    try:
        text = data.decode()
        _check_keys(text, name)
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{name}: {error}") from None
    except RecursionError:
        raise _too_deep(name) from None
    except ValueError:  # of Python's int, for a number of more than 4,300 digits
        raise _too_great(name) from None
    _check_values(plain, name)
    return plain


def _check_keys(text: str, name: str) -> None:
    """Refuse keys with many dots."""
    if text.count(".") <= MAX_DOTS:
        return
    for token in _TOKEN.finditer(text):
        if token.lastgroup:
            line = text.count("\n", 0, token.start()) + 1
            raise UserError(f"{name}: a key has more than {MAX_DOTS} dots (at line {line})")


def _check_values(plain: dict[str, Any], name: str) -> None:
    """Refuse deep nesting and huge numbers, neither of which can be shown in a message."""
    level: list[Any] = [plain]
    for depth in count():
        inside: list[Any] = []
        for value in level:
            if isinstance(value, dict | list):
                if depth > MAX_NESTING:
                    raise _too_deep(name)
                inside.extend(value.values() if isinstance(value, dict) else value)
            elif isinstance(value, int) and not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
                raise _too_great(name)
        if not inside:
            return
        level = inside


def _too_large(name: str, largest: int) -> UserError:
    return UserError(f"{name}: is larger than {largest} bytes")


def _too_great(name: str) -> UserError:
    return UserError(f"{name}: a whole number is too large; expected at most {MAX_INTEGER}")


def _too_deep(name: str) -> UserError:
    return UserError(f"{name}: the values are nested too deeply")

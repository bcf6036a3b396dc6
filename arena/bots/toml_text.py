"""TOML from untrusted sources."""

from __future__ import annotations

import tomllib
from typing import Any

from referee.mistakes import UserError


def parse_toml(data: bytes | str, name: str) -> dict[str, Any]:
    """Parse TOML without checking its keys; a UserError says where it is not TOML."""
    try:
        return tomllib.loads(data.decode() if isinstance(data, bytes) else data)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{name}: {error}") from None
    except RecursionError:
        raise UserError(f"{name}: the values are nested too deeply") from None

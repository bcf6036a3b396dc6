"""TOML that somebody else wrote."""

from __future__ import annotations

import tomllib
from typing import Any

from referee.order import OrderError


def parse_toml(data: bytes | str, name: str) -> dict[str, Any]:
    """Read TOML without a look at its keys; an OrderError says where it is not TOML."""
    try:
        return tomllib.loads(data.decode() if isinstance(data, bytes) else data)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise OrderError(f"{name}: {error}") from None
    except RecursionError:
        raise OrderError(f"{name}: the values are nested too deeply") from None

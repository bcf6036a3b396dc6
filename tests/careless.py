"""Actions whose fields do not fit, such as a careless program in the same process might hand over."""

from __future__ import annotations

from typing import Any

from referee.native import RunsAs, running
from referee.values import names_of


def careless(kind: Any, *values: object) -> Any:
    """Return an action with these fields; None if it is compiled and cannot be made so, or makes numbers of them."""
    try:
        made = kind(*values)
    except TypeError:
        assert running() is RunsAs.COMPILED
        return None
    kept = all(type(getattr(made, name)) is type(value) for name, value in zip(names_of(kind), values, strict=False))
    assert kept or running() is RunsAs.COMPILED
    return made if kept else None

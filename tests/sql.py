"""Queries of tests, which look into a database past the store's own methods."""

from __future__ import annotations

from typing import Any

from arena.store.database import Store


def select(store: Store, sql: str, *values: Any) -> list[Any]:
    """Return all rows of a query."""
    return store.connection.execute(sql, values).fetchall()

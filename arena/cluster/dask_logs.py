"""Dask's logs: silenced, since we log what matters as our own events."""

from __future__ import annotations

import logging

SPEAKERS = ("distributed", "tornado", "asyncio", "bokeh")


def silence() -> None:
    """Silence Dask's loggers, those with their own level too; call it after importing Dask."""
    for name in [*SPEAKERS, *logging.root.manager.loggerDict]:
        if name.split(".")[0] in SPEAKERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

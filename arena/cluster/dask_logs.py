"""What Dask logs: nothing, since whatever matters of it is logged as an event of ours."""

from __future__ import annotations

import logging

SPEAKERS = ("distributed", "tornado", "asyncio", "bokeh")


def silence() -> None:
    """Silence Dask's loggers, those with a level of their own too; call it once Dask is imported."""
    for name in [*SPEAKERS, *logging.root.manager.loggerDict]:
        if name.split(".")[0] in SPEAKERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

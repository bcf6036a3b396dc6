"""Logs: structured lines on standard error, for people or for machines.

This is the only module that imports structlog, which takes longer to load than many a command to run: it is loaded
when the first line is written, and a line below the level costs nothing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from structlog.typing import Processor

LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40, "critical": 50}


class Log:
    """Writes lines of at least its level to standard error, configured or not; standard output is for data."""

    def __init__(self) -> None:
        self.configure("warning", as_json=False)

    def configure(self, level: str, *, as_json: bool) -> None:
        """Choose the least level that is written, and for whom."""
        self._least = LEVELS[level]
        self._as_json = as_json
        self._processors: list[Processor] = []

    def load(self) -> None:
        """Load structlog now: the first line of a program that runs for long may tell that files have run out."""
        self._processors = _processors(as_json=self._as_json)

    def debug(self, event: str, **fields: object) -> None:
        """Tell what only whoever looks for a fault wants to know."""
        self._write("debug", event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Tell what went as it should."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Tell what went wrong and was dealt with."""
        self._write("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Tell what somebody has to look at."""
        self._write("error", event, fields)

    def exception(self, event: str, **fields: object) -> None:
        """Tell of an error inside its except clause, with the traceback."""
        self._write("error", event, {"exc_info": True, **fields})

    def _write(self, level: str, event: str, fields: dict[str, Any]) -> None:
        if LEVELS[level] < self._least:
            return
        if not self._processors:
            self.load()
        import structlog

        # Looked up anew for every line: standard error may be replaced while the program runs.
        line = structlog.wrap_logger(
            structlog.PrintLogger(sys.stderr),
            processors=self._processors,
            wrapper_class=structlog.make_filtering_bound_logger(self._least),
        )
        getattr(line, level)(event, **fields)


def _processors(*, as_json: bool) -> list[Processor]:
    import structlog

    renderer: Processor
    if as_json:
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    return [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.format_exc_info,
        renderer,
    ]


log = Log()
configure_logs = log.configure

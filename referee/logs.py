"""Logs: structured lines on standard error, for people or for machines.

Only this module uses structlog, which is slow to import: it is imported when the first line is written, and a line
below the level costs nothing.
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
        """Set the lowest level that is written, and the format."""
        self._least = LEVELS[level]
        self._as_json = as_json
        self._processors: list[Processor] = []

    def load(self) -> None:
        """Import structlog now, for programs whose first line may report that file descriptors have run out."""
        import structlog

        renderer: Processor = structlog.processors.JSONRenderer()
        if not self._as_json:
            plain = structlog.dev.plain_traceback
            renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)
        self._processors = [
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            renderer,
        ]

    def debug(self, event: str, **fields: object) -> None:
        """Log details for debugging."""
        self._write("debug", event, fields)

    def info(self, event: str, **fields: object) -> None:
        """Log normal progress."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Log a problem that was handled."""
        self._write("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Log a problem that needs attention."""
        self._write("error", event, fields)

    def exception(self, event: str, **fields: object) -> None:
        """Log an error with its traceback, inside an except clause."""
        self._write("error", event, {"exc_info": True, **fields})

    def _write(self, level: str, event: str, fields: dict[str, Any]) -> None:
        if LEVELS[level] < self._least:
            return
        if not self._processors:
            self.load()
        import structlog

        # Looked up for every line: standard error may be replaced while the program runs.
        line = structlog.wrap_logger(
            structlog.PrintLogger(sys.stderr),
            processors=self._processors,
            wrapper_class=structlog.make_filtering_bound_logger(self._least),
        )
        getattr(line, level)(event, **fields)


log = Log()
configure_logs = log.configure

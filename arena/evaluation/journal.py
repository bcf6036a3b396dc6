"""The journal of an evaluation: a line for every block that is done, so that a killed one is resumed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from referee.mistakes import UserError

JOURNAL, RECORDS = "journal.jsonl", "records"
MIN_HEADER = ("bot", "game", "opponents", "time_control")
"""What a resumed evaluation must have in common with the one that was begun."""


class BlockJournal:
    """A directory with a journal and records; None keeps everything in memory."""

    def __init__(self, folder: Path | None, header: dict[str, Any]) -> None:
        """Open or begin a journal; a UserError says that it is of another evaluation, or cannot be written."""
        self._folder, self.header, self.lines = folder, header, list[dict[str, Any]]()
        self._kept: dict[str, str] = {}
        if folder is None:
            return
        try:
            (folder / RECORDS).mkdir(parents=True, exist_ok=True)
            self._read(folder / JOURNAL)
        except OSError as error:
            raise UserError(f"out: cannot use {folder}: {error.strerror}") from None

    def _read(self, file: Path) -> None:
        content = file.read_bytes() if file.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]  # a kill may have cut the last line
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
            begun = lines[0] if lines else None
            is_other = begun is not None and any(begun[key] != self.header[key] for key in MIN_HEADER)
        except (ValueError, KeyError, TypeError):
            raise UserError(f"out: {file} is no journal of an evaluation; expected a new directory") from None
        if is_other:
            raise UserError(f"out: {file} is of another bot, game or setting; expected a new directory")
        if begun is None:
            self._append(self.header)
            return
        self.header, self.lines = begun, lines[1:]
        if whole != content:
            with file.open("r+b") as stream:
                stream.truncate(len(whole))

    def add(self, line: dict[str, Any], records: dict[str, str]) -> None:
        """Keep a block with its records, by name."""
        self.lines.append(line)
        if self._folder is None:
            self._kept |= records
            return
        for name, text in records.items():
            (self._folder / RECORDS / name).write_text(text, encoding="ascii")
        self._append(line)

    def record(self, name: str) -> str:
        """Return a record; a UserError says that it is gone."""
        if self._folder is None:
            return self._kept[name]
        try:
            return (self._folder / RECORDS / name).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError):
            raise UserError(f"out: {self._folder / RECORDS / name} cannot be read") from None

    def path(self, name: str) -> str | None:
        """Return where a record lies; None in memory."""
        return None if self._folder is None else str(self._folder / RECORDS / name)

    def _append(self, line: dict[str, Any]) -> None:
        assert self._folder is not None  # only then it is called
        with (self._folder / JOURNAL).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line, ensure_ascii=True) + "\n")
            stream.flush()
            os.fsync(stream.fileno())

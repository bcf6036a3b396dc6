"""The label of a bot version, such as `greedy@5c0f3a9e1b2d`: how a record names the players."""

from __future__ import annotations

from typing import NamedTuple

HASH_DIGITS = 12


class Label(NamedTuple):
    """A bot's name and the first digits of the hash of its files."""

    name: str
    version: str

    @staticmethod
    def of(name: str, version_hash: str) -> Label:
        """Return the label of a version, given its whole hash."""
        return Label(name, version_hash[:HASH_DIGITS])

    @staticmethod
    def parse(text: str) -> Label:
        """Read a label; a bare name is one without a version."""
        name, at, version = text.rpartition("@")
        return Label(name, version) if at else Label(text, "")

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"

    def is_meant_by(self, wanted: str) -> bool:
        """Return whether a name or a label means this version."""
        return wanted in (self.name, str(self))


def name_of(label: str) -> str:
    """Return the name of the bot in a label."""
    return Label.parse(label).name

"""Bots found by the hash of their files, in directories and archives."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.archive import ArchiveError, pack, unpack
from arena.bots.directory import BYTECODE, MANIFEST, BotDirectory, content_version, read_bot
from arena.bots.one_file import is_one_file
from arena.bots.scratch import scratch_folder
from referee.mistakes import UserError

ARCHIVES = (".tar.gz", ".tgz", ".zip")


@dataclass(frozen=True, slots=True)
class FoundBots:
    """Bots by version, and why others were found and cannot be used."""

    bots: dict[str, BotDirectory] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)


def find_bots(wanted: Iterable[str], places: Iterable[Path], into: Path) -> FoundBots:
    """Find versions by their whole hash, and unpack each into a folder of its own below `into`.

    A place is a bot directory, an archive or a directory of them. What runs is the archive of a bot, unpacked: times,
    permissions and empty folders, which no hash covers, are the same for everybody.
    """
    found, missing = FoundBots(), set(wanted)
    for place in places:
        for directory in _candidates(place, missing):
            try:
                version = content_version(directory)
            except UserError:  # a file that is too large for a bot, or cannot be read
                continue
            if version not in missing:
                continue
            try:
                found.bots[version] = _unpacked(pack(directory), version, into)
                missing.discard(version)
            except (ArchiveError, UserError) as error:
                found.faults[version] = str(error)
    return found


def _candidates(place: Path, missing: set[str]) -> Iterator[Path]:
    """Yield the bot directories at a place, as long as any version is missing."""
    if is_one_file(place):
        yield place
    elif place.is_file():
        yield from _archived(place)
    for path, folders, files in os.walk(place):
        if not missing:
            return
        folders[:] = sorted(name for name in folders if name != BYTECODE)
        if MANIFEST in files:
            folders.clear()
            yield Path(path)
            continue
        for name in sorted(files):
            if name.endswith(ARCHIVES):
                yield from _archived(Path(path, name))
            elif is_one_file(Path(path, name)):
                yield Path(path, name)


def _archived(file: Path) -> Iterator[Path]:
    """Yield the directory that an archive unpacks to; nothing if it is no archive of a bot."""
    with scratch_folder() as folder:
        try:
            unpack(file.read_bytes(), folder)
        except (ArchiveError, OSError):
            return
        yield folder


def _unpacked(archive: bytes, version: str, into: Path) -> BotDirectory:
    place = into / version
    place.mkdir(mode=0o755)
    unpack(archive, place)
    place.chmod(0o755)  # readable by a sandboxed bot's uid
    if content_version(place) != version:
        raise ArchiveError("its files are others once they are packed and unpacked")
    return read_bot(place)

"""The bots of a worker: unpacked once, named by their content, within a size limit."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from arena.bots.archive import unpack
from arena.bots.directory import BotDirectory, content_version, read_bot


class BotCache:
    """A folder of bots by the hash of their files; the least recently used are evicted first."""

    def __init__(self, folder: Path, max_bytes: int) -> None:
        self.folder = folder
        self.max_bytes = max_bytes
        self._sizes: dict[str, int] = {}  # in the order of their last use
        self._pinned: Counter[str] = Counter()
        self._read: dict[str, BotDirectory] = {}

    def __len__(self) -> int:
        return len(self._sizes)

    @property
    def total_bytes(self) -> int:
        """The size of its bots."""
        return sum(self._sizes.values())

    def missing(self, versions: Iterable[str]) -> list[str]:
        """Return the versions that are not cached."""
        return sorted(set(versions) - self._sizes.keys())

    def find(self, name: str, version: str) -> BotDirectory:
        """Return a cached bot under the name that it plays by."""
        return self._read[version].renamed(name)

    def keep(self, version: str, archive: bytes) -> None:
        """Unpack a bot; a ValueError if its files do not match its version."""
        if version in self._sizes:
            return
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".incoming-") as incoming:
            place = Path(incoming, "bot")
            place.mkdir(mode=0o755)
            unpack(archive, place)
            found = content_version(place)
            if found != version:
                raise ValueError(f"an archive is {found[:12]}, not {version[:12]}")
            os.rename(place, self.folder / version)
        files = (self.folder / version).rglob("*")
        self._sizes[version] = sum(file.stat().st_size for file in files if file.is_file())
        self._read[version] = read_bot(self.folder / version)

    def pin(self, versions: Iterable[str]) -> None:
        """Keep bots from being removed while their matches are played, and count this as a use."""
        for version in versions:
            self._pinned[version] += 1
            if version in self._sizes:
                self._sizes[version] = self._sizes.pop(version)

    def unpin(self, versions: Iterable[str]) -> None:
        """Allow bots to be removed when their matches are over."""
        self._pinned.subtract(versions)
        self._pinned += Counter()  # drops zero counts

    def sweep(self, is_running: Callable[[str], bool]) -> None:
        """Remove bots until they fit, but none that is pinned or still has a process."""
        for version in list(self._sizes):
            if self.total_bytes <= self.max_bytes:
                return
            if not self._pinned[version] and not is_running(version):
                del self._sizes[version], self._read[version]
                shutil.rmtree(self.folder / version, ignore_errors=True)

"""Compiled modules, put into `compiled/` by `make fast` or a compiled wheel, and used if they are current.

They are ignored unless all their sources are unchanged to the byte; MEISTERSINGER_COMPILED=0 ignores
them too.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from enum import Enum
from hashlib import blake2b
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / "referee" / "compiled"
MANIFEST = HOME / "manifest.json"
SWITCH = "MEISTERSINGER_COMPILED"


class RunsAs(Enum):
    """How the rules and the referee run in this process, in the words of `arena doctor`."""

    SOURCE = "Python source"
    COMPILED = "compiled"
    STALE = "Python source: the compiled modules are stale"
    SWITCHED_OFF = "Python source: the compiled modules are switched off"
    FOREIGN = "Python source: the compiled modules are for another Python"


_running = RunsAs.SOURCE


def running() -> RunsAs:
    """Return how this process runs."""
    return _running


def digest_of(source: bytes) -> str:
    """Return the fingerprint of a source."""
    return blake2b(source, digest_size=16).hexdigest()


def use_compiled() -> None:
    """Import the compiled modules instead of their source, if there are any and they are current."""
    global _running
    try:
        manifest = json.loads(MANIFEST.read_bytes())
    except FileNotFoundError:
        return
    if os.environ.get(SWITCH) == "0":
        _running = RunsAs.SWITCHED_OFF
    elif manifest["suffix"] != EXTENSION_SUFFIXES[0]:
        _running = RunsAs.FOREIGN
    elif not all(_is_current(path, *known) for path, known in manifest["sources"].items()):
        _running = RunsAs.STALE
    else:
        _running = RunsAs.COMPILED
        sys.meta_path.insert(0, _Finder(manifest["modules"], manifest["suffix"], manifest.get("units", {})))


def _is_current(path: str, modified_ns: int, size: int, digest: str) -> bool:
    """Return whether a source is unchanged; one with an unchanged mtime is not read."""
    try:
        found = os.stat(ROOT / path)
        if found.st_mtime_ns == modified_ns and found.st_size == size:
            return True
        return digest_of((ROOT / path).read_bytes()) == digest
    except OSError:
        return False


class _Finder:
    """Finds the compiled modules, the libraries that they share, and the chapters that were joined into one."""

    def __init__(self, modules: Sequence[str], suffix: str, units: Mapping[str, Sequence[str]]) -> None:
        self._files = {name: f"{HOME}/{name.replace('.', '/')}{suffix}" for name in modules}
        self._packages = set(units)
        self._chapters = {chapter: f"{package}.joined" for package, chapters in units.items() for chapter in chapters}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the location of a compiled module, or None for any other."""
        if fullname in self._chapters:
            return ModuleSpec(fullname, _ChapterLoader(self._chapters[fullname]))
        if fullname in self._packages:
            spec = PathFinder.find_spec(fullname, path)
            if spec is not None and spec.loader is not None:
                spec.loader = _PackageLoader(spec.loader, f"{fullname}.joined")
            return spec
        file = self._files.get(fullname)
        if file is None:
            return None
        spec = ModuleSpec(fullname, ExtensionFileLoader(fullname, file), origin=file)
        spec.has_location = True
        return spec


class _PackageLoader(Loader):
    """Loads a game's package, and with it its joined chapters: they import each other and their values in one order."""

    def __init__(self, loader: Any, joined: str) -> None:
        self._loader = loader
        self._joined = joined

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to Python."""
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Load the package itself, whose files its own loader finds, then what was joined."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        import_module(self._joined)


class _ChapterLoader(Loader):
    """Loads a chapter: the names that it has in the module that it was joined into."""

    def __init__(self, joined: str) -> None:
        self._joined = joined

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Leave it to Python."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Give the chapter its names."""
        joined = vars(import_module(self._joined))
        for name in joined["__chapters__"][module.__name__]:
            if name in joined:
                setattr(module, name, joined[name])

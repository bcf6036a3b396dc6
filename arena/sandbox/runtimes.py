"""What sandboxed bots see of this machine: the system's programs, and the arena's own Python."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from referee.games import plug_in_modules

READ_TOO = "ARENA_SANDBOX_READ"  # additional directories that bots may read, such as a language's runtime outside /usr
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")  # beside /usr, and mostly links into it
# Below /etc; Node reads OpenSSL's configuration, Debian's Java its own.
SETTINGS = (
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "nsswitch.conf", "ssl/openssl.cnf"),
    *sorted(folder.name for folder in Path("/etc").glob("java-*-openjdk")),
)
OF_A_PREFIX = ("bin", "lib", "lib64", "libexec", "pyvenv.cfg")
NEEDED = ("grpc", "google.protobuf", "referee", "arena")  # a trained bot imports arena.lab


def search_path() -> tuple[str, ...]:
    """Return the directories in which a sandboxed bot's commands are looked up."""
    here = str(Path(sys.executable).parent)
    return (here, *(str(folder / "bin") for folder in read_too()), "/usr/local/bin", "/usr/bin", "/bin")


def read_too() -> list[Path]:
    """Return the additional directories that the operator lets bots read."""
    return [Path(folder) for folder in os.environ.get(READ_TOO, "").split(os.pathsep) if folder.startswith("/")]


@dataclass(frozen=True, slots=True)
class PythonView:
    """The paths that a bot in this Python may read, and its additional import paths."""

    paths: tuple[Path, ...]
    search: tuple[Path, ...]


@functools.cache
def python_view() -> PythonView:
    """Find the interpreter, its libraries, and the packages that a Python bot needs, but never a whole project."""
    prefixes = {Path(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)}
    prefixes |= {prefix.resolve() for prefix in prefixes}
    paths = {prefix / name for prefix in prefixes if not is_system(prefix) for name in OF_A_PREFIX}
    inside = {prefix / "lib" for prefix in prefixes}
    search: set[Path] = set()
    # Our own games are part of the referee, and where a plug-in lies is known without loading it.
    plug_ins = plug_in_modules()
    for name in sorted({*NEEDED, *(module.partition(".")[0] for module in plug_ins.values())}):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations is None and spec.origin is not None:
            single = Path(spec.origin)  # a plug-in of one file; a bot derives the same messages from the same numbers
            if not is_system(single) and not any(single.is_relative_to(folder) for folder in inside):
                beside = (single.with_name(f"{slug}.proto") for slug, module in plug_ins.items() if module == name)
                paths.update(beside, [single])
                search.add(single.parent)
        for location in (spec.submodule_search_locations or ()) if spec is not None else ():
            package = Path(location)
            if is_system(package) or any(package.is_relative_to(folder) for folder in inside):
                continue
            parent = package.parents[name.count(".")]
            is_site = parent.name in ("site-packages", "dist-packages")
            paths.add(parent if is_site else package)
            search.add(parent)
    return PythonView(tuple(sorted(path for path in paths if path.exists())), tuple(sorted(search)))


def is_system(path: Path) -> bool:
    """Return whether bots see a path anyway."""
    return path.is_relative_to("/usr")

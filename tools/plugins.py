"""The packages of `plugins/`: `python -m tools.plugins install [NAME…]`, or `make plugins`; `types` checks theirs.

Each is a folder with a `pyproject.toml`, an import package, and `tests/`, which `make test` runs where it is installed.
`debian_packages.txt` in it names the packages of the distribution that its tests need, if any.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "plugins"
OF_OURS = ("tests", "benchmarks")  # folders that nobody installs


@dataclass(frozen=True, slots=True)
class Plugin:
    """One folder of `plugins/`."""

    folder: Path

    @property
    def name(self) -> str:
        """Return the name of the folder."""
        return self.folder.name

    @property
    def distribution(self) -> str:
        """Return the name under which it is installed."""
        project = tomllib.loads((self.folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return str(project["name"])

    @property
    def packages(self) -> list[str]:
        """Return its import packages."""
        found = (path.parent for path in self.folder.glob("*/__init__.py"))
        return sorted(path.name for path in found if path.name not in OF_OURS)

    @property
    def debian_packages(self) -> list[str]:
        """Return the packages of the distribution that its tests need."""
        named = self.folder / "debian_packages.txt"
        return named.read_text(encoding="ascii").split() if named.is_file() else []

    def is_installed(self) -> bool:
        """Return whether it is installed in this environment."""
        try:
            importlib.metadata.distribution(self.distribution)
        except importlib.metadata.PackageNotFoundError:
            return False
        return True


def plugins() -> Iterator[Plugin]:
    """Yield all of them by name."""
    for project in sorted(FOLDER.glob("*/pyproject.toml")):
        yield Plugin(project.parent)


def plugin_of(path: Path) -> Plugin | None:
    """Return the plug-in in whose folder a file lies."""
    return next((plugin for plugin in plugins() if path.is_relative_to(plugin.folder)), None)


def install(plugin: Plugin) -> bool:
    """Install a plug-in as it lies here, and what it needs; return whether all of it is there now."""
    named = plugin.debian_packages
    lacking = [name for name in named if subprocess.run(["dpkg", "-s", name], capture_output=True).returncode]
    purpose = f"the plug-in {plugin.name}"
    is_complete = not lacking or not subprocess.run([ROOT / "tools" / "apt_install.sh", purpose, *lacking]).returncode
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", "constraints.txt"]
    done = subprocess.run([*pip, "-e", f"{plugin.folder.relative_to(ROOT)}[dev]"], cwd=ROOT)
    return is_complete and not done.returncode


def types(plugin: Plugin) -> bool:
    """Check the types of a plug-in, its tests and its benchmarks, and return whether they fit."""
    # Its folder holds `tests`, which is a package of ours too, so mypy gets one with nothing else in it.
    alone = ROOT / ".mypy_cache" / "plugins" / plugin.name
    alone.mkdir(parents=True, exist_ok=True)
    for package in plugin.packages:
        (alone / package).unlink(missing_ok=True)
        (alone / package).symlink_to(plugin.folder / package)
    ours = [f"plugins.{plugin.name}.{part}" for part in OF_OURS if (plugin.folder / part).is_dir()]
    return not subprocess.run(
        [sys.executable, "-m", "mypy", *(part for name in (*plugin.packages, *ours) for part in ("-p", name))],
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(alone)},
    ).returncode


def main(arguments: list[str]) -> int:
    """Install plug-ins, all of them unless some are named, or check the types of those that are installed."""
    verb, *names = arguments or [""]
    chosen = [plugin for plugin in plugins() if not names or plugin.name in names]
    if unknown := sorted({*names} - {plugin.name for plugin in chosen}):
        known = ", ".join(plugin.name for plugin in plugins())
        print(f"{unknown[0]} is not in plugins/; expected some of: {known}", file=sys.stderr)
        return 2
    if verb == "install":
        results = [install(plugin) for plugin in chosen]
        return int(not all(results))
    if verb == "types":
        results = [types(plugin) for plugin in chosen if plugin.is_installed()]
        return int(not all(results))
    print("expected install or types", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

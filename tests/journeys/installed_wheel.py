"""The wheel, installed in an environment of its own: what it declares to need, and nothing of the checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ("arena", "proto", "ratings", "referee", "sample_bots")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
OFFLINE = ("--no-deps", "--no-index")
FILES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")


def build_wheel(folder: Path) -> Path:
    """Build the wheel from a copy of the sources, so that nothing is written into the checkout."""
    copy = folder / "sources"
    made = shutil.ignore_patterns("build", "node_modules", "__pycache__", "*.egg-info")
    for name in (*SOURCES, "tools", "docs/rules"):  # the build backend, and pages that are installed
        shutil.copytree(ROOT / name, copy / name, ignore=made)
    for name in FILES:
        shutil.copy(ROOT / name, copy)
    subprocess.run(
        [*PIP, "wheel", *OFFLINE, "--no-build-isolation", "--wheel-dir", str(folder), str(copy)],
        check=True,
    )
    (wheel,) = folder.glob("meistersinger-*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel beside copies of the packages that it requires, and return the directory of its commands."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    subprocess.run(
        [*PIP, "--python", str(python), "install", *OFFLINE, "--no-compile", str(wheel)],
        check=True,
    )
    (site,) = (folder / "lib").glob("python*/site-packages")
    (installed,) = Distribution.discover(name="meistersinger", path=[str(site)])
    copied = {"meistersinger"}
    wanted = _required(installed)
    while wanted:
        name = wanted.pop()
        if name in copied:
            continue
        copied.add(name)
        try:
            found = Distribution.from_name(name)
        except PackageNotFoundError:
            continue  # for another Python or another system
        _copy(found, site)
        wanted += _required(found)
    return python.parent


def _required(distribution: Distribution) -> list[str]:
    lines = [line for line in distribution.requires or () if "extra ==" not in line]
    return [re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", line, maxsplit=1)[0]).lower() for line in lines]


def _copy(distribution: Distribution, site: Path) -> None:
    for file in distribution.files or ():
        if ".." in file.parts or file.suffix == ".pyc":
            continue  # commands, and what Python makes itself
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        source = Path(str(file.locate()))
        try:
            os.link(source, target)
        except OSError:  # another disk
            shutil.copy(source, target)

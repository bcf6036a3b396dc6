"""Release the version that `referee/software.py` names: check, build, try and tag.

python -m tools.release            # refuses a version that is not ready
python -m tools.release --no-tag   # only builds and tries, whatever the changelog says
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from referee.software import SOFTWARE

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"arena", "ratings", "referee", "sample_bots"}
"""Everything that an install may put into the top level of site-packages."""


class ReleaseError(Exception):
    """A built archive does not work as required."""


def refusals(root: Path, version: str) -> Iterator[str]:
    """Yield every reason why this version cannot be released from this checkout."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no section '## [{version}] - YYYY-MM-DD'"
    if changed := _git(root, "status", "--porcelain").splitlines():
        yield f"the tree has {len(changed)} uncommitted changes, such as {changed[0][3:]}"
    if _git(root, "tag", "--list", f"v{version}"):
        yield f"the tag v{version} exists"


def write_messages(root: Path) -> None:
    """Write proto/released.binpb, with which later messages are compared; a changed one has to be committed first."""
    subprocess.run([root / "tools" / "breaking.sh", "--release"], env={**os.environ, "CI": "true"}, check=True)


def tag(root: Path, version: str) -> None:
    """Tag the tested commit, annotated so that `git describe` finds it."""
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"Meistersinger {version}")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, stdout=subprocess.PIPE, text=True, check=True).stdout


def build(root: Path, folder: Path) -> list[Path]:
    """Build the sdist, and the wheel from the sdist, so that a file missing from the sdist is noticed."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(folder), str(root)], stdout=sys.stderr, check=True)
    return sorted(folder.iterdir())


def stray_packages(files: list[str]) -> list[str]:
    """Return the files that would be beside our packages in the top level of site-packages, given relative names."""
    tops = {name.partition("/")[0] for name in files if not re.match(r"\.\./|[^/]+\.(dist-info|data)/", name)}
    return sorted(tops - PACKAGES)


def try_out(archive: Path, folder: Path, version: str) -> None:
    """Install an archive into an empty environment and run a newcomer's first commands."""
    venv.create(folder, with_pip=True)
    work = folder / "work"
    work.mkdir()
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment["PATH"] = f"{folder / 'bin'}:{os.environ['PATH']}"

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=work, env=environment, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise ReleaseError(f"{archive.name}: {' '.join(words)} ended with {done.returncode}\n{done.stdout[-2000:]}")
        return done.stdout

    run("python", "-m", "pip", "install", "--quiet", "--constraint", str(ROOT / "constraints.txt"), str(archive))
    (site,) = (folder / "lib").glob("python*/site-packages")
    (installed,) = Distribution.discover(name="meistersinger", path=[str(site)])
    if strays := stray_packages([file.as_posix() for file in installed.files or ()]):
        raise ReleaseError(f"{archive.name} installs {', '.join(strays)}; expected only {', '.join(sorted(PACKAGES))}")
    if version not in run("arena", "--version"):
        raise ReleaseError(f"{archive.name}: arena --version does not say {version}")
    run("arena", "games")
    run("arena", "new-bot", "python", "mine")
    run("arena", "check-bot", "mine", "--game", "norenberc", "--patience", "60")
    sample = str(site / "sample_bots" / "greedy")
    told = run("arena", "play", "norenberc", "--bot", "mine", "--bot", sample, "--json")
    if json.loads(told)["verified"] != 1:
        raise ReleaseError(f"{archive.name}: the record of a match cannot be verified")


def main() -> int:
    """Read the command line and release, or say why not."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description="Check, build, try and tag.")
    parser.add_argument("--no-tag", action="store_true", help="only build and try, whatever the changelog says")
    is_tagged = not parser.parse_args().no_tag
    try:
        if is_tagged:
            write_messages(ROOT)
            if reasons := list(refusals(ROOT, SOFTWARE)):
                sys.stderr.writelines(f"{SOFTWARE} is not released: {reason}\n" for reason in reasons)
                return 1
        with TemporaryDirectory() as folder:
            for archive in build(ROOT, ROOT / "dist" / SOFTWARE):
                sys.stderr.write(f"trying {archive.name}\n")
                try_out(archive, Path(folder) / archive.suffix, SOFTWARE)
    except (ReleaseError, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if is_tagged:
        tag(ROOT, SOFTWARE)
        sys.stderr.write(
            f"tagged v{SOFTWARE}; dist/{SOFTWARE} has the archives, git push --follow-tags publishes the tag\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

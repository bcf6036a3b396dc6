"""arena doctor: what this machine offers, and what is missing for what."""

from __future__ import annotations

import json
import os
import platform
import re
import resource
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from arena.sandbox import bubblewrap, cgroups, landlock, seccomp
from arena.sandbox.levels import Detection, Level, Limits, detect, launch, runtime_environment
from referee.games import GAMES

OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 35)  # RETURNING and upserts as the store writes them
BOT_IMPORTS = "import grpc, google.protobuf; from referee.v1 import play_pb2, play_pb2_grpc; print(grpc.__version__)"
RUNTIMES = ("python3", "node", "go", "java", "g++", "cargo")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it is as it should be, what was found, and what to do if not."""

    name: str
    is_good: bool
    found: str
    advice: str = ""
    is_needed: bool = True


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> int:
    """Look over this machine: Python, packages, database, sockets, and the sandbox that bots run in.

    Exit code 1 says that something needed is missing.

    \b
    Example: arena doctor --json
    """
    findings = examine()
    detection = detect()
    if as_json:
        rungs = {level.value: reason for level, reason in detection.reasons.items()}
        report = {
            "sandbox": detection.level,
            "holds_strangers": detection.level.holds_strangers,
            "why_not": {level: reason for level, reason in rungs.items() if reason},
            "findings": [asdict(finding) for finding in findings],
        }
        click.echo(json.dumps(report, indent=2))
    else:
        for finding in findings:
            mark = "ok  " if finding.is_good else "MISSING" if finding.is_needed else "–   "
            click.echo(f"{mark:8}{finding.name}: {finding.found}")
            if finding.advice and not finding.is_good:
                click.echo(f"        {finding.advice}")
    return 1 if any(finding.is_needed and not finding.is_good for finding in findings) else 0


def examine() -> list[Finding]:
    """Look at everything, one finding each, in the order in which a stranger would fix them."""
    detection = detect()
    return [
        _python(),
        *_packages(),
        _sqlite(),
        _unix_sockets(),
        Finding("games", bool(GAMES), ", ".join(GAMES)),
        _user(),
        _bubblewrap(),
        Finding("seccomp", seccomp.is_supported(), platform.machine(), "the filter knows x86_64 and aarch64", False),
        Finding("landlock", not landlock.missing(), landlock.missing() or "works", is_needed=False),
        Finding("control group", not cgroups.missing(), cgroups.missing() or "works", _lend_advice(), False),
        *_sandbox(detection),
        _bot_imports(detection.level),
        _descriptors(),
        *_runtimes(),
    ]


def _python() -> Finding:
    found = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    return Finding("Python", sys.version_info >= OLDEST_PYTHON, found, "needs Python 3.11 or newer")


def _packages() -> list[Finding]:
    findings = []
    for requirement in requires("meistersinger") or []:
        if ";" in requirement:
            continue  # of an optional extra
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        try:
            findings.append(Finding(f"package {name}", True, version(name)))
        except PackageNotFoundError:
            findings.append(Finding(f"package {name}", False, "not installed", f"pip install '{requirement}'"))
    return findings


def _sqlite() -> Finding:
    is_new = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    return Finding("SQLite", is_new, sqlite3.sqlite_version, "needs SQLite 3.35 or newer")


def _unix_sockets() -> Finding:
    with tempfile.TemporaryDirectory(prefix="arena-doctor-") as folder:
        path = str(Path(folder) / "referee1" / "socket")
        Path(path).parent.mkdir()
        try:
            with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
                server.bind(path)
                server.listen()
                client.connect(path)
        except OSError as error:
            return Finding("unix sockets", False, f"{path}: {error}", "set TMPDIR to a short path on a local disk")
    return Finding("unix sockets", True, f"work below {tempfile.gettempdir()}")


def _user() -> Finding:
    uid = os.getuid()
    found = "root: every bot gets a uid of its own" if uid == 0 else f"uid {uid}: bots share it, in user namespaces"
    return Finding("user", True, found, is_needed=False)


def _bubblewrap() -> Finding:
    path = bubblewrap.program()
    if not path:
        return Finding("bubblewrap", False, "not installed", "run scripts/install_debian_packages.sh", False)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return Finding("bubblewrap", True, f"{said.removeprefix('bubblewrap ')} at {path}", is_needed=False)


def _lend_advice() -> str:
    return "optional; docs/howto/host_bots_safely.md says how to lend one"


def _sandbox(detection: Detection) -> list[Finding]:
    findings = [
        Finding(f"sandbox level {level}", not reason, reason or "works", is_needed=False)
        for level, reason in detection.reasons.items()
        if level is not Level.NONE
    ]
    advice = "submitted bots are refused; run scripts/install_debian_packages.sh"
    found = f"{detection.level} in force"
    return [*findings, Finding("sandbox", detection.level.holds_strangers, found, advice)]


def _bot_imports(level: Level) -> Finding:
    """Import in the sandbox what a Python bot imports."""
    python = str(Path(sys.executable))
    with launch(level, [python, "-c", BOT_IMPORTS], Path("/usr"), runtime_environment(level), Limits()) as ready:
        done = subprocess.run(
            ready.argv, env=dict(ready.environment), cwd=ready.directory, pass_fds=ready.descriptors,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        ready.tidy()
    if done.returncode == 0:
        return Finding("Python bots", True, f"import the stubs and grpc {done.stdout.strip()} in the sandbox")
    said = done.stderr.strip().splitlines()
    return Finding("Python bots", False, said[-1] if said else f"exit code {done.returncode}", "cannot start here")


def _descriptors() -> Finding:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return Finding("open files", soft >= 1024, f"{soft} of {hard}", "ulimit -n 4096 for large tournaments", False)


def _runtimes() -> list[Finding]:
    findings = []
    for name in RUNTIMES:
        path = shutil.which(name, path=runtime_environment(detect().level)["PATH"])
        findings.append(Finding(f"bots in {name}", path is not None, path or "not installed", is_needed=False))
    return findings

"""arena doctor: check what this machine offers and what is missing."""

from __future__ import annotations

import os
import platform
import re
import resource
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from arena.bots.scratch import scratch_folder
from arena.cli.options import json_option
from arena.cli.output import print_json
from arena.sandbox import bubblewrap, cgroups, landlock, seccomp
from arena.sandbox.levels import Detection, Level, Limits, detect, launch, runtime_environment
from referee.games import GAMES, families
from referee.native import RunsAs, running

OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 35)  # RETURNING and upserts as used by the store
BOT_IMPORTS = "import grpc, google.protobuf; from referee.v1 import play_pb2, play_pb2_grpc; print(grpc.__version__)"
LEND_ADVICE = "optional, recommended for untrusted bots: see docs/howto/host_bots_safely.md"
LANGUAGES = {"Node.js": "node", "C++": "g++", "Go": "go", "Java": "java", "Rust": "cargo"}
SWITCHES = {  # kernel switches, each with the value that keeps ordinary users from creating namespaces
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
    "user.max_user_namespaces": ("0", "15000"),
}


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One check: whether it passed, what was found, and what to do if it failed."""

    name: str
    is_good: bool
    found: str
    advice: str = ""
    is_needed: bool = True
    fix: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether a required part failed its check."""
        return self.is_needed and not self.is_good


@click.command("doctor")
@json_option
def command(as_json: bool) -> int:
    """Check this machine: what works, what is missing, how to fix it.

    The exit code is 1 when a required part is missing.

    \b
    Example: arena doctor --json
    """
    findings = examine()
    detection = detect()
    fix = one_command(findings)
    missing = [finding.name for finding in findings if finding.is_missing]
    if as_json:
        report = {
            "sandbox": detection.level,
            "holds_untrusted_bots": detection.level.holds_untrusted_bots,
            "why_not": {level: reason for level, reason in detection.reasons.items() if reason},
            "findings": findings,
            "fix": fix,
        }
        print_json(report)
    else:
        for finding in findings:
            state = "ok" if finding.is_good else "MISSING" if finding.is_needed else "-"
            advice = f"; {finding.advice}" if finding.advice and not finding.is_good else ""
            click.echo(f"{state:8}{finding.name}: {finding.found}{advice}")
        advice = f" To fix it:\n    {fix}" if fix else ""
        click.echo(f"Missing: {', '.join(missing)}.{advice}" if missing else "All required parts are present.")
    return int(bool(missing))


def one_command(findings: Sequence[DoctorFinding]) -> str:
    """Return one shell line that installs the missing required parts, as far as a command can."""
    return " && ".join(dict.fromkeys(finding.fix for finding in findings if finding.is_missing and finding.fix))


def examine() -> list[DoctorFinding]:
    """Run every check, in the order in which a newcomer would fix the findings."""
    detection = detect()
    interpreter = f"{platform.python_implementation()} {platform.python_version()} at {sys.executable}"
    has_sqlite = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    uid = os.getuid()
    user = "root: every bot gets its own uid" if uid == 0 else f"uid {uid}: bots share it, in user namespaces"
    landlock_fault = landlock.missing() or detection.reasons.get(Level.LANDLOCK, "")
    return [
        DoctorFinding("Python", sys.version_info >= OLDEST_PYTHON, interpreter, "needs Python 3.11 or newer"),
        *_packages(),
        DoctorFinding("SQLite", has_sqlite, sqlite3.sqlite_version, "needs SQLite 3.35 or newer"),
        _unix_sockets(),
        DoctorFinding("open files", soft >= 1024, f"{soft} of {hard}", "ulimit -n 4096 for large tournaments", False),
        DoctorFinding("games", True, _games()),
        DoctorFinding(
            "rules and referee", running() is RunsAs.COMPILED, running().value, "make fast compiles them", False
        ),
        DoctorFinding("user", True, user, is_needed=False),
        _bubblewrap(),
        DoctorFinding(
            "system call filter", seccomp.is_supported(), platform.machine(), "supports x86_64 and aarch64", False
        ),
        DoctorFinding("Landlock", not landlock_fault, landlock_fault or "works", is_needed=False),
        DoctorFinding("control group", not cgroups.missing(), cgroups.missing() or "works", LEND_ADVICE, False),
        _sandbox(detection),
        _python_bots(detection.level),
        _languages(detection.level),
    ]


def _games() -> str:
    """Return all installed games, a family in a word."""
    known = families()
    apart = {slug for slugs in known.values() for slug in slugs}
    named = [slug for slug in GAMES if slug not in apart]
    return ", ".join([*named, *(f"{name}_… ({len(slugs)})" for name, slugs in known.items())])


def _packages() -> list[DoctorFinding]:
    there = []
    findings = []
    for requirement in requires("meistersinger") or []:
        if ";" in requirement:
            continue  # belongs to an optional extra
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        try:
            there.append(version(name))
        except PackageNotFoundError:
            fix = f"{shlex.quote(sys.executable)} -m pip install {shlex.quote(requirement)}"
            findings.append(DoctorFinding(f"package {name}", False, "not installed", fix=fix))
    return [DoctorFinding("packages", not findings, f"{len(there)} installed", is_needed=False), *findings]


def _unix_sockets() -> DoctorFinding:
    with scratch_folder() as folder:
        path = str(folder / "referee1" / "socket")
        Path(path).parent.mkdir()
        try:
            with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
                server.bind(path)
                server.listen()
                client.connect(path)
        except OSError as error:
            advice = "set TMPDIR to a short path on a local disk"
            return DoctorFinding("unix sockets", False, f"{path}: {error}", advice)
    return DoctorFinding("unix sockets", True, f"work below {tempfile.gettempdir()}")


def _bubblewrap() -> DoctorFinding:
    path = bubblewrap.program()
    if not path:
        return DoctorFinding("bubblewrap", False, "not installed", is_needed=False)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return DoctorFinding("bubblewrap", True, f"{said.removeprefix('bubblewrap ')} at {path}", is_needed=False)


def _sandbox(detection: Detection) -> DoctorFinding:
    found = f"{detection.level} in force"
    if detection.level.holds_untrusted_bots:
        return DoctorFinding("sandbox", True, found)
    reasons = [detection.reasons[Level.DEFAULT]]
    if detection.level is Level.NONE:
        reasons.append(f"landlock: {detection.reasons[Level.LANDLOCK]}")
    advice = f"submitted bots are refused ({'; '.join(reasons)})"
    return DoctorFinding("sandbox", False, found, advice, fix=_way_to_a_sandbox())


def _way_to_a_sandbox() -> str:
    """Return the command that makes bubblewrap work, if there is one."""
    as_root = "" if os.getuid() == 0 else "sudo "
    steps = []
    packages = [] if bubblewrap.program() else ["bubblewrap"]
    if not all(os.access(f"/usr/bin/{program}", os.X_OK) for program in ("prlimit", "setpriv")):
        packages.append("util-linux")
    installer = next((tool for tool in ("apt-get", "dnf", "zypper") if shutil.which(tool)), "")
    if packages and installer:
        steps.append(f"{as_root}{installer} install -y {' '.join(packages)}")
    for name, (closed, is_open) in SWITCHES.items():
        switch = Path("/proc/sys") / name.replace(".", "/")
        if os.getuid() != 0 and switch.is_file() and switch.read_text().strip() == closed:
            steps.append(f"{as_root}sysctl {name}={is_open}")
    return " && ".join(steps)


def _python_bots(level: Level) -> DoctorFinding:
    """Import a Python bot's imports inside the sandbox."""
    command = [str(Path(sys.executable)), "-c", BOT_IMPORTS]
    with launch(level, command, Path("/usr"), runtime_environment(level), Limits()) as ready:
        done = subprocess.run(
            ready.argv, env=dict(ready.environment), cwd=ready.directory, pass_fds=ready.descriptors,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        ready.tidy()
    if done.returncode == 0:
        return DoctorFinding("Python bots", True, f"import the stubs and grpc {done.stdout.strip()} in the sandbox")
    *_, last = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return DoctorFinding("Python bots", False, last, "cannot start here")


def _languages(level: Level) -> DoctorFinding:
    path = runtime_environment(level)["PATH"]
    there = [language for language, program in LANGUAGES.items() if shutil.which(program, path=path)]
    away = [language for language in LANGUAGES if language not in there]
    found = ", ".join(["Python", *there]) + (f"; not installed: {', '.join(away)}" if away else "")
    return DoctorFinding("bots in", True, found, is_needed=False)

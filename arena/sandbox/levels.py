"""The sandbox of hosted bots: which levels this machine supports, and how a command is started in one.

A ladder of levels, each probed by running a program in it; the first that works is in force:

full      default, with kernel accounting of a bot's memory, processes and CPU time as a whole (cgroup)
default   bubblewrap: no network, read-only system, nobody else's files or processes; limits on each process; seccomp
landlock  Landlock and seccomp instead of bubblewrap: protects against accidents, not fit for untrusted bots
none      a plain process
"""

from __future__ import annotations

import functools
import json
import os
import resource
import secrets
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from arena.sandbox import bubblewrap, cgroups, landlock, runtimes, seccomp
from referee.logs import log
from referee.mistakes import UserError

FIRST_UID = 1_900_000_000  # above the ranges of people, services and containers, below two to the 31st
UIDS = 1 << 27
PROBE_SECONDS = 60  # ample even for a busy machine
TIDY_ATTEMPTS, TIDY_SECONDS = 100, 0.01  # the kernel takes a moment to see that a group is empty


class Level(StrEnum):
    """How a bot is confined; stored with every match."""

    FULL = "full"
    DEFAULT = "default"
    LANDLOCK = "landlock"
    NONE = "none"

    @property
    def holds_untrusted_bots(self) -> bool:
        """Return whether untrusted bots may run in it."""
        return self in (Level.FULL, Level.DEFAULT)


class SandboxPolicy(StrEnum):
    """The operator's choice."""

    AUTO = "auto"  # the best available: for the operator's own bots
    REQUIRED = "required"  # at least a level fit for untrusted bots
    OFF = "off"  # no sandbox


class SandboxError(UserError):
    """The requested sandbox is not available; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a sandboxed program."""

    memory_mb: int = 512  # each process, and all of them together
    address_space_gb: int = 32  # one process; unused mappings still cost the kernel page tables
    processes: int = 128  # threads count
    open_files: int = 256
    file_mb: int = 64  # one file
    tmp_mb: int = 64  # all files in /tmp
    cpu_seconds: int = 86_400  # one process in its whole life: stops runaways, not thinkers
    processors: float = 1.0


@dataclass(frozen=True, slots=True)
class Launch:
    """A command ready to start: close it once the process has started, and tidy up once it has ended."""

    level: Level
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    directory: Path
    limits: Limits
    descriptors: tuple[int, ...] = ()
    groups: tuple[Path, ...] = ()

    @property
    def is_boxed(self) -> bool:
        """Return whether a process namespace holds everything that the command starts."""
        return self.level in (Level.FULL, Level.DEFAULT)

    def __enter__(self) -> Launch:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)

    def hold(self, pid: int) -> None:
        """Bound the first process of a namespace too: a bot of the same uid could make it work for itself."""
        for number, value in _each_process(self.limits).items():
            with suppress(OSError):
                resource.prlimit(pid, number, (value, value))

    def tidy(self) -> bool:
        """Remove the cgroups of a process that has ended; False if it is too early."""
        return cgroups.close(self.groups)


@dataclass(frozen=True, slots=True)
class Detection:
    """The level in force, and for each level why it does not work here; an empty reason means that it does."""

    level: Level
    reasons: Mapping[Level, str] = field(default_factory=dict)


@functools.cache
def detect() -> Detection:
    """Probe the ladder from the top, once per process."""
    reasons: dict[Level, str] = {}
    for level in (Level.FULL, Level.DEFAULT, Level.LANDLOCK):
        reasons[level] = _probe(level)
        if not reasons[level]:
            return Detection(level, reasons)
    return Detection(Level.NONE, {**reasons, Level.NONE: ""})


def choose(policy: SandboxPolicy) -> Level:
    """Return the level for a policy; a SandboxError if untrusted bots need a level that does not work here."""
    if policy is SandboxPolicy.OFF:
        return Level.NONE
    level = detect().level
    if policy is SandboxPolicy.REQUIRED and not level.holds_untrusted_bots:
        reason = detect().reasons[Level.DEFAULT]
        raise SandboxError(f"sandbox: no level fit for untrusted bots works here: {reason}; see arena doctor")
    if level is Level.NONE:
        _say_unconfined()
    return level


@functools.cache
def _say_unconfined() -> None:
    reason = detect().reasons[Level.LANDLOCK]
    log.error("sandbox.unavailable", reason=reason, advice="bots run as plain processes; see arena doctor")


def launch(
    level: Level,
    command: Sequence[str],
    directory: Path,
    environment: Mapping[str, str],
    limits: Limits,
    *,
    sockets: Path | None = None,
    scratch: str | None = None,
    listening: Path | None = None,
) -> Launch:
    """Start a command in a sandbox of this level.

    It runs in `directory`, which is read-only; it can reach the sockets in `sockets`; `scratch` names another
    writable directory, empty and as large as its /tmp; in `listening` it may create its own sockets.
    """
    # Random, so that two arenas on one machine need not coordinate.
    uid = FIRST_UID + secrets.randbelow(UIDS) if os.getuid() == 0 and level is not Level.NONE else None
    if uid is not None and sockets is not None:
        _open_to_bots(sockets)
    if uid is not None and listening is not None:
        os.chmod(listening, 0o733)  # not listable: its own sockets are found by name
    argv = tuple(command)
    descriptors: tuple[int, ...] = ()
    groups: tuple[Path, ...] = ()
    if level is not Level.NONE:
        # Where bots share the operator's uid and namespace, the kernel would also count the operator's other processes.
        counts_processes = level is not Level.LANDLOCK or uid is not None
        argv = (*_limit(limits, () if counts_processes else ("nproc",)), *argv)
    if level is Level.FULL:
        groups = cgroups.open_group(limits.memory_mb, limits.processes, limits.processors)
    if level in (Level.FULL, Level.DEFAULT):
        argv, descriptors = bubblewrap.wrap(argv, uid, directory, sockets, scratch, limits.tmp_mb)
    elif level is Level.LANDLOCK:
        order = _landlock_order(uid, directory, sockets, scratch, listening)
        argv = (sys.executable, "-I", "-S", landlock.__file__, order, *argv)
    return Launch(level, cgroups.enter(groups, argv), environment, directory, limits, descriptors, groups)


def runtime_environment(level: Level) -> dict[str, str]:
    """Return the environment in which a program finds the installed languages at a level."""
    if level in (Level.FULL, Level.DEFAULT):
        variables = {"HOME": "/tmp", "TMPDIR": "/tmp"}
        outside = runtimes.python_view().search
        if outside:
            variables["PYTHONPATH"] = os.pathsep.join(map(str, outside))
    else:
        variables = {}
    return {"PATH": os.pathsep.join(search_path(level)), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", **variables}


def search_path(level: Level) -> tuple[str, ...]:
    """Return the directories in which a command's name is looked up at a level."""
    if level is not Level.NONE:
        return runtimes.search_path()
    return (str(Path(sys.executable).parent), *os.environ.get("PATH", os.defpath).split(os.pathsep))


def sockets_seen(level: Level, sockets: Path) -> Path:
    """Return the path under which a bot at a level sees its referee's socket directory."""
    return Path(bubblewrap.SOCKETS) if level in (Level.FULL, Level.DEFAULT) else sockets


def _each_process(limits: Limits) -> dict[int, int]:
    return {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_DATA: limits.memory_mb << 20,
        resource.RLIMIT_AS: limits.address_space_gb << 30,
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_FSIZE: limits.file_mb << 20,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_MEMLOCK: 1 << 16,
        resource.RLIMIT_MSGQUEUE: 0,
    }


def _limit(limits: Limits, but: Collection[str] = ()) -> tuple[str, ...]:
    """Return the command that bounds each process, except for some limits."""
    names = ("core", "data", "as", "nproc", "nofile", "fsize", "cpu", "memlock", "msgqueue")
    values = zip(names, _each_process(limits).values(), strict=True)
    return ("/usr/bin/prlimit", *(f"--{name}={value}" for name, value in values if name not in but), "--")


def _open_to_bots(sockets: Path) -> None:
    """Let unprivileged uids reach the sockets in a directory, once they see it at all."""
    os.chmod(sockets, sockets.stat().st_mode | 0o011)
    for file in sockets.iterdir():
        with suppress(FileNotFoundError):
            if file.is_socket():
                os.chmod(file, 0o666)


def _landlock_order(
    uid: int | None, directory: Path, sockets: Path | None, scratch: str | None, listening: Path | None
) -> str:
    readable = ["/usr", *runtimes.SYSTEM, *(f"/etc/{name}" for name in runtimes.SETTINGS), "/proc", str(directory)]
    readable += [str(path) for path in (*runtimes.python_view().paths, *runtimes.read_too(), *filter(None, [sockets]))]
    writable = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", *([scratch] if scratch else [])]
    rules = seccomp.assemble(inet=False, own_session=False) if seccomp.is_supported() else b""
    own = [] if listening is None else [str(listening)]
    return json.dumps(
        {"uid": uid, "readable": readable, "writable": writable, "listening": own, "seccomp": rules.hex()}
    )


# What a probe checks from inside; the answer is judged outside.
PROBE = """
import json, os
def can_write(path):
    try:
        with open(path, "w"):
            return True
    except OSError:
        return False
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(json.dumps({
    "seccomp": status["Seccomp"].strip(), "no_new_privs": status["NoNewPrivs"].strip(),
    "caps": int(status["CapEff"], 16), "pid": os.getpid(),
    "writes": [path for path in %r if can_write(path + "/probe")],
    "network": sorted(line.split(":")[0].strip() for line in open("/proc/self/net/dev") if ":" in line)
        if os.access("/proc/self/net/dev", os.R_OK) else [],
}))
"""


def _probe(level: Level) -> str:
    """Run a program at a level and return why the level does not work; empty if it does."""
    missing = _missing_parts(level)
    if missing:
        return missing
    program = PROBE % (["/", "/dev", "/bot", "/usr", os.path.expanduser("~")],)
    try:
        command = [sys.executable, "-I", "-S", "-c", program]
        with launch(level, command, Path("/usr"), runtime_environment(level), Limits()) as started:
            try:
                done = subprocess.run(
                    started.argv, env=dict(started.environment), cwd=started.directory, pass_fds=started.descriptors,
                    stdin=subprocess.DEVNULL, capture_output=True, timeout=PROBE_SECONDS, check=False,
                )  # fmt: skip
            finally:
                for _ in range(TIDY_ATTEMPTS):
                    if started.tidy():
                        break
                    time.sleep(TIDY_SECONDS)
    except subprocess.TimeoutExpired:
        return f"a probe did not end within {PROBE_SECONDS} seconds"
    except OSError as error:
        return str(error)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return said[-1] if said else f"a probe ended with exit code {done.returncode}"
    return _judge(level, json.loads(done.stdout))


def _judge(level: Level, seen: Mapping[str, object]) -> str:
    if seen["seccomp"] != "2" or seen["no_new_privs"] != "1":
        return "the system call filter is not in force"
    if seen["caps"] != 0 or seen["writes"]:
        return f"a probe kept rights: capabilities {seen['caps']}, writes to {seen['writes']}"
    if level is not Level.LANDLOCK and (seen["network"] not in ([], ["lo"]) or int(str(seen["pid"])) > 10):
        return "a probe saw the network or other processes"
    return ""


def _missing_parts(level: Level) -> str:
    if sys.platform != "linux" or not seccomp.is_supported():
        return "needs Linux on x86_64 or aarch64"
    for program in ("prlimit", "setpriv"):
        if not os.access(f"/usr/bin/{program}", os.X_OK):
            return f"needs /usr/bin/{program} (package util-linux)"
    if level is Level.LANDLOCK:
        return landlock.missing()
    if not bubblewrap.program():
        return "needs bwrap (package bubblewrap)"
    return cgroups.missing() if level is Level.FULL else ""

"""Control groups: the kernel's accounting of a whole bot's memory, processes and CPU time, delegated by the operator.

ARENA_CGROUP names a directory delegated to the arena, with the memory and pids controllers enabled (cgroup
v2, such as a systemd unit with Delegate=yes), or one per controller joined by colons (cgroup v1). We never search
for one: a group found by chance belongs to somebody else.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from arena.sandbox.owners import is_left

VARIABLE = "ARENA_CGROUP"
PERIOD_US = 100_000
GROUP = "bot-"  # followed by the process that created it


def lent() -> tuple[Path, ...]:
    """Return the directories that the operator has delegated."""
    return tuple(Path(folder) for folder in os.environ.get(VARIABLE, "").split(os.pathsep) if folder.startswith("/"))


def missing() -> str:
    """Return why no group can be created; empty if one can."""
    if not lent():
        return f"no control group was delegated to the arena ({VARIABLE} is not set)"
    try:
        groups = open_group(64, 16, 1.0)
    except OSError as error:
        return f"{VARIABLE}: {error}"
    try:
        if not any((group / name).exists() for group in groups for name in ("memory.max", "memory.limit_in_bytes")):
            return f"{VARIABLE}: its groups have no memory controller"
    finally:
        close(groups)
    return ""


def open_group(memory_mb: int, processes: int, processors: float) -> tuple[Path, ...]:
    """Create a group for one bot under every delegated directory, with its limits."""
    quota = str(int(PERIOD_US * processors))
    wanted = {
        "memory.max": str(memory_mb << 20), "memory.swap.max": "0", "memory.oom.group": "1",
        "memory.limit_in_bytes": str(memory_mb << 20), "pids.max": str(processes),
        "cpu.max": f"{quota} {PERIOD_US}", "cpu.cfs_quota_us": quota,
    }  # fmt: skip
    name = f"{GROUP}{os.getpid()}-{secrets.token_hex(8)}"
    groups: list[Path] = []
    try:
        for folder in lent():
            group = folder / name
            group.mkdir()
            groups.append(group)
            for file, value in wanted.items():
                if (group / file).exists():
                    (group / file).write_text(value)
    except OSError:
        close(groups)
        raise
    return tuple(groups)


def sweep() -> None:
    """Remove the groups of killed arenas; one with a process in it stays."""
    for folder in lent():
        for group in folder.glob(f"{GROUP}[0-9]*-*"):
            if is_left(group.name, GROUP):
                close([group])


def enter(groups: Sequence[Path], command: Sequence[str]) -> tuple[str, ...]:
    """Return a command that moves itself into groups before it execs the given command."""
    if not groups:
        return tuple(command)
    script = 'while [ "$1" != -- ]; do echo 0 > "$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'
    return ("/bin/sh", "-c", script, "sh", *map(str, groups), "--", *command)


def hold_everything(groups: Sequence[Path]) -> bool:
    """Return whether the kernel enforces a bot's memory, process and CPU limits in these groups."""
    controls = (("memory.max", "memory.limit_in_bytes"), ("pids.max",), ("cpu.max", "cpu.cfs_quota_us"))
    return all(any((group / name).exists() for group in groups for name in names) for names in controls)


def killed_for_others(groups: Sequence[Path]) -> bool:
    """Return whether the kernel killed a process of these groups for lack of memory outside their own limits.

    Every kill is counted in the victim's group, and a kill caused by a group's own limit is also counted in that
    group: the first without the second means that a parent group, or the whole machine, had no memory left.
    """
    for group in groups:
        kills = _counters(group / "memory.events") or _counters(group / "memory.oom_control")
        if kills.get("oom_kill", 0):
            own = kills.get("oom", 0) if "oom" in kills else _number(group / "memory.failcnt")
            return own == 0
    return False


def _counters(file: Path) -> dict[str, int]:
    with suppress(OSError, ValueError):
        return {name: int(count) for name, _, count in (line.partition(" ") for line in file.read_text().splitlines())}
    return {}


def _number(file: Path) -> int:
    with suppress(OSError, ValueError):
        return int(file.read_text())
    return 1  # unknown: it may have been its own limit


def close(groups: Sequence[Path]) -> bool:
    """Remove groups whose processes have ended; False while the kernel still holds one."""
    for group in groups:
        try:
            group.rmdir()
        except FileNotFoundError:
            continue
        except OSError:
            return False
    return True

"""Control groups made for a test and lent to the arena, so that it has sandbox level `full`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.sandbox import cgroups
from arena.sandbox.levels import Level, detect
from tests import parts


@contextmanager
def lent_groups(memory_mb: int | None = None) -> Iterator[list[Path]]:
    """Lend groups, with so much memory in all if that is said; the first of them counts memory."""
    groups = _made()
    for name in ("memory.max", "memory.limit_in_bytes"):
        if memory_mb is not None and (groups[0] / name).exists():
            (groups[0] / name).write_text(str(memory_mb << 20))
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv(cgroups.VARIABLE, ":".join(map(str, groups)))
        detect.cache_clear()
        try:
            assert detect().level is Level.FULL, detect().reasons[Level.FULL]
            yield groups
            assert [left for group in groups for left in group.glob("bot-*")] == []
        finally:
            detect.cache_clear()
            for group in groups:
                group.rmdir()


def _made() -> list[Path]:
    """Make groups below our own (version 1), or below the root (version 2); skip the test where neither can be had."""
    own = dict(line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines())
    places = [Path(f"/sys/fs/cgroup/{name}{own[name]}") for name in ("memory", "pids") if name in own]
    controls = Path("/sys/fs/cgroup/cgroup.subtree_control")
    if not places and controls.is_file() and {"memory", "pids"} <= set(controls.read_text().split()):
        places = [controls.parent]
    groups = [place / f"arena-test-{os.getpid()}" for place in places]
    try:
        for group in groups:
            group.mkdir()
            if (group / "cgroup.subtree_control").exists():
                (group / "cgroup.subtree_control").write_text("+memory +pids")
    except OSError as error:
        parts.lack("control-groups", f"none can be made here: {error}")
    if not groups:
        parts.lack("control-groups", "no memory controller is there")
    return groups

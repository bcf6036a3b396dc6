"""Reads what is not its own: the database, other bots, tickets, other processes, anything in the usual places."""

import os
from contextlib import suppress
from pathlib import Path

from player import TARGETS, attempt, begin, play

begin()
for path in TARGETS["files"]:
    attempt(f"read {path}", lambda path=path: Path(path).read_bytes())
    attempt(f"list {Path(path).parent}", lambda path=path: os.listdir(Path(path).parent))
attempt("read through a link of its own", lambda: Path("peek").read_bytes())
for path in (
    "/etc/shadow",
    f"{TARGETS['home']}/.bashrc",
    "/home",
    "/var",
    "/run",
    "/sys",
    "/boot",
    "/mnt",
    "/proc/kcore",
):
    attempt(f"read {path}", lambda path=path: os.listdir(path) if Path(path).is_dir() else Path(path).read_bytes())
tickets = []
for environment in Path("/proc").glob("[0-9]*/environ"):
    with suppress(OSError):
        tickets += [word for word in environment.read_bytes().split(b"\0") if word.startswith(b"ARENA_TICKET=")]
mine = f"ARENA_TICKET={os.environ['ARENA_TICKET']}".encode()
print("BREACH: tickets" if set(tickets) != {mine} else "held: sees its own ticket alone", flush=True)
print(f"sees {sorted(path.name for path in Path('/proc').glob('[0-9]*'))} {sorted(os.listdir('/referee'))}", flush=True)
print(f"open files {sorted(os.listdir('/proc/self/fd'))}", flush=True)
play()

"""The identity of a worker, and whether it may play for an arena."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import Any

from arena.sandbox.levels import Level
from referee.games import GAMES, families, family
from referee.hooks import HookError
from referee.software import SOFTWARE

METRIC = "arena"  # the metric by which a worker describes itself to its scheduler
CORES = "cores"  # the resource of which a chunk takes its share
CORES_PER_CHUNK = 0.5  # one chunk is played while the next waits
CHUNKS_AHEAD = 4  # beyond the workers' room: an adaptive cluster grows only if it sees a need
CLASS = "class-"  # followed by the class of a worker's machine
LADDER = (Level.NONE, Level.LANDLOCK, Level.DEFAULT, Level.FULL)
CALIBRATION_SECONDS = 0.1


def games_here() -> dict[str, int]:
    """Return the rules version of every installed game; of a family its own, so that none of its games is made.

    What cannot be loaded is not here.
    """
    known: dict[str, tuple[str, ...]] = families()
    here: dict[str, int] = {}
    apart = {slug for slugs in known.values() for slug in slugs}
    for slug in GAMES:
        with suppress(HookError):
            here |= {} if slug in apart else {slug: GAMES[slug].rules_version}
    return here | {f"{name}_*": family(name).rules_version for name in known}


def fitness(level: Level) -> str:
    """Return the resource that a worker must offer to play for this build of the arena at a sandbox level.

    Dask gives a task only to workers with its resources, so a worker of another build never gets ours.
    """
    games = sha256(json.dumps(games_here(), sort_keys=True).encode()).hexdigest()[:16]
    return f"arena-{SOFTWARE}-{games}-{level}"


def offered(level: Level, cores: int, machine_class: str) -> dict[str, float]:
    """Return the resources of a worker: its cores, its class, and every level up to that of its sandbox."""
    levels = LADDER[: LADDER.index(level) + 1]
    classes = {f"{CLASS}{machine_class}": 1e9} if machine_class else {}
    return {CORES: float(cores), **{fitness(each): 1e9 for each in levels}, **classes}


def wanted(level: Level, machine_class: str) -> dict[str, float]:
    """Return the resources that a chunk takes."""
    classes = {f"{CLASS}{machine_class}": 1.0} if machine_class else {}
    return {CORES: CORES_PER_CHUNK, fitness(level): 1.0, **classes}


def chunks_for(cores: int) -> int:
    """Return the number of chunks to send to workers with this number of cores."""
    return int(cores / CORES_PER_CHUNK) + CHUNKS_AHEAD


def calibrate() -> int:
    """Return thousands of hashes per CPU second, to tell machines apart."""
    start, thousands = time.process_time(), 0
    while (taken := time.process_time() - start) < CALIBRATION_SECONDS:
        for _ in range(1000):
            blake2b(b"x" * 64).digest()
        thousands += 1
    return round(thousands / taken)


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """A worker as the scheduler knows it."""

    address: str
    name: str
    software: str
    games: Mapping[str, int]
    sandbox: str
    cores: int
    machine_class: str
    calibration: int
    playing: tuple[tuple[str, int], ...]
    """The tournaments it plays now, with their number of matches."""
    waiting: int
    """Matches that wait for a core."""
    played: int
    """Matches since it began."""
    per_second: float
    """Matches per second over the last minute."""
    cached_bots: int
    is_arena: bool
    """False for one not started by `arena worker`."""


def worker_info(address: str, plain: Mapping[str, Any]) -> WorkerInfo:
    """Return a worker from a scheduler's description."""
    about = plain.get("metrics", {}).get(METRIC) or {}
    return WorkerInfo(
        address=address,
        name=str(plain.get("name", address)),
        software=str(about.get("software", "")),
        games=about.get("games", {}),
        sandbox=str(about.get("sandbox", "")),
        cores=int(about.get("cores", 0)),
        machine_class=str(about.get("class", "")),
        calibration=int(about.get("calibration", 0)),
        playing=tuple(sorted((str(name), int(count)) for name, count in about.get("playing", {}).items())),
        waiting=int(about.get("waiting", 0)),
        played=int(about.get("played", 0)),
        per_second=float(about.get("per_second", 0.0)),
        cached_bots=int(about.get("cached_bots", 0)),
        is_arena=bool(about),
    )


def unfit(worker: WorkerInfo, level: Level, machine_class: str = "") -> str:
    """Return why a worker may not play for this build of the arena; empty if it may."""
    if not worker.is_arena:
        return "it was not started by arena worker"
    if worker.software != SOFTWARE:
        return f"its software is {worker.software}, ours {SOFTWARE}"
    here = games_here()
    for slug in sorted({*here, *worker.games}):
        if here.get(slug) != worker.games.get(slug):
            theirs, ours = worker.games.get(slug, "none"), here.get(slug, "none")
            return f"its rules version of {slug} is {theirs}, ours {ours}"
    if LADDER.index(Level(worker.sandbox)) < LADDER.index(level):
        return f"its sandbox is {worker.sandbox}, weaker than {level}"
    if machine_class and worker.machine_class != machine_class:
        return f"its class is {worker.machine_class or 'none'}, not {machine_class}"
    return ""

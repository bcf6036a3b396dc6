"""Who a worker is, and whether it may play for an arena."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b, sha256
from typing import Any

from arena.sandbox.levels import Level
from referee.games import GAMES
from referee.software import SOFTWARE

METRIC = "arena"  # the name under which a worker tells its scheduler about itself
CORES = "cores"  # of a worker, of which a chunk takes its share
CORES_PER_CHUNK = 0.5  # one chunk is played while the next is at hand
CHUNKS_AHEAD = 4  # beyond those that all workers have room for: an adaptive cluster grows only if it sees a need
CLASS = "class-"  # followed by the class of machines that a worker says it is of
LADDER = (Level.NONE, Level.LANDLOCK, Level.DEFAULT, Level.FULL)
CALIBRATION_SECONDS = 0.1


def games_here() -> dict[str, int]:
    """Return the version of the rules of every game that is installed."""
    return {slug: game.rules_version for slug, game in GAMES.items()}


def fitness(level: Level) -> str:
    """Return the name of what a worker must offer to play for an arena of this make at this level of its sandbox.

    Dask gives a task only to workers that have its resources: one of another make never gets ours.
    """
    games = sha256(json.dumps(games_here(), sort_keys=True).encode()).hexdigest()[:16]
    return f"arena-{SOFTWARE}-{games}-{level}"


def offered(level: Level, cores: int, machine_class: str) -> dict[str, float]:
    """Return what a worker offers: its cores, its class, and every level that its own sandbox is no weaker than."""
    levels = LADDER[: LADDER.index(level) + 1]
    classes = {f"{CLASS}{machine_class}": 1e9} if machine_class else {}
    return {CORES: float(cores), **{fitness(each): 1e9 for each in levels}, **classes}


def wanted(level: Level, machine_class: str) -> dict[str, float]:
    """Return what a chunk takes of a worker."""
    classes = {f"{CLASS}{machine_class}": 1.0} if machine_class else {}
    return {CORES: CORES_PER_CHUNK, fitness(level): 1.0, **classes}


def chunks_for(cores: int) -> int:
    """Return how many chunks are sent to workers with so many cores, if there are as many."""
    return int(cores / CORES_PER_CHUNK) + CHUNKS_AHEAD


def calibrate() -> int:
    """Return how many thousand hashes a second of processor time does here: to tell machines apart."""
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
    """Tournaments whose matches it plays right now, and how many of each."""
    waiting: int
    """Matches that it was given and that wait for a core."""
    played: int
    """Matches since it began."""
    per_second: float
    """Matches a second over the last minute."""
    cached_bots: int
    is_arena: bool
    """False for one that was started by something else than `arena worker`."""


def worker_info(address: str, plain: Mapping[str, Any]) -> WorkerInfo:
    """Read what a scheduler says of a worker."""
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
    """Say why a worker may not play for an arena of this make; nothing if it may."""
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

"""T2: whose luck a game is: its own, or that of its block."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol

from arena.sandbox.levels import Level
from referee.order import OrderError

MAX_SEED = (1 << 63) - 1
MAX_GAME_ATTEMPTS = 2
"""T10.6: a void match is replayed once, with a new seed."""


class BotMemory(Protocol):
    """What decides whether a bot could remember."""

    @property
    def label(self) -> str:
        """Its name and version."""

    @property
    def is_remote(self) -> bool:
        """Whether it runs elsewhere."""


class Luck(StrEnum):
    """T2.4 to T2.6: which games have the same seed."""

    OWN = "own"
    """Every game has a seed of its own."""
    SHARED = "shared"
    """All games of a block have the seed of the first: only for bots that cannot remember it."""
    TABLE = "table"
    """The rule of tournaments whose settings name none: one seed for all games of a table."""


ON_OFFER = (Luck.OWN, Luck.SHARED)
"""What a tournament file may ask for."""


def luck_of(settings: Mapping[str, Any]) -> Luck:
    """T2.6: the luck of a tournament by its settings in the ledger."""
    return Luck(settings.get("luck", Luck.TABLE))


def game_seed(luck: Luck, seed: int | str, round_number: int, table: int, game: int, attempt: int = 0) -> int:
    """T2.4 to T2.6: the seed of one game: 8 bytes of SHA-256; one that is played again gets another.

    In a test its id stands for the seed of the tournament (T19.7).
    """
    match luck:
        case Luck.OWN:
            parts = [seed, round_number, table, game, attempt]
        case Luck.SHARED:
            parts = [seed, round_number, table, 0, attempt]
        case Luck.TABLE:
            parts = [seed, round_number, table, *([attempt] if attempt else [])]
    text = "|".join(map(str, ("seed", *parts)))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def table_seeds(luck: Luck, seed: int | str, round_number: int, table: int, games: int) -> tuple[int, ...] | int:
    """T13.3: the seeds of a table as the entry of its round has them: one for every game, or by the old rule one."""
    if luck is Luck.TABLE:
        return game_seed(luck, seed, round_number, table, 0)
    return tuple(game_seed(luck, seed, round_number, table, game) for game in range(games))


def check_shared_luck(bots: Iterable[BotMemory], level: Level) -> None:
    """T2.5: refuse shared luck, with one line that names a bot which could remember a game of the same seed.

    A sandbox fit for untrusted bots gives every process file systems in memory that end with it, and nothing else to
    write to; in any other a bot may find on disk what it wrote a game ago.
    """
    for bot in bots:
        if bot.is_remote:
            raise OrderError(f"luck: 'shared' is refused: {bot.label} runs elsewhere and may remember its games")
        if not level.holds_untrusted_bots:
            raise OrderError(
                f"luck: 'shared' is refused: {bot.label} would run at sandbox level {level}, where it may leave itself"
                f" notes; expected {' or '.join(each for each in Level if each.holds_untrusted_bots)}, see arena doctor"
            )


def single_match_seed(seed: int, number: int) -> int:
    """Return the seed of a match outside tournaments: the same whether it is played or simulated."""
    return int.from_bytes(sha256(f"play|{seed}|{number}".encode()).digest()[:8], "big") >> 1


def single_match_id(slug: str, options: Mapping[str, object], labels: Sequence[str], seed: int, number: int) -> str:
    """Return the name of a match outside tournaments, made of everything that decides it."""
    name = json.dumps(["play", slug, options, list(labels), seed, number], sort_keys=True)
    return sha256(name.encode()).hexdigest()[:32]

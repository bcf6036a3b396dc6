"""T2: how games are seeded: each on its own, or all games of a block alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256

from arena.bots.directory import Bot
from arena.sandbox.levels import Level
from referee.order import OrderError

MAX_SEED = (1 << 63) - 1
MAX_GIVEN_SEED = (1 << 256) - 1
"""Of a tournament."""
SAFE_SEED = 1 << 128
"""T2.8: a smaller seed can be found by trying."""
UNDRAWN = -1
"""T2.9: stands for the seed of a tournament whose nonces are not all entered."""
MAX_GAME_ATTEMPTS = 2
"""T10.6: a void match is replayed once, with a new seed."""


class Seeding(StrEnum):
    """T2.4, T2.5: which games have the same seed."""

    PER_GAME = "per_game"
    """Every game has its own seed."""
    PER_BLOCK = "per_block"
    """All games of a block have the seed of the first: only for bots that cannot remember it."""


def game_seed(seeding: Seeding, seed: int | str, round_number: int, table: int, game: int, attempt: int = 0) -> int:
    """T2.4, T2.5: the seed of one game: 8 bytes of SHA-256; a replayed game gets another.

    In a test its id stands for the seed of the tournament (T19.7).
    """
    text = f"seed|{seed}|{round_number}|{table}|{0 if seeding is Seeding.PER_BLOCK else game}|{attempt}"
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def table_seeds(seeding: Seeding, seed: int | str, round_number: int, table: int, games: int) -> tuple[int, ...]:
    """T13.3: the seeds of a table as the entry of its round has them, one for every game."""
    return tuple(game_seed(seeding, seed, round_number, table, game) for game in range(games))


def check_shared_seeds(bots: Iterable[Bot], level: Level) -> None:
    """T2.5: refuse per-block seeding, with one line that names a bot that could remember a game with the same seed.

    A sandbox fit for untrusted bots gives every process file systems in memory that end with it, and nothing else to
    write to; in any other a bot may find notes on disk from an earlier game.
    """
    for bot in bots:
        if bot.is_remote:
            raise OrderError(f"seeding: 'per_block' is refused: {bot.label} runs elsewhere and may remember its games")
        if not level.holds_untrusted_bots:
            fit = " or ".join(each for each in Level if each.holds_untrusted_bots)
            raise OrderError(
                f"seeding: 'per_block' is refused: {bot.label} would run at sandbox level {level}, where its notes may"
                f" survive a game; expected {fit}, see arena doctor"
            )


def single_match_seed(seed: int, number: int) -> int:
    """Return the seed of a match outside tournaments: the same whether it is played or simulated."""
    return int.from_bytes(sha256(f"play|{seed}|{number}".encode()).digest()[:8], "big") >> 1


def seed_number(number: int, seats: int, *, shares_openings: bool) -> int:
    """T2.10: return by which number a match outside tournaments is seeded, where rotating seats share an opening."""
    return number // seats if shares_openings else number


def single_match_id(slug: str, options: Mapping[str, object], labels: Sequence[str], seed: int, number: int) -> str:
    """Return the name of a match outside tournaments, derived from everything that decides it."""
    name = json.dumps(["play", slug, options, list(labels), seed, number], sort_keys=True)
    return sha256(name.encode()).hexdigest()[:32]

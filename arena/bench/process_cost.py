"""CPU time and memory of processes, and matches played to measure them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.directory import BotDirectory
from arena.bots.process import BotProcess
from arena.play.local_pool import LocalPool
from arena.play.match_to_play import MatchToPlay
from arena.play.pool import play_all
from referee.games import GAMES
from referee.order import MatchResult, TimeControl

UNHURRIED = TimeControl(bank_ms=600_000, cap_ms=60_000)


def cpu_seconds(pid: int) -> float:
    """Return the user and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def bots_cpu_seconds(pool: LocalPool) -> float:
    """Return the CPU time of all bot processes of a pool so far."""
    clients = [client.process for referee in pool.referees for client in referee.clients.values()]
    return sum(cpu_seconds(bot.process.pid) for bot in clients if isinstance(bot, BotProcess))


@dataclass
class Played:
    """Decisions of completed matches, those asked of bots, and the records."""

    decisions: int = 0
    asked: int = 0
    records: list[str] = field(default_factory=list)


async def play_matches(pool: LocalPool, slug: str, bot: BotDirectory, numbers: range, concurrency: int = 1) -> Played:
    """Play the matches with these numbers as seeds, one bot in every seat."""
    seats, played = (bot,) * GAMES[slug].preferred_seats, Played()

    async def report(_number: int, result: MatchResult) -> None:
        assert result.ending == "completed", result.reason
        played.decisions += result.decisions
        played.asked += result.asked
        played.records.append(result.record)

    matches = [MatchToPlay(f"{number:032x}", slug, {}, seats, number, UNHURRIED) for number in numbers]
    await play_all(pool, matches, concurrency, report)
    return played

"""Is one bot better than another, and how long did it think? Judges a tournament of a database, block by block.

python -m tests.sample_bots.verdict baselines.db search-greedy-norenberc search greedy
"""

from __future__ import annotations

import sqlite3
import sys
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from arena.store.database import open_store
from ratings.points.points import UNIT
from ratings.sequential.compare import one_look_los
from referee.record import How, read


def blocks_of(database: str, tournament: str, better: str, other: str) -> tuple[list[list[int]], int, int]:
    """Return the differences of points in every block, and comparisons won and made.

    A bot stands for all its entries. A match counts the mean over all pairs.
    """
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT match.round, match.table_number, match.id, bot_version.name, seat.place"
            " FROM match JOIN seat ON seat.match = match.id JOIN bot_version ON bot_version.label = seat.bot"
            " WHERE match.tournament = ? AND seat.place IS NOT NULL"
            " ORDER BY match.round, match.table_number, match.game_number, seat.seat",
            (tournament,),
        ).fetchall()
    matches: dict[tuple[int, int], dict[str, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
    for number, table, match, name, place in rows:
        matches[number, table][match].append((name, place))
    blocks, won, made = [], 0, 0
    for block in matches.values():
        differences = []
        for places in block.values():
            pairs = [
                (theirs > ours) - (theirs < ours)
                for name, ours in places
                if is_entry(name, better)
                for rival, theirs in places
                if is_entry(rival, other)
            ]
            won, made = won + pairs.count(1), made + len(pairs)
            differences.append(round(UNIT * fmean(pairs)))
        blocks.append(differences)
    return blocks, won, made


def is_entry(name: str, bot: str) -> bool:
    """Return whether a name is a bot's: `search` stands for search, search-2, search-200ms and so on."""
    return name.split("-")[0] == bot


def times_of(database: str, tournament: str, bot: str) -> tuple[list[float], int]:
    """Return the bot's own time for each of its answers in milliseconds, the shortest first, and how many it missed."""
    store = open_store(Path(database))
    times, missed = [], 0
    for match in store.matches.of(tournament):
        seats = {seat for seat, label in enumerate(match.seating) if is_entry(label.split("@")[0], bot)}
        for choice in (choice for step in read(store.matches.record(match.id)).steps for choice in step.choices):
            if choice.seat in seats and choice.how is How.ANSWERED:
                times.append(choice.times_us[0] / 1000)
            elif choice.seat in seats and choice.how is not How.FORCED:
                missed += 1
    store.close()
    return sorted(times), missed


def main() -> None:
    """Print how often the first bot came before the second, and how long the first one thought."""
    database, tournament, better, other = sys.argv[1:]
    blocks, won, made = blocks_of(database, tournament, better, other)
    means = [fmean(block) / UNIT for block in blocks]
    sys.stdout.write(
        f"{tournament}: {better} before {other} in {won} of {made} comparisons, {len(blocks)} blocks, "
        f"mean difference {fmean(means):+.3f}, LOS (one look) {one_look_los(means):.4f}\n"
    )
    times, missed = times_of(database, tournament, better)
    median, most, nearly_all = (times[int(share * len(times))] for share in (0.5, 0.95, 0.99))
    sys.stdout.write(
        f"{tournament}: {better} answered {len(times)} prompts and missed {missed}: half within {median:.0f} ms, "
        f"95 % within {most:.0f} ms, 99 % within {nearly_all:.0f} ms, the longest {times[-1]:.0f} ms\n"
    )


if __name__ == "__main__":
    main()

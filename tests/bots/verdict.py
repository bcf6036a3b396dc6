"""Is one bot better than another? Judges the matches of a tournament file's database, block by block.

python -m tests.bots.verdict baselines.db search-greedy-norenberc search greedy
"""

from __future__ import annotations

import sqlite3
import sys
from collections import defaultdict
from statistics import fmean

from ratings.compare import compare
from ratings.points import UNIT


def blocks_of(database: str, tournament: str, better: str, other: str) -> tuple[list[list[int]], int, int, int]:
    """Return the differences of points in every block, the table size, and comparisons won and made.

    A bot stands for all its entries: `search` for search, search-2 and so on. A match counts the mean over all pairs.
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
    blocks, won, made, seats = [], 0, 0, 0
    for block in matches.values():
        differences = []
        for places in block.values():
            seats = len(places)
            pairs = [
                (theirs > ours) - (theirs < ours)
                for name, ours in places
                if name.split("-")[0] == better
                for rival, theirs in places
                if rival.split("-")[0] == other
            ]
            won, made = won + pairs.count(1), made + len(pairs)
            differences.append(round(UNIT * fmean(pairs)))
        blocks.append(differences)
    return blocks, seats, won, made


def main() -> None:
    """Print how often the first bot came before the second, with the interval over blocks."""
    database, tournament, better, other = sys.argv[1:]
    blocks, seats, won, made = blocks_of(database, tournament, better, other)
    result = compare(blocks, seats)
    sys.stdout.write(
        f"{tournament}: {better} before {other} in {won} of {made} comparisons, {result.blocks} blocks, "
        f"mean difference {result.mean:+.3f}, likelihood of superiority {result.los:.4f}\n"
    )


if __name__ == "__main__":
    main()

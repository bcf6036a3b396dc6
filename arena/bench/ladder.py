"""The ladders that are shipped, and climbs compared with full tournaments.

    python -m arena.bench.ladder                               # all rungs, and a bot climbs in every game
    python -m arena.bench.ladder --game norenberc --noise 40   # another bot and another game

A full tournament is round robins of the rungs and one bot more, in every seat, until 1,200 games are played; its rating
is that of the fit of record, on the scale of the rungs. The bot, greedy with slips that no rung has, then climbs in at
most a fifth of its games. Everything is played in this process, as in `arena simulate`; CPU is that of both.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import combinations, count
from statistics import fmean

from arena.bench.figures import Figures, Targets, save
from arena.bots.policies import policy_of_rung
from arena.bots.rungs import Ladder, Rung, games_with_ladder, read_ladder, rung_bot, written_out
from arena.ladder.climbing import Climb, climb_to_the_end
from arena.ladder.playing import InProcessTables
from ratings.fit.fit import fit
from ratings.points.result import Result
from referee.games import GAMES

NOISE = (22,)
GAMES_IN_FULL = 1_200
SHARE = 5
"""A climb takes at most this part of the games of the tournament."""
WITHIN = 60
"""Elo between the rating of a climb and that of the tournament."""
SEED, CLIMBING_SEED = 31, 32


def rungs_of(ladders: list[Ladder]) -> Figures:
    """Return every rung of the ladders, strongest first."""
    figures = Figures(("Game", "Level", "Bot", "Elo above random", "± 95 %", "Above the next", "Better than the next"))
    for ladder in ladders:
        words = {claim.above: claim.word for claim in ladder.claims}
        ratings = {rung.level: rung.measured.rating for rung in ladder.rungs if rung.measured is not None}
        for rung in reversed(ladder.rungs):
            if rung.measured is not None:
                claimed = "claimed" if words.get(rung.level) == ">" else None
                rating, below = rung.measured.rating, ratings.get(rung.level - 1)
                above = None if below is None else rating - below
                title = GAMES[ladder.game].title
                figures.add(title, rung.level, rung.name, rating, rung.measured.error, above, claimed)
    return figures


def tables_of(ladder: Ladder, newcomer: Rung, seed: int) -> InProcessTables:
    """Return the tables of a bot and the rungs: entry 0 is the bot, and the others are the levels."""
    rungs = [policy_of_rung(rung_bot(ladder, rung.level)) for rung in ladder.rungs]
    return InProcessTables(GAMES[ladder.game], policy_of_rung(written_out(newcomer)), rungs, seed)


def seats_of(ladder: Ladder) -> int:
    """Return the table size of a ladder."""
    return ladder.seats or GAMES[ladder.game].preferred_seats


def in_full(ladder: Ladder, newcomer: Rung) -> tuple[float, int]:
    """Return the rating of a bot after a full tournament with the rungs, on their scale, and the games played."""
    tables, results = tables_of(ladder, newcomer, SEED), []
    for robin in count():
        for number, entries in enumerate(combinations(range(len(ladder.rungs) + 1), seats_of(ladder))):
            for places in tables.play_entries(entries):
                results.append(Result(tuple(map(str, entries)), tuple(places), ("full", robin, number)))
        if len(results) >= GAMES_IN_FULL:
            break
    fitted = fit(results)
    of_rungs = fmean(fitted.rating(str(rung.level)) for rung in ladder.rungs)
    return fitted.rating("0") - of_rungs + fmean(ladder.ratings), len(results)


def by_climb(ladder: Ladder, newcomer: Rung, max_games: int) -> Climb:
    """Return the climb of a bot."""
    climb = Climb(ladder.ratings, seats_of(ladder), max_games=max_games)
    return climb_to_the_end(climb, tables_of(ladder, newcomer, CLIMBING_SEED).play)


def main() -> int:
    """Print the tables; exit code 1 if a climb is too far off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=games_with_ladder(), action="append")
    parser.add_argument("--noise", type=int, nargs="*", default=list(NOISE), help="slips of the bots that climb")
    arguments = parser.parse_args()
    rungs = rungs_of([read_ladder(game) for game in games_with_ladder()])
    targets = Targets()
    climbs = Figures(("Game", "Bot", "Games", "Elo above random", "Games of the climb", "Its Elo", "Off", "CPU"))
    for ladder in map(read_ladder, arguments.game or games_with_ladder()):
        for noise in arguments.noise:
            start = time.process_time()
            newcomer = Rung(0, "noisy", f"noisy-{noise}", ("--noise", str(noise)), None)
            rating, games = in_full(ladder, newcomer)
            climb = by_climb(ladder, newcomer, games // SHARE)
            off = round(climb.rating - rating)
            cpu = f"{time.process_time() - start:.0f} s"
            climbs.add(GAMES[ladder.game].title, newcomer.name, games, round(rating), climb.games, round(climb.rating),
                       off, cpu)  # fmt: skip
            said = f"{ladder.game}, {newcomer.name}: {off:+} Elo, expected within {WITHIN}"
            targets.check(said, abs(off) <= WITHIN)
    save("ladder", {"rungs": rungs, "climbs": climbs})
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())

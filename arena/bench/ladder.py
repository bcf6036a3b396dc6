"""The ladders that are shipped, and climbs compared with full tournaments.

    python -m arena.bench.ladder                                 # all rungs, and two bots climb in Norenberc
    python -m arena.bench.ladder --game furstenfeld --noise 30   # other bots and another game

A full tournament is the calibration of the ladder with one bot more, by processes, until every neighbour is decided.
The bot, greedy with slips that no rung has, then climbs in at most a fifth of its games.
"""

from __future__ import annotations

import argparse
import sys
from statistics import fmean

import trio

from arena.bench.figures import Figures, Targets, save
from arena.bots.directory import BotDirectory
from arena.bots.rungs import Ladder, Rung, games_with_ladder, read_ladder, rung_bot, written_out
from arena.bots.scratch import scratch_folder
from arena.cli.watching import Silent
from arena.fitting.fits import read_fit
from arena.ladder.calibration import UNHURRIED, calibration_plan
from arena.ladder.climbing import Climb
from arena.ladder.playing import ProcessTables
from arena.play.local_pool import open_pool
from arena.play.runner import Runner
from arena.store.database import open_store
from arena.store.local_time import local_now
from arena.store.rows import TournamentState
from referee.games import GAMES
from referee.logs import configure_logs
from referee.order import TimeControl, find_game

NOISE = (40, 65)
WITHIN = 60
"""Elo between the rating of a climb and that of the tournament."""
SHARE = 5
"""A climb takes at most this part of the games of the tournament."""
SEED = 31


def rungs_of(ladders: list[Ladder]) -> Figures:
    """Return every rung of the ladders, strongest first."""
    figures = Figures(("Game", "Level", "Bot", "Elo above random", "± 95 %", "Better than the next"))
    for ladder in ladders:
        words = {claim.above: claim.word for claim in ladder.claims}
        for rung in reversed(ladder.rungs):
            if rung.measured is not None:
                claimed = "claimed" if words.get(rung.level) == ">" else None
                title = GAMES[ladder.game].title
                figures.add(title, rung.level, rung.name, rung.measured.rating, rung.measured.error, claimed)
    return figures


def in_full(ladder: Ladder, newcomer: BotDirectory) -> tuple[float, int]:
    """Return the rating of a bot after a full tournament with the rungs, on their scale, and the games played."""
    plan = calibration_plan(ladder, referees=1, newcomers=(newcomer,))
    with scratch_folder() as folder:
        store = open_store(folder / "full.db", create=True)
        runner = Runner(plan, store, Silent(), local_now)
        runner.enter()
        if trio.run(runner.run) is not TournamentState.FINISHED:
            sys.exit("stopped")
        (game,) = plan.settings.games
        fitted = read_fit(store, None, game.pool, always=True)
        games = len(store.matches.of(plan.name))
        store.close()
    assert fitted is not None
    found = {line.bot: line.rating for line in fitted.ratings}
    of_rungs = [found[bot.label] for bot in plan.bots if bot.label != newcomer.label]
    return found[newcomer.label] - fmean(of_rungs) + fmean(ladder.ratings), games


def by_climb(ladder: Ladder, newcomer: BotDirectory, max_games: int) -> Climb:
    """Return the climb of a bot by processes."""
    game = find_game(ladder.game)
    climb = Climb(ladder.ratings, ladder.seats or game.preferred_seats, max_games=max_games)
    rungs = [rung_bot(ladder, rung.level) for rung in ladder.rungs]
    tables = ProcessTables(game, newcomer, rungs, SEED, TimeControl.from_plain(UNHURRIED))

    async def play() -> None:
        async with open_pool(referees=1, log_level="error") as pool:
            await tables.climb(climb, pool, lambda _climb: None)

    trio.run(play)
    return climb


def main() -> int:
    """Print the tables; exit code 1 if a climb is too far off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="norenberc", choices=games_with_ladder())
    parser.add_argument("--noise", type=int, nargs="*", default=list(NOISE), help="slips of the bots that climb")
    arguments = parser.parse_args()
    configure_logs("error", as_json=False)
    rungs = rungs_of([read_ladder(game) for game in games_with_ladder()])
    ladder, targets = read_ladder(arguments.game), Targets()
    climbs = Figures(("Game", "Bot", "Games", "Elo above random", "Games of the climb", "Its Elo", "Off"))
    for noise in arguments.noise:
        newcomer = written_out(Rung(0, "noisy", f"noisy-{noise}", ("--noise", str(noise)), None))
        rating, games = in_full(ladder, newcomer)
        climb = by_climb(ladder, newcomer, games // SHARE)
        off = round(climb.rating - rating)
        climbs.add(
            GAMES[ladder.game].title,
            newcomer.manifest.name,
            games,
            round(rating),
            climb.games,
            round(climb.rating),
            off,
        )
        targets.check(f"{newcomer.manifest.name}: {off:+} Elo, expected within {WITHIN}", abs(off) <= WITHIN)
    save("ladder", {"rungs": rungs, "climbs": climbs})
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())

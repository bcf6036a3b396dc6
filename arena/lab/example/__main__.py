"""Train a policy and export it as a bot: `python -m arena.lab.example GAME DIR`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from arena.lab.bot_directory import TEMPLATE
from arena.lab.bot_directory import write_bot as write_directory
from arena.lab.example.network import Network
from arena.lab.example.training import LIBRARIES, BatchPlayer, installed, train
from referee.game import check_seats
from referee.games import GAMES
from referee.policy import at_random

INTERRUPTED = 130  # the shell's code for a program ended by Ctrl-C


def main(words: list[str]) -> int:
    """Train, evaluate against random play, and write the bot; wrong input ends with one line and exit code 2."""
    arguments = read(words)
    try:
        return learn(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED


def learn(arguments: argparse.Namespace) -> int:
    """Train as the command line asks."""
    game = GAMES[arguments.game]
    trained = train(
        game.slug, arguments.seats, matches=arguments.matches, seconds=arguments.seconds,
        processes=arguments.processes, seed=arguments.seed, tell=_say, library=arguments.library,
    )  # fmt: skip
    player = BatchPlayer(game.slug, arguments.seats)
    share = player.share_of_wins(trained.network.choose, arguments.evaluate)
    luck = player.share_of_wins(at_random, arguments.evaluate)
    _say(f"trained on {trained.matches} matches in {trained.seconds:.0f} s, with {arguments.library}")
    _say(f"wins {100 * share:.0f} % of {arguments.evaluate} new matches against random; random wins {100 * luck:.0f} %")
    write_bot(arguments.directory, game.slug, trained.network)
    _say(f"the bot is in {arguments.directory}; next: arena check-bot {arguments.directory}")
    return 0


def write_bot(directory: Path, slug: str, network: Network) -> None:
    """Write a bot directory: manifest, program, policy and weights."""
    write_directory(directory, slug, policy=TEMPLATE / "policy.py")
    network.save(directory / "weights.npz")


def read(words: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m arena.lab.example", description=__doc__)
    parser.add_argument("game", choices=list(GAMES), metavar="GAME")
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--seats", type=int, default=2, help="seats at the table it trains at")
    parser.add_argument("--seconds", type=float, default=120, help="how long to train")
    parser.add_argument("--matches", type=int, default=1_000_000, help="maximum number of training matches")
    parser.add_argument("--processes", type=int, default=2, help="number of processes")
    parser.add_argument("--seed", type=int, default=1, help="the seed of everything")
    parser.add_argument("--evaluate", type=int, default=200, help="number of evaluation matches")
    here = installed()
    parser.add_argument(
        "--library", choices=LIBRARIES, default=here[0], help=f"the learning library (default: {here[0]})"
    )
    arguments = parser.parse_args(words)
    if arguments.library not in here:
        parser.error(f"--library: {arguments.library} is not installed here: pip install 'meistersinger[torch]'")
    try:
        check_seats(GAMES[arguments.game], arguments.seats)
    except ValueError as error:
        parser.error(str(error))
    if min(arguments.matches, arguments.processes, arguments.evaluate) < 1:
        parser.error("--matches, --processes and --evaluate: expected 1 or more")
    try:
        arguments.directory.mkdir(parents=True, exist_ok=True)  # now, so that a long training is not lost at the end
        if any(arguments.directory.iterdir()):
            parser.error(f"DIR: {arguments.directory} is not empty")
    except OSError as error:
        parser.error(f"DIR: cannot write {arguments.directory}: {error.strerror}")
    return arguments


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

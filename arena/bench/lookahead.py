"""Playouts per CPU-second through the look-ahead helper, compared with the same playouts in one Python process.

Both play out the same determinizations at random. Through the helper, its own CPU time and that of its client
count. They take turns, so that a busy machine slows both alike; the share is the median over the turns.

arena bench lookahead
"""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from arena.bench.figures import Figures, Targets, save
from arena.bench.process_cost import cpu_seconds
from referee.codec import codec_for
from referee.game import AnyGame
from referee.games import BUILT_IN, GAMES
from referee.lookahead.v1 import lookahead_pb2 as pb
from referee.lookahead.v1.lookahead_pb2_grpc import LookaheadServiceStub
from referee.playout import play, random_chooser
from referee.rng import seeded
from referee.v1 import play_pb2

FLOOR = 0.8
TURNS = 5
SECONDS = 0.6  # of one turn
BATCH = 256  # playouts in one call
STEPS = 20  # of the match before the prompt
STAY_SECONDS = 3_600  # that the bot stays beside its helper; the benchmark ends it earlier


def prompt(game: AnyGame) -> tuple[Any, int]:
    """Return the view of the seat that is asked in the middle of a random match."""
    state = game.new(game.preferred_seats, 1, game.options({}))
    steps = play(game, state, random_chooser(seeded(1)))
    for _ in range(STEPS):
        next(steps)
    seat = game.pending(state)[0].seat
    return game.observe(state, seat), seat


def in_process(game: AnyGame, view: Any, seat: int) -> Callable[[int], None]:
    """Return a function that plays worlds out as a bot in Python would."""
    worlds = [game.imagine(view, seat, seeded(number)) for number in range(BATCH)]
    dice = seeded(2)

    def run(count: int) -> None:
        for number in range(count):
            state = game.clone(worlds[number])
            for _ in play(game, state, random_chooser(dice)):
                pass
            game.outcome(state)

    return run


def through_helper(game: AnyGame, view: Any, seat: int, rules: Any) -> Callable[[int], None]:
    """Return a function that has the helper play worlds out, in one call."""
    codec = codec_for(game)
    seen = play_pb2.GamePrompt(**{game.slug: codec.prompt(view=codec.view.encode(view))})
    made = rules.Imagine(pb.ImagineRequest(game=game.slug, seat=seat, prompt=seen, count=BATCH, seed=1))
    starts = [pb.Move(world=world) for world in made.worlds]

    def run(count: int) -> None:
        rules.Playout(pb.PlayoutRequest(starts=starts[:count], seed=2, only_totals=True))

    return run


def rate(run: Callable[[int], None], count: int, helper: int) -> float:
    """Return playouts per CPU-second of this process and the helper together."""
    started = time.process_time() + cpu_seconds(helper)
    run(count)
    return count / (time.process_time() + cpu_seconds(helper) - started)


def main() -> int:
    """Measure every game, print a line for each, and fail where the helper is too slow."""
    figures, targets = Figures(("Game", "In Python", "Through the helper", "Share")), Targets()
    slowest = math.inf
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        socket = Path(folder) / "s"
        bot = [sys.executable, "-c", f"import time; print(flush=True); time.sleep({STAY_SECONDS})"]
        command = [sys.executable, "-m", "referee.lookahead", "--beside", str(socket), "--", *bot]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        helper = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())
        try:
            with grpc.insecure_channel(f"unix:{socket}") as channel:
                rules = LookaheadServiceStub(channel)
                for slug in BUILT_IN:
                    game = GAMES[slug]
                    view, seat = prompt(game)
                    here, there = in_process(game, view, seat), through_helper(game, view, seat, rules)
                    count = max(4, min(BATCH, round(SECONDS * rate(here, 8, helper))))
                    there(4)
                    pairs = [(rate(here, count, helper), rate(there, count, helper)) for _ in range(TURNS)]
                    share = statistics.median(through / alone for alone, through in pairs)
                    alone, through = (statistics.median(each) for each in zip(*pairs, strict=True))
                    figures.add(game.title, round(alone), round(through), f"{100 * share:.0f} %")
                    slowest = min(slowest, share)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
    save("lookahead", {"playouts": figures})
    targets.check(f"smallest share {slowest:.0%} (at least {FLOOR:.0%})", slowest >= FLOOR)
    return targets.exit_code


if __name__ == "__main__":
    sys.exit(main())

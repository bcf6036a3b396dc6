"""Any UCI engine as a bot: `python3 -m arena_chess.uci_bot --limit nodes=1000 --set Hash=16 -- stockfish`.

`python -m arena_chess new-bot` writes a bot directory that runs it. The engine's own score goes with its move, so that
the rules can adjudicate by agreed scores (C8). When the engine ends or breaks the protocol, the bot ends with one line.
"""

from __future__ import annotations

import argparse
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena_chess.engine import Engine, EngineError, Said, find_engine
from arena_chess.game import GAME
from arena_chess.limits import Clocks, Limits, read_limits
from arena_chess.values import ClaimDraw, Move

from referee.answering import answer_prompts
from referee.answering import run as run_bot
from referee.codec import codec_for
from referee.mistakes import UserError
from referee.v1 import play_pb2 as pb

CAPS = 20
"""Engines spend about a twentieth of their clock on a move: with this number of caps on it, they stay below one."""

MARGIN_MS = 30
"""How long before the deadline an engine is told to stop: what the answer needs on its way."""


def clocks_of(prompt: pb.Prompt, match: pb.MatchStarted) -> Clocks:
    """Return every seat's clock; under a decision cap no bank counts as more than CAPS of them."""
    white, black = (clock.ToMilliseconds() for clock in prompt.clocks)
    cap = match.time_control.decision_cap.ToMilliseconds()
    most = CAPS * cap if cap else max(white, black)
    return Clocks((min(white, most), min(black, most)), match.time_control.increment.ToMilliseconds())


def position_of(view: Any) -> str:
    """Return a position with its history, as UCI tells it."""
    return f"position fen {view.start}" + (f" moves {' '.join(view.moves)}" if view.moves else "")


def chosen(options: Any, said: Said) -> Move | ClaimDraw:
    """Return the engine's move with its score, or a claim of a draw where it sees no advantage for itself."""
    claims = [option.claim_draw.uci for option in options if option.WhichOneof("kind") == "claim_draw"]
    if claims and (said.score is None or said.score <= 0) and (claims[0] == "" or said.move in claims):
        return ClaimDraw(said.move if claims[0] else "")
    if said.move not in {option.move.uci for option in options if option.WhichOneof("kind") == "move"}:
        raise EngineError(f"the engine answered {said.move!r}, which is not a legal move")
    return Move(said.move, said.score)


def comment_of(said: Said) -> str:
    """Return what an engine said of its search, for people."""
    told = [f"{name} {value}" for name, value in (("depth", said.depth), ("nodes", said.nodes)) if value is not None]
    return ", ".join(told)


class Player:
    """Answers prompts by asking the engine."""

    def __init__(self, engine: Engine, limits: Limits) -> None:
        self.engine, self.limits, self.codec = engine, limits, codec_for(GAME)

    async def begin(self, _match: pb.MatchStarted) -> None:
        """Begin a match."""
        await self.engine.new_game()

    async def answer(self, prompt: pb.Prompt, match: pb.MatchStarted) -> pb.Answer:
        """Return the engine's answer."""
        began = time.monotonic_ns()
        packed = self.codec.prompt()
        if not prompt.game.plug_in.Unpack(packed):
            raise EngineError(f"{match.game}: this bot plays chess only")
        deadline_ms = prompt.deadline.ToMilliseconds()
        stop_after = max(1, deadline_ms - MARGIN_MS) / 1000 if deadline_ms else None
        words = self.limits.words(clocks_of(prompt, match))
        said = await self.engine.move(position_of(packed.view), words, stop_after)
        action = self.codec.action.encode(chosen(packed.options, said))
        answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, comment=comment_of(said))
        answer.action.plug_in.Pack(action)
        answer.thought.FromNanoseconds(time.monotonic_ns() - began)
        return answer


def check_file(program: str, expected: str) -> None:
    """Refuse an engine that is not the one whose bot this is: its version would be another's."""
    found = hash_of(program)
    if found != expected:
        raise EngineError(f"{program}: its SHA-256 is {found[:12]}…, not {expected[:12]}…; this is another engine")


def hash_of(program: str) -> str:
    """Return the SHA-256 of an engine's file."""
    return sha256(Path(find_engine(program)).read_bytes()).hexdigest()


async def run(engine: Engine, limits: Limits) -> None:
    """Start the engine and play, and end it however that ends."""
    try:
        await engine.start()
        player = Player(engine, limits)
        await answer_prompts(player.answer, begin=player.begin, games=[GAME.slug], concurrency=1)
    finally:
        await engine.stop()


def main() -> None:
    """Play; whatever ends the bot early is one line."""
    parser = argparse.ArgumentParser(prog="python3 -m arena_chess.uci_bot", description="Play chess by a UCI engine.")
    parser.add_argument("--limit", action="append", default=[], help="nodes=N, depth=N, movetime=MS or clock")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the engine")
    parser.add_argument("--sha256", default="", help="the SHA-256 that the engine's file must have")
    parser.add_argument("engine", nargs="+", help="the engine's program and its arguments, after --")
    told = parser.parse_args()
    try:
        if told.sha256:
            check_file(told.engine[0], told.sha256)
        run_bot(run(Engine(told.engine, told.set), read_limits(told.limit)))
    except (EngineError, UserError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

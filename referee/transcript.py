"""The prompts of whole matches, without a wire: a benchmark's baseline sends the same messages.

python -m referee.transcript norenberc 4 24   # game, seats, matches: JSON on standard output
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from dataclasses import dataclass

from referee.clock import StallMeter
from referee.games import GAMES
from referee.match import Chair, Match, OpenPrompt
from referee.order import Ending, MatchOrder, SeatOrder, told_id
from referee.rng import Rng, seeded
from referee.v1 import play_pb2 as pb

Transcript = tuple[list[str], list[list[tuple[int, str]]]]
"""The ids that the seats of a match are told and, for each of its steps, seat and prompt in base64."""


@dataclass
class ScriptedLink:
    """A link that answers at random without any wire and records its prompts."""

    bot: str
    steps: dict[int, list[tuple[int, str]]]
    rng: Rng

    def is_there(self) -> bool:
        """Always there."""
        return True

    async def arrived(self) -> None:
        """Always there."""

    async def absent(self) -> Ending:
        """Never absent."""
        raise AssertionError

    def join(self, seat: Chair) -> None:
        """Nothing to route."""

    def leave(self, seat: Chair) -> None:
        """Nothing to forget."""

    def ask(self, question: OpenPrompt) -> None:
        """Note the message and answer as soon as the loop turns."""
        match, seat = question.chair.match, question.chair.seat
        played = match.recorder.step + bool(match.unrecorded)
        self.steps.setdefault(played, []).append((seat, base64.b64encode(question.message).decode()))
        answer = pb.Answer(option_index=self.rng.index(len(question.options)))
        asyncio.get_running_loop().call_soon(match.answered, question, answer, match.meter.now())

    def withdraw(self, question: OpenPrompt) -> None:
        """Nothing to withdraw."""

    def tell(self, message: bytes) -> None:
        """Nobody to notify."""

    async def delivered(self) -> None:
        """Nothing is on its way."""


async def transcribe(slug: str, seats: int, number: int) -> Transcript:
    """Play one match without a wire and return its prompts, step by step."""
    steps: dict[int, list[tuple[int, str]]] = {}
    game = GAMES[slug]
    order = MatchOrder(f"{number:032x}", slug, {}, (SeatOrder("random", ""),) * seats, number)
    links = [ScriptedLink("random", steps, seeded(number * seats + seat)) for seat in range(seats)]
    await Match(order, game, game.options({}), links, StallMeter()).play()
    return [told_id(order.seed, order.match_id, seat) for seat in range(seats)], list(steps.values())


def main() -> None:
    """Write the requested matches."""
    slug, seats, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

    async def all_matches() -> list[Transcript]:
        return [await transcribe(slug, seats, number) for number in range(count)]

    json.dump(asyncio.run(all_matches()), sys.stdout)


if __name__ == "__main__":
    main()

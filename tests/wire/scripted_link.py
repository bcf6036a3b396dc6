"""Seats without a wire: links that answer by a script, when the test wants it, and keep what they were sent."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from referee.clock import StallMeter
from referee.game import AnyGame
from referee.match import Chair, Match, OpenPrompt
from referee.order import Ending, MatchOrder, MatchResult, SeatOrder, TimeControl
from referee.rng import seeded
from referee.v1 import play_pb2 as pb

Script = Callable[[OpenPrompt], pb.Answer | None]  # None: no answer
T = TypeVar("T")

RELAXED = TimeControl(bank_ms=60_000, increment_ms=0, cap_ms=10_000, strike_limit=2)


class InstantSelector(selectors.DefaultSelector):
    """Never waits: whatever an event loop would sleep is added to the clock instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now_ns = 1_000_000_000

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.now_ns += round(timeout * 1e9) + 1
        return ready


class InstantLoop(asyncio.SelectorEventLoop):
    """An event loop on a clock of its own, which runs only when there is nothing else to do."""

    def __init__(self) -> None:
        self.instant = InstantSelector()
        super().__init__(self.instant)

    def time(self) -> float:
        return self.instant.now_ns / 1e9

    def now_ns(self) -> int:
        return self.instant.now_ns

    def stall(self, nanoseconds: int) -> None:
        """Stall, like a process that gets no CPU."""
        self.instant.now_ns += nanoseconds


def run_instantly(play: Callable[[InstantLoop], Awaitable[T]]) -> T:
    """Run a coroutine on a mock clock, so that waiting costs nothing."""
    loop = InstantLoop()
    try:
        return loop.run_until_complete(play(loop))
    finally:
        loop.close()


@dataclass
class Mail:
    """What the links of one match have been asked at the same time; delivered in an order of the test's choosing."""

    order: Callable[[Sequence[int]], Sequence[int]] = lambda seats: seats
    waiting: dict[int, Callable[[], None]] = field(default_factory=dict)

    def post(self, seat: int, deliver: Callable[[], None]) -> None:
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self.deliver_all)
        self.waiting[seat] = deliver

    def deliver_all(self) -> None:
        posted, self.waiting = self.waiting, {}
        for seat in self.order(list(posted)):
            posted[seat]()


@dataclass(eq=False)
class ScriptedLink:
    """A link whose bot is a function."""

    script: Script
    mail: Mail
    bot: str = "scripted"
    is_present: bool = True
    prompts: list[pb.Prompt] = field(default_factory=list)
    told: list[pb.RefereeMessage] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)
    left: int = 0

    def is_there(self) -> bool:
        return self.is_present

    async def arrived(self) -> None:
        if not self.is_present:
            await asyncio.get_running_loop().create_future()

    async def absent(self) -> Ending:
        return Ending.FORFEIT_DISCONNECT

    def join(self, seat: Chair) -> None:
        self.chair = seat

    def leave(self, seat: Chair) -> None:
        self.left += 1

    def ask(self, question: OpenPrompt) -> None:
        self.prompts.append(pb.RefereeMessage.FromString(question.message).prompt)
        match = question.chair.match

        def deliver() -> None:
            answer = self.script(question)
            if answer is not None and question.chair.question is question:
                match.answered(question, answer, match.meter.now())

        self.mail.post(question.chair.seat, deliver)

    def withdraw(self, question: OpenPrompt) -> None:
        self.withdrawn.append(question.prompt_id)

    def tell(self, message: bytes) -> None:
        self.told.append(pb.RefereeMessage.FromString(message))

    async def delivered(self) -> None:
        pass

    def refusals(self) -> list[pb.Refused]:
        """Return what was refused, in order."""
        return [message.refused for message in self.told if message.WhichOneof("kind") == "refused"]


def random_script(seed: int) -> Script:
    """Return a bot that chooses among the options by its own seed, whatever the others do."""
    rng = seeded(seed)
    return lambda question: pb.Answer(option_index=rng.index(len(question.options)))


def silent(_question: OpenPrompt) -> None:
    """A bot that never answers."""


@dataclass
class Table:
    """A match with its links, after it was played."""

    match: Match
    links: list[ScriptedLink]
    result: MatchResult


def order_for(
    game: AnyGame, seats: int, seed: int, control: TimeControl = RELAXED, keys: Mapping[int, str] | None = None
) -> MatchOrder:
    """Return an order for scripted seats, some of which may sign."""
    seated = tuple(SeatOrder(f"bot{seat}", "", key=(keys or {}).get(seat, "")) for seat in range(seats))
    return MatchOrder("m", game.slug, {}, seated, seed, control)


def play_scripted(
    game: AnyGame,
    scripts: Sequence[Script],
    *,
    seed: int = 1,
    control: TimeControl = RELAXED,
    options: Mapping[str, object] | None = None,
    order: Callable[[Sequence[int]], Sequence[int]] = lambda seats: seats,
    missing: Sequence[int] = (),
    keys: Mapping[int, str] | None = None,
) -> Table:
    """Play one match on a mock clock, without processes and without a wire."""

    async def play(loop: InstantLoop) -> Table:
        meter = StallMeter(loop.now_ns)
        beat = loop.create_task(meter.run())
        mail = Mail(order)
        links = [ScriptedLink(script, mail, f"bot{seat}", seat not in missing) for seat, script in enumerate(scripts)]
        parsed: Any = game.options(options or {})
        match = Match(order_for(game, len(scripts), seed, control, keys), game, parsed, links, meter)
        result = await match.play()
        beat.cancel()
        return Table(match, links, result)

    return run_instantly(play)

"""A person at the terminal: a seat that is prompted in text and answers by number."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TextIO

import click
import grpc
import trio

from arena.bots.directory import Bot, RemoteBot
from arena.bots.process import KeptOutput
from arena.play.local_pool import start_here
from arena.play.pool import RunningBot
from arena.sandbox.levels import Level
from referee.codec import codec_for
from referee.games import GAMES
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

MAX_SHOWN = 30  # options; beyond that, filter them by a word
HELP = "Type the number of an option, a word to see the options with it, ? to see the board again, or quit."


class InputEndedError(Exception):
    """The input has ended, or the person quit."""


@dataclass(slots=True)
class Terminal:
    """The terminal that people share, one at a time."""

    people: int
    source: TextIO
    to_error: bool
    lock: threading.Lock = field(default_factory=threading.Lock)
    last: tuple[str, int] | None = None  # the seat shown last

    def say(self, text: str = "") -> None:
        """Print one or more lines."""
        click.echo(text, err=self.to_error)

    def ask(self, question: str) -> str:
        """Return a typed line; raise an InputEndedError at the end of input."""
        click.echo(question, nl=False, err=self.to_error)
        line = self.source.readline()
        if not line:
            self.say()
            raise InputEndedError("the input ended")
        if line.strip().lower() in ("quit", "exit"):
            raise InputEndedError("the player quit")
        return line.strip()

    def hand_over(self, who: tuple[str, int], name: str) -> None:
        """Hide a seat's cards from other people who share the screen."""
        if self.people > 1 and self.last != who:
            if self.last is not None:
                click.echo("\n" * 60, err=self.to_error)
            self.ask(f"{name}: press Enter when nobody else can see the screen. ")
        self.last = who

    def choose(self, prompt: pb.Prompt, match: pb.MatchStarted, name: str) -> int:
        """Show a prompt and return the chosen option."""
        game = GAMES[match.game]
        codec = codec_for(game)
        message = getattr(prompt.game, prompt.game.WhichOneof("game"))
        if prompt.game.HasField("plug_in"):
            message = codec.prompt()
            prompt.game.plug_in.Unpack(message)
        board = game.text_board(codec.view.decode(message.view))
        texts = [game.describe(codec.action.decode(option)) for option in message.options]
        self.hand_over((match.match_id, match.seat), name)
        self.say()
        self.say(board)
        for event in message.events:
            self.say(f"* {game.describe(codec.event.decode(event))}")
        self.say(f"\n{name} (seat {match.seat}), {prompt.kind} ({prompt.clause}):")
        self._list(texts, "")
        while True:
            typed = self.ask(f"Your choice, 1 to {len(texts)}: ")
            if typed.isascii() and typed.isdigit() and len(typed) < 9 and 1 <= int(typed) <= len(texts):
                return int(typed) - 1
            if typed == "?":
                self.say(board)
                self._list(texts, "")
            elif typed and not typed.lstrip("+-").isdigit():
                self._list(texts, typed)
            else:
                self.say(f"expected a number from 1 to {len(texts)}. {HELP}")

    def _list(self, texts: Sequence[str], word: str) -> None:
        found = [(number, text) for number, text in enumerate(texts, start=1) if word.lower() in text.lower()]
        for number, text in found[:MAX_SHOWN]:
            self.say(f"{number:4}  {text}")
        if not found:
            self.say(f"No option contains {word!r}. {HELP}")
        elif len(found) > MAX_SHOWN:
            self.say(f"      … and {len(found) - MAX_SHOWN} more. {HELP}")


class HumanSeat:
    """A person at one seat, which the pool treats like a bot: a thread that connects."""

    host_kill = ""

    def __init__(self, terminal: Terminal, name: str, address: str, ticket: str) -> None:
        self.output = KeptOutput()
        self._terminal = terminal
        self._name = name
        self._address = address
        self._ticket = ticket
        self._call: Any = None
        self._ended = trio.Event()
        self._detail = ""

    async def watch(self) -> str:
        """Play until the referee closes the session or the input ends."""
        try:
            # Abandoned at the end: a thread waiting for input cannot be woken.
            await trio.to_thread.run_sync(self._play, abandon_on_cancel=True)
        finally:
            self._ended.set()
        return self._detail

    async def settle(self) -> None:
        """Do nothing: there is nothing to wait for."""

    async def wait(self) -> None:
        """Wait for the end."""
        await self._ended.wait()

    async def stop(self) -> None:
        """Disconnect."""
        if self._call is not None:
            self._call.cancel()

    def _play(self) -> None:
        outbox: queue.SimpleQueue[pb.BotMessage | None] = queue.SimpleQueue()
        outbox.put(pb.BotMessage(hello=pb.Hello(ticket=self._ticket, protocol_version=1)))
        matches: dict[str, pb.MatchStarted] = {}

        def frames() -> Iterator[pb.PlayRequest]:
            while (message := outbox.get()) is not None:
                yield pb.PlayRequest(messages=[message])

        try:
            with grpc.insecure_channel(self._address) as channel:
                self._call = RefereeServiceStub(channel).Play(frames())
                for frame in self._call:
                    for message in frame.messages:
                        answer = self._heard(message, matches)
                        if answer is not None:
                            outbox.put(pb.BotMessage(answer=answer))
        except InputEndedError as ended:
            self._detail = str(ended)
            self.output.add(f"{ended}: the house plays on\n".encode())
        except grpc.RpcError:
            self._detail = "the referee hung up"
        finally:
            outbox.put(None)

    def _heard(self, message: pb.RefereeMessage, matches: dict[str, pb.MatchStarted]) -> pb.Answer | None:
        kind = message.WhichOneof("kind")
        terminal = self._terminal
        if kind == "match_started":
            matches[message.match_started.match_id] = message.match_started
        elif kind == "match_ended":
            matches.pop(message.match_ended.match_id, None)
        elif kind == "refused":
            with terminal.lock:
                terminal.say(f"{self._name}: refused: {message.refused.reason}")
        elif kind == "prompt":
            prompt = message.prompt
            with terminal.lock:
                index = terminal.choose(prompt, matches[prompt.match_id], self._name)
            return pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=index)
        return None


async def start(terminal: Terminal, bot: Bot, address: str, ticket: str, level: Level) -> RunningBot:
    """Start a bot, or sit a person down."""
    if isinstance(bot, RemoteBot):
        return HumanSeat(terminal, bot.manifest.name, address, ticket)
    return await start_here(bot, address, ticket, level)

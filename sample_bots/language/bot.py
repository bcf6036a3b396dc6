"""A bot that asks a language model: view, options and a short digest of the rules go to a chat-completions endpoint.

It needs the network, so it plays as a remote bot: `arena connect sample_bots/language --server …`. Its environment
names the endpoint and says how to ask: LANGUAGE_URL, LANGUAGE_MODEL, and those that `Settings` reads.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import grpc

# A bot runs in its own directory, so these are the files beside this one.
from asking import (  # type: ignore[import-not-found]
    LISTED,
    MAX_OPTIONS,
    MOVE_FORM,
    NUMBER_FORM,
    UNLISTED,
    Ask,
    Choice,
    choose,
    words,
)
from endpoint import Endpoint  # type: ignore[import-not-found]
from masking import Mask  # type: ignore[import-not-found]
from notation import move_reader, notation  # type: ignore[import-not-found]
from reading import number_reader  # type: ignore[import-not-found]

from referee.codec import codec_for
from referee.game import can_imagine
from referee.games import GAMES
from referee.rng import Rng
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

SECONDS = 20.0
UNKNOWN = "You know its rules only by the options that are listed."
CONCURRENCY = 4  # as in bot.toml
MAX_TRIES = 10
MAX_THREADS = 128  # that wait for the model; each costs next to nothing


class SettingError(Exception):
    """A variable of the environment is wrong; the message names it."""


class ForfeitError(Exception):
    """The model gave no usable answer, and the bot was told to forfeit then."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says beside the endpoint."""

    seconds: float
    ask: Ask
    is_listed: bool
    forfeits: bool
    mask: Mask | None

    @staticmethod
    def read(environment: Mapping[str, str]) -> Settings:
        """Read the environment; a SettingError names a variable that is wrong."""
        is_listed = _word(environment, "LANGUAGE_MODE", ("listed", "unlisted")) == "listed"
        is_plain = _word(environment, "LANGUAGE_FORMAT", ("auto", "text")) == "text"
        tries = environment.get("LANGUAGE_TRIES", "2")
        if tries not in map(str, range(1, MAX_TRIES + 1)):
            raise SettingError(f"LANGUAGE_TRIES: expected a whole number from 1 to {MAX_TRIES}")
        form = None if is_plain else NUMBER_FORM if is_listed else MOVE_FORM
        ask = Ask(LISTED if is_listed else UNLISTED, form, int(tries), _price(environment.get("LANGUAGE_PRICE", "")))
        mask = environment.get("LANGUAGE_MASK", "")
        return Settings(
            _number(
                environment.get("LANGUAGE_SECONDS", str(SECONDS)), "LANGUAGE_SECONDS", "a number of seconds above 0"
            ),
            ask,
            is_listed,
            _word(environment, "LANGUAGE_FALLBACK", ("default", "forfeit")) == "forfeit",
            Mask(mask) if mask else None,
        )


def _word(environment: Mapping[str, str], name: str, expected: tuple[str, str]) -> str:
    word = environment.get(name, expected[0])
    if word not in expected:
        raise SettingError(f"{name}: expected {' or '.join(expected)}")
    return word


def _number(text: str, name: str, expected: str, *, may_be_nothing: bool = False) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not (0 < number < inf or (may_be_nothing and number == 0)):
        raise SettingError(f"{name}: expected {expected}")
    return number


def _price(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    expected = "dollars for a million tokens, as IN,OUT"
    parts = text.split(",")
    if len(parts) != 2:
        raise SettingError(f"LANGUAGE_PRICE: expected {expected}")
    come, go = (_number(part, "LANGUAGE_PRICE", expected, may_be_nothing=True) for part in parts)
    return come, go


@dataclass(slots=True)
class Tally:
    """The cost of a match."""

    match: pb.MatchStarted
    questions: int = 0
    tokens: int = 0
    unusable: int = 0
    outages: int = 0

    def add(self, choice: Choice) -> None:
        """Count an answer."""
        self.questions += 1
        self.tokens += choice.tokens
        self.unusable += not choice.is_usable and not choice.is_outage
        self.outages += choice.is_outage


def seconds_for(prompt: pb.Prompt, most: float) -> float:
    """Return how long to wait for the model: well within the deadline, and a small part of the bank."""
    deadline, left = prompt.deadline.ToNanoseconds() / 1e9, prompt.time_left.ToNanoseconds() / 1e9
    return min(most, 0.8 * deadline, max(left / 10, min(1.0, left / 3)))


def patience_for(prompt: pb.Prompt, seconds: float) -> float:
    """Return how long to wait for a provider that fails: most of what the clock allows."""
    deadline, left = prompt.deadline.ToNanoseconds() / 1e9, prompt.time_left.ToNanoseconds() / 1e9
    return max(seconds, min(0.8 * deadline, 0.8 * left))


def answer(prompt: pb.Prompt, match: pb.MatchStarted, endpoint: Endpoint, settings: Settings) -> tuple[Choice, Any]:
    """Put a prompt into words and ask; with a move that is not listed comes its message."""
    if match.game not in GAMES:
        return Choice(0, "this game is not installed here", 0, False), None
    game = GAMES[match.game]
    codec = codec_for(game)
    message = getattr(prompt.game, prompt.game.WhichOneof("game"))
    if prompt.game.HasField("plug_in"):
        message = codec.prompt()
        prompt.game.plug_in.Unpack(message)
    hide = settings.mask.hide if settings.mask else str
    view = codec.view.decode(message.view)
    events = [hide(game.describe(codec.event.decode(event))) for event in message.events]
    actions = [codec.action.decode(option) for option in message.options]
    options = [hide(game.describe(action)) for action in actions]
    rules = hide(f"You play {game.title}. {game.summary or UNKNOWN} You sit in seat {match.seat} of {match.seats}.")
    default = 0
    if can_imagine(game):
        safe = game.default_action(game.imagine(view, match.seat, Rng(0)), match.seat)
        default = actions.index(safe) if safe in actions else 0
    form = "" if settings.is_listed else hide(notation(game))
    question = words(hide(game.text_board(view)), events, hide(prompt.kind), options, settings.ask, form)
    if settings.is_listed:
        read = number_reader(min(len(options), MAX_OPTIONS))
    else:
        read = move_reader(game, view, match.seat, actions, settings.mask.show if settings.mask else None)
    seconds = seconds_for(prompt, settings.seconds)
    patience = patience_for(prompt, seconds)
    chosen = choose(endpoint, rules, question, read, seconds, patience, settings.ask, default)
    if settings.forfeits and not chosen.is_usable and not chosen.is_outage:
        raise ForfeitError(chosen.reason)
    if type(chosen.index) is int:
        return chosen, None
    if chosen.index in actions:
        return replace(chosen, index=actions.index(chosen.index)), None
    return chosen, codec.action.encode(chosen.index)


class Player:
    """Plays on one stream, with a thread per prompt, so that no match waits for the model's answer in another."""

    def __init__(self, endpoint: Endpoint, settings: Settings) -> None:
        self._endpoint, self._settings = endpoint, settings
        self._tallies: dict[str, Tally] = {}
        self._thinking: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()

    async def play(self, address: str, ticket: str) -> None:
        """Say hello, then answer prompts until the referee says goodbye or hangs up."""
        # One thread per prompt: a server with several referees may ask for several matches concurrently.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MAX_THREADS))
        async with grpc.aio.insecure_channel(address) as channel:
            stream = RefereeServiceStub(channel).Play()
            hello = pb.Hello(
                ticket=ticket, protocol_version=1, concurrency=1 if self._settings.forfeits else CONCURRENCY
            )
            await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
            async for frame in stream:
                for message in frame.messages:
                    kind = message.WhichOneof("kind")
                    if kind == "match_started":
                        self._tallies.setdefault(message.match_started.match_id, Tally(message.match_started))
                    elif kind == "match_ended":
                        report(self._tallies.pop(message.match_ended.match_id))
                    elif kind == "goodbye":
                        return
                    elif kind == "prompt":
                        task = asyncio.create_task(self._answer(stream, message.prompt))
                        self._thinking.add(task)
                        task.add_done_callback(self._thinking.discard)

    async def _answer(self, stream: Any, prompt: pb.Prompt) -> None:
        tally = self._tallies[prompt.match_id]
        try:
            chosen, action = await asyncio.to_thread(answer, prompt, tally.match, self._endpoint, self._settings)
        except ForfeitError as error:
            # To leave is the only way to forfeit; with this setting a process plays one match at a time.
            sys.stderr.write(f"match {prompt.match_id[:12]}: forfeited: {error}\n")
            sys.stderr.flush()
            os._exit(1)
        tally.add(chosen)
        given = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id)
        if action is None:
            given.option_index = chosen.index
        elif prompt.game.HasField("plug_in"):
            given.action.plug_in.Pack(action)
        else:
            getattr(given.action, tally.match.game).CopyFrom(action)
        given.comment = f"{chosen.reason} {chosen.margin}"
        # The reader notices the end of the stream.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with self._writing:
                await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=given)]))


def report(tally: Tally) -> None:
    """Print the cost of a match, for the bot's author."""
    cost = f"{tally.questions} questions, {tally.tokens} tokens, {tally.unusable} unusable answers"
    if tally.outages:
        cost += f", {tally.outages} decisions without an answer of the provider"
    sys.stderr.write(f"match {tally.match.match_id[:12]}: {cost}\n")


def main() -> None:
    """Read the environment and play; a missing variable or a lost connection is reported in one line."""
    url = os.environ.get("LANGUAGE_URL", "")
    if not url.startswith(("http://", "https://")):
        sys.exit("LANGUAGE_URL: expected the address of a chat-completions endpoint, http:// or https://")
    try:
        settings = Settings.read(os.environ)
    except SettingError as error:
        sys.exit(str(error))
    key = os.environ.get("LANGUAGE_KEY", "").strip()
    if not (key.isascii() and key.isprintable()):
        sys.exit("LANGUAGE_KEY: expected letters, digits and signs of ASCII alone")
    endpoint = Endpoint(url, os.environ.get("LANGUAGE_MODEL", ""), key)
    try:
        asyncio.run(Player(endpoint, settings).play(os.environ["ARENA_ADDRESS"], os.environ["ARENA_TICKET"]))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")


if __name__ == "__main__":
    main()

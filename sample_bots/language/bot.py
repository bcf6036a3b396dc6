"""A bot that asks a language model: view, options and a short digest of the rules go to a chat-completions endpoint.

It needs the network, so it plays as a remote bot: `arena connect sample_bots/language --server …`. Its environment
names the endpoint: LANGUAGE_URL, LANGUAGE_MODEL, LANGUAGE_KEY if required, and LANGUAGE_SECONDS for each decision.
"""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any

import grpc

# A bot runs in its own directory, so these are the files beside this one.
from asking import Choice, choose, words  # type: ignore[import-not-found]
from endpoint import Endpoint  # type: ignore[import-not-found]

from referee.codec import codec_for
from referee.games import GAMES
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

SECONDS = 20.0
UNKNOWN = "You know its rules only by the options that are listed."
CONCURRENCY = 4  # as in bot.toml
MAX_THREADS = 128  # that wait for the model; each costs next to nothing


@dataclass(slots=True)
class Tally:
    """The cost of a match."""

    match: pb.MatchStarted
    questions: int = 0
    tokens: int = 0
    unusable: int = 0

    def add(self, choice: Choice) -> None:
        """Count an answer."""
        self.questions += 1
        self.tokens += choice.tokens
        self.unusable += not choice.is_usable


def seconds_for(prompt: pb.Prompt, most: float) -> float:
    """Return how long to wait for the model: well within the deadline, and a small part of the bank."""
    deadline, left = prompt.deadline.ToNanoseconds() / 1e9, prompt.time_left.ToNanoseconds() / 1e9
    return min(most, 0.8 * deadline, max(left / 10, min(1.0, left / 3)))


def answer(prompt: pb.Prompt, match: pb.MatchStarted, endpoint: Endpoint, most: float) -> Choice:
    """Put a prompt into words and ask."""
    if match.game not in GAMES:
        return Choice(0, "this game is not installed here", 0, False)
    game = GAMES[match.game]
    codec = codec_for(game)
    message = getattr(prompt.game, prompt.game.WhichOneof("game"))
    if prompt.game.HasField("plug_in"):
        message = codec.prompt()
        prompt.game.plug_in.Unpack(message)
    view = game.text_board(codec.view.decode(message.view))
    events = [game.describe(codec.event.decode(event)) for event in message.events]
    options = [game.describe(codec.action.decode(option)) for option in message.options]
    rules = f"You play {game.title}. {game.summary or UNKNOWN} You sit in seat {match.seat} of {match.seats}."
    return choose(endpoint, rules, words(view, events, prompt.kind, options), len(options), seconds_for(prompt, most))


class Player:
    """Plays on one stream, with a thread per prompt, so that no match waits for the model's answer in another."""

    def __init__(self, endpoint: Endpoint, most: float) -> None:
        self._endpoint, self._most = endpoint, most
        self._tallies: dict[str, Tally] = {}
        self._thinking: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Lock()

    async def play(self, address: str, ticket: str) -> None:
        """Say hello, then answer prompts until the referee says goodbye or hangs up."""
        # One thread per prompt: a server with several referees may ask for several matches concurrently.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MAX_THREADS))
        async with grpc.aio.insecure_channel(address) as channel:
            stream = RefereeServiceStub(channel).Play()
            hello = pb.Hello(ticket=ticket, protocol_version=1, concurrency=CONCURRENCY)
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
        chosen = await asyncio.to_thread(answer, prompt, tally.match, self._endpoint, self._most)
        tally.add(chosen)
        given = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=chosen.index)
        given.comment = f"{chosen.reason} [{chosen.tokens} tokens]"
        # The reader notices the end of the stream.
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async with self._writing:
                await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=given)]))


def report(tally: Tally) -> None:
    """Print the cost of a match, for the bot's author."""
    cost = f"{tally.questions} questions, {tally.tokens} tokens, {tally.unusable} unusable answers"
    sys.stderr.write(f"match {tally.match.match_id[:12]}: {cost}\n")


def main() -> None:
    """Read the environment and play; a missing variable or a lost connection is reported in one line."""
    url = os.environ.get("LANGUAGE_URL", "")
    if not url.startswith(("http://", "https://")):
        sys.exit("LANGUAGE_URL: expected the address of a chat-completions endpoint, http:// or https://")
    try:
        most = float(os.environ.get("LANGUAGE_SECONDS", SECONDS))
    except ValueError:
        most = 0.0
    if not 0 < most < inf:
        sys.exit("LANGUAGE_SECONDS: expected a number of seconds above 0")
    key = os.environ.get("LANGUAGE_KEY", "").strip()
    if not (key.isascii() and key.isprintable()):
        sys.exit("LANGUAGE_KEY: expected letters, digits and signs of ASCII alone")
    endpoint = Endpoint(url, os.environ.get("LANGUAGE_MODEL", ""), key)
    try:
        asyncio.run(Player(endpoint, most).play(os.environ["ARENA_ADDRESS"], os.environ["ARENA_TICKET"]))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")


if __name__ == "__main__":
    main()

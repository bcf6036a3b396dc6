"""One-file bots: `my_bot.py` or `my_bot.mjs` with one function, `choose(view, options)`, that returns an index.

    python -m referee.one_file my_bot.py     # plays on the address in ARENA_ADDRESS

The function may be a method of a class, of which one object plays all matches of a process; its `reset()`, if it has
one, is called before each. Both may take the `Question` as one more argument. In Python views and options are the
game's own values; in Node.js they are those of records, so that an option reads `{"sell_goods": {"count": 2}}`.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import grpc.aio

from referee.codec import codec_for
from referee.games import GAMES
from referee.one_file.policies import OneFileError, load
from referee.policy import Policy, Question
from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub


async def play(policy: Policy) -> None:
    """Answer prompts until the referee says goodbye or hangs up."""
    matches: dict[str, pb.MatchStarted] = {}
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    matches[message.match_started.match_id] = message.match_started
                elif kind == "match_ended":
                    matches.pop(message.match_ended.match_id, None)
                elif kind == "goodbye":
                    return
                elif kind == "prompt":
                    prompt = message.prompt
                    index = policy(_question(prompt, matches[prompt.match_id]))
                    if not 0 <= index < len(_part(prompt).options):
                        raise OneFileError(f"choose returned {index}; expected 0 to {len(_part(prompt).options) - 1}")
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=index)
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))


def _part(prompt: Any) -> Any:
    """Return the game's part of a prompt."""
    name = prompt.game.WhichOneof("game")
    if name != "plug_in":
        return getattr(prompt.game, name)
    for game in GAMES.values():
        codec = codec_for(game)
        if prompt.game.plug_in.Is(codec.prompt.DESCRIPTOR):
            message = codec.prompt()
            prompt.game.plug_in.Unpack(message)
            return message
    raise OneFileError("this game is not installed here")


def _question(prompt: Any, match: Any) -> Question:
    """Read a prompt in the game's own values."""
    game, part = GAMES[match.game], _part(prompt)
    codec = codec_for(game)
    return Question(
        game, prompt.match_id, prompt.prompt_id, match.seat, match.seats, prompt.kind, codec.view.decode(part.view),
        [codec.action.decode(option) for option in part.options],
        prompt.deadline.ToNanoseconds() / 1e9, prompt.time_left.ToNanoseconds() / 1e9,
    )  # fmt: skip


def main() -> None:
    """Play a file; a file that is no bot, its own error or a lost connection ends it, with the reason."""
    try:
        asyncio.run(play(load(Path(sys.argv[1]))))
    except OneFileError as error:
        sys.exit(str(error))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"the referee hung up: {error.code().name} {error.details()}")
    except Exception:
        traceback.print_exc()
        sys.exit(1)


if __name__ == "__main__":
    main()

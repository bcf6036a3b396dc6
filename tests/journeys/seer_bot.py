"""A bot with a memory: from earlier matches it foretells what happens next, and counts how often it is right.

It remembers in its process, and in the file that its argument names, as far as it may write to it. It always takes
the first option, so that matches of one seed go the same way. At the end of a match it prints how it fared.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

NOTES = Path(sys.argv[1]) if len(sys.argv) > 1 else None


class Memory:
    """What followed upon what in all matches so far."""

    def __init__(self) -> None:
        self.followed: dict[str, str] = {}
        self.so_far: dict[str, str] = {}
        self.foretold: dict[str, int] = {}
        self.seen: dict[str, int] = {}

    def read_notes(self) -> None:
        if NOTES is not None:
            with contextlib.suppress(OSError):
                self.followed |= dict(line.split() for line in NOTES.read_text().splitlines())

    def note(self, before: str, after: str) -> None:
        self.followed[before] = after
        if NOTES is not None:
            with contextlib.suppress(OSError), NOTES.open("a") as file:
                file.write(f"{before} {after}\n")

    def see(self, match: str, event: bytes) -> None:
        before, after = self.so_far[match], sha256(event).hexdigest()[:16]
        self.seen[match] += 1
        self.foretold[match] += self.followed.get(before) == after
        self.note(before, after)
        self.so_far[match] = sha256(f"{before}{after}".encode()).hexdigest()[:16]


def events_of(prompt: pb.GamePrompt) -> list[bytes]:
    name = prompt.WhichOneof("game")
    assert name is not None
    game: Any = getattr(prompt, name)
    return [event.SerializeToString(deterministic=True) for event in game.events]


async def play() -> None:
    memory = Memory()
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stream = RefereeServiceStub(channel).Play()
        hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
        await stream.write(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))
        async for frame in stream:
            for message in frame.messages:
                kind = message.WhichOneof("kind")
                if kind == "match_started":
                    memory.read_notes()
                    match = message.match_started.match_id
                    memory.so_far[match] = message.match_started.game
                    memory.foretold[match] = memory.seen[match] = 0
                elif kind == "prompt":
                    prompt = message.prompt
                    for event in events_of(prompt.game):
                        memory.see(prompt.match_id, event)
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                    await stream.write(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))
                elif kind == "match_ended":
                    match = message.match_ended.match_id
                    print(f"{match} foretold {memory.foretold[match]} of {memory.seen[match]}", flush=True)
                elif kind == "goodbye":
                    return


if __name__ == "__main__":
    asyncio.run(play())

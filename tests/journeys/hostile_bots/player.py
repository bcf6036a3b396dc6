"""The honest half of a hostile bot: plays the first option, and reports what an attack came to."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

TARGETS: dict[str, Any] = json.loads(Path("targets.json").read_text()) if Path("targets.json").exists() else {}


def begin() -> None:
    """Say that the attack is under way: honest bots are started now."""
    print("attacking", flush=True)


def attempt(name: str, action: Callable[[], object]) -> None:
    """Try something forbidden and print whether it worked."""
    try:
        result = action()
    except BaseException as error:
        print(f"held: {name}: {type(error).__name__} {error}", flush=True)
    else:
        print(f"BREACH: {name}: {result!r}", flush=True)


def play(
    at_prompt: Callable[[int], None] = lambda number: None,
    ticket: str | None = None,
    before: Callable[[pb.Prompt], list[pb.BotMessage]] = lambda prompt: [],
) -> None:
    """Play to the end, doing something bad at every prompt, counted from 1, and saying something before the answer."""
    frames: SimpleQueue[pb.PlayRequest] = SimpleQueue()
    hello = pb.Hello(ticket=ticket or os.environ["ARENA_TICKET"], protocol_version=1)
    frames.put(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))

    def requests() -> Iterator[pb.PlayRequest]:
        while True:
            yield frames.get()

    number = 0
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        for frame in RefereeServiceStub(channel).Play(requests()):
            for message in frame.messages:
                if message.WhichOneof("kind") == "goodbye":
                    return
                if message.WhichOneof("kind") == "prompt":
                    number += 1
                    at_prompt(number)
                    prompt = message.prompt
                    answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                    frames.put(pb.PlayRequest(messages=[*before(prompt), pb.BotMessage(answer=answer)]))

"""A bot that is right in everything but one, named by its argument: each breaks one step of the conformance suite."""

from __future__ import annotations

import os
import queue
import random
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

FAULT = sys.argv[1]


class Bot:
    """Answers the first option, except for its fault."""

    def __init__(self) -> None:
        self.current = ""
        self.is_sulking = False

    def replies(self, messages: Any) -> Iterator[pb.BotMessage]:
        prompts = [message.prompt for message in messages if message.WhichOneof("kind") == "prompt"]
        for message in messages:
            kind = message.WhichOneof("kind")
            if kind == "welcome" and FAULT == "says_hello_twice":
                yield hello()
            elif kind == "match_started":
                self.current, self.is_sulking = message.match_started.match_id, False
            elif kind == "refused":
                if FAULT == "exits_when_refused" and message.refused.clause:
                    sys.exit("refused!")
                self.is_sulking = FAULT == "sulks_when_late" and not message.refused.clause
            elif kind == "prompt" and not self.is_sulking:
                if FAULT != "reads_only_the_last_prompt" or message.prompt is prompts[-1]:
                    yield pb.BotMessage(answer=self.answer(message.prompt))
            elif kind == "goodbye":
                if FAULT == "lingers":
                    time.sleep(60)
                sys.exit(0)

    def answer(self, prompt: Any) -> pb.Answer:
        match_id = self.current if FAULT == "knows_one_match" else prompt.match_id
        chosen = 0
        if FAULT == "tires" and prompt.prompt_id > 30:
            chosen = prompt.option_count + 100
        if FAULT == "cannot_scrap" and prompt.kind == "scrap":
            os._exit(3)
        if FAULT == "moody":
            chosen = random.randrange(prompt.option_count)
        return pb.Answer(match_id=match_id, prompt_id=prompt.prompt_id, option_index=chosen)


def hello() -> pb.BotMessage:
    ticket = "stolen" if FAULT == "wrong_ticket" else os.environ["ARENA_TICKET"]
    version = 2 if FAULT == "wrong_version" else 1
    return pb.BotMessage(hello=pb.Hello(ticket=ticket, protocol_version=version, concurrency=8))


def play(stub: Any) -> None:
    outbox: queue.SimpleQueue[pb.PlayRequest] = queue.SimpleQueue()
    first = pb.BotMessage(answer=pb.Answer(prompt_id=1)) if FAULT == "says_no_hello" else hello()
    outbox.put(pb.PlayRequest(messages=[first]))
    bot = Bot()
    for frame in stub.Play(iter(outbox.get, None)):
        for reply in bot.replies(frame.messages):
            outbox.put(pb.PlayRequest(messages=[reply]))


def main() -> None:
    if FAULT == "exits_at_once":
        sys.exit("no dice to play with")
    if FAULT == "ignores_sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        stub = RefereeServiceStub(channel)
        while True:
            try:
                play(stub)
            except grpc.RpcError:
                if FAULT == "hangs_when_cut":
                    time.sleep(60)
                if FAULT not in ("redials_without_pause", "redials"):
                    return
                if FAULT == "redials":
                    time.sleep(0.2)


if __name__ == "__main__":
    main()

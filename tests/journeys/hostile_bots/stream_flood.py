"""Sends frames without end that break no rule, or hold more messages than anybody reads, while it plays."""

import itertools
import os
import threading
import time
from collections.abc import Iterator

import grpc
from player import TARGETS, begin

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

FRAME = pb.PlayRequest(messages=[pb.BotMessage()] * TARGETS.get("messages", 0))
answers: list[pb.PlayRequest] = []
is_over = threading.Event()


def requests() -> Iterator[pb.PlayRequest]:
    hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
    yield pb.PlayRequest(messages=[pb.BotMessage(hello=hello)])
    for number in itertools.count():
        if is_over.is_set():
            return
        if number == 0:
            begin()
        yield answers.pop() if answers else FRAME


with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
    for frame in RefereeServiceStub(channel).Play(requests()):
        for message in frame.messages:
            if message.WhichOneof("kind") == "goodbye":
                is_over.set()
                time.sleep(0.1)
                os._exit(0)
            if message.WhichOneof("kind") == "prompt":
                prompt = message.prompt
                answer = pb.Answer(match_id=prompt.match_id, prompt_id=prompt.prompt_id, option_index=0)
                answers.append(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))

"""Sends frames without end, empty ones that break no rule, while it plays and while others think."""

import itertools
import os
import threading
import time
from collections.abc import Iterator

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

answers: list[pb.PlayRequest] = []
is_over = threading.Event()


def requests() -> Iterator[pb.PlayRequest]:
    hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
    yield pb.PlayRequest(messages=[pb.BotMessage(hello=hello)])
    for _ in itertools.count():
        if is_over.is_set():
            return
        yield answers.pop() if answers else pb.PlayRequest()


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

"""Answers its first prompt with a frame of 500,000 empty messages."""

import os
import time
from collections.abc import Iterator

import grpc

from referee.v1 import play_pb2 as pb


def requests() -> Iterator[bytes]:
    hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1)
    yield pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]).SerializeToString()
    for _ in range(20):
        yield b"\x0a\x00" * 500_000
    time.sleep(1_000)


with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
    stream = channel.stream_stream("/referee.v1.RefereeService/Play", None, None)(requests())
    try:
        for _frame in stream:
            pass
    except grpc.RpcError as error:
        print("status", error.code().name, error.details(), flush=True)

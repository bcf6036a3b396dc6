"""An honest bot beside hostile ones: its choices follow from its options alone, so that its score is known before.

Named "reconnecting", it hangs up on every question and comes back to answer it. Named "thinking", it waits a moment
and then computes before every answer, and says when.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue

import grpc

from referee.v1 import play_pb2 as pb
from referee.v1.play_pb2_grpc import RefereeServiceStub

STRENGTHS = 8
CHOICES: dict[str, Callable[[int], int]] = {
    "seated": lambda count: count - 1,
    "joining": lambda count: count // 2,
    "reconnecting": lambda count: max(0, count - 2),
    "thinking": lambda count: count - 1,
    "thinking_too": lambda count: max(0, count - 2),
    **{f"strength_{k}": lambda count, k=k: (count - 1) * k // (STRENGTHS - 1) for k in range(STRENGTHS)},  # type: ignore[misc]
}
"""By the number of options."""
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)  # closed with its channel
PAUSE_SECONDS = 0.5  # without which a match of thinking bots would be over before anybody can be found burning
THOUGHT_SECONDS = 0.25  # of CPU time


def think() -> None:
    """Use a processor for a while."""
    time.sleep(PAUSE_SECONDS)
    print("thinking", flush=True)
    end = time.process_time() + THOUGHT_SECONDS
    while time.process_time() < end:
        pass
    print("thought", flush=True)


def main(name: str) -> None:
    """Play until told goodbye; every refusal of the referee ends the bot."""
    seen: set[tuple[str, int]] = set()
    while serve(name, seen):
        pass


def serve(name: str, seen: set[tuple[str, int]]) -> bool:
    """Play on one connection; return whether it hung up in order to come back."""
    frames: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
    hello = pb.Hello(ticket=os.environ["ARENA_TICKET"], protocol_version=1, concurrency=8)
    frames.put(pb.PlayRequest(messages=[pb.BotMessage(hello=hello)]))

    def requests() -> Iterator[pb.PlayRequest]:
        while (frame := frames.get()) is not None:
            yield frame

    try:
        with grpc.insecure_channel(os.environ["ARENA_ADDRESS"], OWN_CONNECTION) as channel:
            for frame in RefereeServiceStub(channel).Play(requests()):
                for message in frame.messages:
                    if message.WhichOneof("kind") == "goodbye":
                        return False
                    if message.WhichOneof("kind") == "prompt":
                        prompt = message.prompt
                        asked = prompt.match_id, prompt.prompt_id
                        if name == "reconnecting" and asked not in seen:
                            seen.add(asked)
                            return True
                        if name.startswith("thinking"):
                            think()
                        index = CHOICES[name](prompt.option_count)
                        answer = pb.Answer(match_id=asked[0], prompt_id=asked[1], option_index=index)
                        frames.put(pb.PlayRequest(messages=[pb.BotMessage(answer=answer)]))
    finally:
        frames.put(None)
    return False


if __name__ == "__main__":
    main(sys.argv[1])

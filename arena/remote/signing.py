"""T22.9: the answers of a bot, signed on their way to the server with the key of its author."""

from __future__ import annotations

from google.protobuf.message import DecodeError

from referee.keys import Signer
from referee.signed_choice import prompt_digest, sign_choice
from referee.v1 import play_pb2 as pb


class SigningStream:
    """One stream of a bot: what it was asked last in each match, so that its answers can be signed."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer
        self._shown: dict[tuple[str, int], bytes] = {}  # digests, by match and prompt

    def note(self, frame: bytes) -> None:
        """Note the prompts of a frame from the server."""
        for message in pb.PlayResponse.FromString(frame).messages:
            kind = message.WhichOneof("kind")
            if kind == "prompt":
                prompt = message.prompt
                self._shown[prompt.match_id, prompt.prompt_id] = prompt_digest(prompt.game)
            elif kind == "match_ended":
                over = message.match_ended.match_id
                self._shown = {key: digest for key, digest in self._shown.items() if key[0] != over}

    def signed(self, frame: bytes) -> bytes:
        """Return a frame of the bot with its answers signed; what answers no prompt is passed on as it is."""
        try:
            sent = pb.PlayRequest.FromString(frame)
        except DecodeError:
            return frame  # the server says what is wrong with it
        for message in sent.messages:
            if message.WhichOneof("kind") == "answer" and not message.answer.HasField("signed_choice"):
                answer = message.answer
                digest = self._shown.pop((answer.match_id, answer.prompt_id), None)
                if digest is not None:
                    sign_choice(answer, digest, self._signer)
        return sent.SerializeToString()

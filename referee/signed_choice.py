"""T22.9: choices that the author of a bot signs, so that a record proves who chose.

What is signed names the match as its seat was told it, the question, what the bot was shown, and its choice. Others
rebuild all of that from the record.
"""

from __future__ import annotations

from hashlib import sha256

from google.protobuf.message import DecodeError

from referee.codec import ProtocolError
from referee.keys import PublicKey, Signer
from referee.v1 import play_pb2 as pb

PREFIX = b"meistersinger choice\n"
"""So that no other signature of the same key is one of a choice."""
MAX_STATEMENT = 4 << 10  # a record keeps every one


def prompt_digest(game: pb.GamePrompt) -> bytes:
    """Return the digest of what a bot was shown; neither ids nor times are in it."""
    return sha256(game.SerializeToString(deterministic=True)).digest()


def sign_choice(answer: pb.Answer, digest: bytes, signer: Signer) -> None:
    """Sign an answer to the prompt with this digest."""
    statement = pb.ChoiceStatement(match_id=answer.match_id, prompt_id=answer.prompt_id, prompt_digest=digest)
    choice = answer.WhichOneof("choice")
    if choice == "option_index":
        statement.option_index = answer.option_index
    elif choice == "action":
        statement.action.CopyFrom(answer.action)
    signed = statement.SerializeToString(deterministic=True)
    answer.signed_choice.statement, answer.signed_choice.signature = signed, signer.signature(PREFIX + signed)


def check_choice(answer: pb.Answer, match_id: str, prompt_id: int, digest: bytes, key: PublicKey) -> None:
    """Refuse an answer whose signed choice is not this key's for this prompt; a ProtocolError says why."""
    if not answer.HasField("signed_choice"):
        raise ProtocolError(f"the answer is not signed; expected a signed_choice by the key {key}")
    said = answer.signed_choice
    statement = read_statement(said.statement, said.signature, match_id, prompt_id, digest, key)
    if statement.WhichOneof("choice") != answer.WhichOneof("choice") or (
        (statement.option_index, statement.action) != (answer.option_index, answer.action)
    ):
        raise ProtocolError("the signed choice is another one than that of the answer")


def read_statement(
    signed: bytes, signature: bytes, match_id: str, prompt_id: int, digest: bytes, key: PublicKey
) -> pb.ChoiceStatement:
    """Return what a key has signed of this prompt; a ProtocolError if it has signed nothing of it."""
    if len(signed) > MAX_STATEMENT or not key.has_signed(PREFIX + signed, signature):
        raise ProtocolError(f"the signature of the choice is not by the key {key}")
    try:
        statement = pb.ChoiceStatement.FromString(signed)
    except DecodeError:
        raise ProtocolError("the signed choice is not a ChoiceStatement") from None
    if (statement.match_id, statement.prompt_id) != (match_id, prompt_id):
        raise ProtocolError("the signed choice is of another match or prompt")
    if statement.prompt_digest != digest:
        raise ProtocolError("the signed choice is of a prompt that showed something else")
    return statement
